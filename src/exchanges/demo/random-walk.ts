import { normal, type Random } from './random.js'

/** A candle in whole numbers: prices in ticks, volume in lots. Without volume it is flat; else it has `fewestLots`. */
export interface Bar {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/** A price in ticks and the lots that were traded at it. */
export interface Trade {
  readonly price: number
  readonly volume: number
}

/** A price needs a trade to move, and visiting the high, the low and the close takes up to three moves. */
export const fewestLots = 3

/** The volume per part, in lots, at which half of the parts see no trade. */
const calm = 3

/** How busy each of `count` parts is, 0 where nothing is traded. At least `fewest` parts and at most `most` are busy. */
function paces(count: number, volume: number, fewest: number, most: number, random: Random): number[] {
  const found = new Array<number>(count).fill(0)
  const draw = () => {
    const chance = random()
    return 0.6 + 0.9 * chance * chance
  }
  const likely = volume / (volume + calm * count)
  let busy = 0
  for (let part = 0; part < count; part++) {
    if (random() >= likely) continue
    found[part] = draw()
    busy++
  }
  for (let part = Math.floor(random() * count); busy < fewest || busy > most; part = (part + 1) % count) {
    if (busy < fewest && found[part] === 0) {
      found[part] = draw()
      busy++
    } else if (busy > most && found[part] !== 0) {
      found[part] = 0
      busy--
    }
  }
  return found
}

/** Shares the lots out by the square of the pace; every busy part has at least `least` of them. */
function lots(volume: number, pace: readonly number[], least: number): number[] {
  let total = 0
  let busy = 0
  for (const each of pace) {
    total += each * each
    if (each > 0) busy++
  }
  const free = volume - busy * least
  let reached = 0
  let given = 0
  return pace.map(each => {
    if (each === 0) return 0
    reached += each * each
    const upto = Math.floor(free * (reached / total))
    const own = least + upto - given
    given = upto
    return own
  })
}

/** A price that left [low, high] is mirrored at the bound it crossed. */
function mirror(price: number, low: number, high: number): number {
  const inside = price > high ? 2 * high - price : price < low ? 2 * low - price : price
  return inside > high ? high : inside < low ? low : inside
}

interface Path {
  /** Prices in ticks, one more than there are steps: from the bar's open to its close. */
  readonly prices: number[]
  /** The deviation, in ticks, of a step whose pace is 1. */
  readonly scale: number
}

/** The part of a bar's body that is no noise. With it, a week and its minutes vary alike when `rough` is 1 (measured). */
const bodyShare = 0.4

/**
 * A random walk through a bar: it starts at the open, ends at the close, stays inside and touches the high and the
 * low, each at a step that is no multiple of `span` unless `span` is 1. Needs two such steps before the last one.
 *
 * A free walk is bent so that it ends at the close; where that one is highest and lowest it is bent once more to
 * touch the bar's own extremes, and in between it stays the walk it was (a Brownian bridge between fixed points).
 */
function walk(bar: Bar, pace: readonly number[], span: number, rough: number, random: Random): Path {
  const { open, high, low, close } = bar
  const last = pace.length
  if (high === low) return { prices: new Array<number>(last + 1).fill(open), scale: 0 }

  const free = [0]
  const time = [0]
  let place = 0
  let elapsed = 0
  let top = 0
  let bottom = 0
  for (const each of pace) {
    place += each * normal(random)
    elapsed += each * each
    free.push(place)
    time.push(elapsed)
    if (place > top) top = place
    if (place < bottom) bottom = place
  }
  const body = close > open ? close - open : open - close
  const scale = top > bottom ? (rough * (high - low - bodyShare * body)) / (top - bottom) : 0

  /** The free walk between two steps, bent to start and end at the given prices. */
  const bend = (into: number[], from: number, to: number, first: number, final: number) => {
    const start = time[from] as number
    const length = (time[to] as number) - start
    const before = first - (free[from] as number) * scale
    const change = final - (free[to] as number) * scale - before
    for (let step = from + 1; step < to; step++) {
      into[step] =
        (free[step] as number) * scale + before + (change * ((time[step] as number) - start)) / length
    }
    into[to] = final
  }

  const prices = [open]
  bend(prices, 0, last, open, close)
  /** The inner step that goes farthest up (`sign` 1) or down (−1). */
  const farthest = (sign: 1 | -1, taken: number) => {
    let best = 0
    for (let step = 1; step < last; step++) {
      if (step === taken || (span > 1 && step % span === 0)) continue
      if (best === 0 || sign * (prices[step] as number) > sign * (prices[best] as number)) best = step
    }
    return best
  }
  const highest = high > open && high > close ? farthest(1, 0) : 0
  const lowest = low < open && low < close ? farthest(-1, highest) : 0
  let from = 0
  for (const to of highest < lowest ? [highest, lowest, last] : [lowest, highest, last]) {
    if (to === 0) continue
    bend(prices, from, to, prices[from] as number, to === last ? close : to === highest ? high : low)
    from = to
  }
  return { prices: prices.map(price => Math.round(mirror(price, low, high))), scale }
}

/**
 * Cuts a bar into `count` bars that follow one another and together are exactly that bar: the first opens at its
 * open, each opens at the close before it, the last closes at its close, one touches the high and one the low, and
 * the volumes add up. `rough` 1 is a random walk; below it prices persist, above it they turn back.
 */
export function split(bar: Bar, count: number, rough: number, random: Random): Bar[] {
  if (bar.volume === 0) return new Array<Bar>(count).fill(bar)
  const pace = paces(count, bar.volume, 1, Math.floor(bar.volume / fewestLots), random)
  const volumes = lots(bar.volume, pace, fewestLots)
  const busy = pace.filter(each => each > 0)
  const { prices, scale } = walk(
    bar,
    busy.flatMap(each => [each, each, each]),
    3,
    rough,
    random,
  )
  /** What a walk of three steps misses of the extremes of an endless one, in deviations of a step. */
  const missed = 1.1
  let close = bar.open
  let step = 0
  return volumes.map((volume, part) => {
    if (volume === 0) return { open: close, high: close, low: close, close, volume }
    const open = close
    const second = prices[step + 1] as number
    const third = prices[step + 2] as number
    close = prices[step + 3] as number
    step += 3
    const wick = missed * scale * (pace[part] as number)
    const above = Math.max(0, Math.round(wick * normal(random)))
    const below = Math.max(0, Math.round(wick * normal(random)))
    return {
      open,
      high: Math.min(bar.high, Math.max(open, second, third, close) + above),
      low: Math.max(bar.low, Math.min(open, second, third, close) - below),
      close,
      volume,
    }
  })
}

/** The trades that make up a bar, at most one in each of `count` moments; a moment without one has no lots. */
export function trades(bar: Bar, count: number, rough: number, random: Random): Trade[] {
  if (bar.volume === 0) return new Array<Trade>(count).fill({ price: bar.open, volume: 0 })
  const pace = paces(count, bar.volume, fewestLots, bar.volume, random)
  const volumes = lots(bar.volume, pace, 1)
  const { prices } = walk(
    bar,
    pace.filter(each => each > 0),
    1,
    rough,
    random,
  )
  let step = 0
  return volumes.map(volume => ({ price: prices[volume > 0 ? ++step : step] as number, volume }))
}

/** Bars that follow one another, as one. There must be at least one. */
export function join(bars: readonly Bar[]): Bar {
  const first = bars[0] as Bar
  let { high, low, close, volume } = first
  for (let at = 1; at < bars.length; at++) {
    const bar = bars[at] as Bar
    if (bar.high > high) high = bar.high
    if (bar.low < low) low = bar.low
    close = bar.close
    volume += bar.volume
  }
  return { open: first.open, high, low, close, volume }
}
