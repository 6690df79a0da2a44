import { normal, type Random } from './random.js'

/** A candle in whole numbers: prices in ticks, volume in lots. Its volume is 0, and then it is flat, or at least `minLots`. */
export interface Bar {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/** A trade: its price in ticks and its volume in lots. */
export interface Trade {
  readonly price: number
  readonly volume: number
}

/** A price moves with a trade only, and it takes up to three moves to visit the high, the low and the close. */
export const minLots = 3

/** The volume per part, in lots, at which half of the parts have no trade. */
const halfActiveLots = 3

/**
 * The activity of each of `count` parts of a bar: 0 where nothing is traded. At least `min` and at most `max` parts are
 * active.
 */
function activities(count: number, volume: number, min: number, max: number, random: Random): number[] {
  const result = new Array<number>(count).fill(0)
  const draw = () => {
    const chance = random()
    return 0.6 + 0.9 * chance * chance
  }
  const probability = volume / (volume + halfActiveLots * count)
  let active = 0
  for (let part = 0; part < count; part++) {
    if (random() >= probability) continue
    result[part] = draw()
    active++
  }
  for (let part = Math.floor(random() * count); active < min || active > max; part = (part + 1) % count) {
    if (active < min && result[part] === 0) {
      result[part] = draw()
      active++
    } else if (active > max && result[part] !== 0) {
      result[part] = 0
      active--
    }
  }
  return result
}

/** Divides the volume in proportion to the squares of the activities; every active part gets at least `min` lots. */
function divideVolume(volume: number, activity: readonly number[], min: number): number[] {
  let total = 0
  let active = 0
  for (const each of activity) {
    total += each * each
    if (each > 0) active++
  }
  const free = volume - active * min
  let reached = 0
  let divided = 0
  return activity.map(each => {
    if (each === 0) return 0
    reached += each * each
    const upTo = Math.floor(free * (reached / total))
    const own = min + upTo - divided
    divided = upTo
    return own
  })
}

/** Mirrors a price outside of [low, high] at the bound it crossed. */
function mirror(price: number, low: number, high: number): number {
  const inside = price > high ? 2 * high - price : price < low ? 2 * low - price : price
  return inside > high ? high : inside < low ? low : inside
}

interface Path {
  /** Prices in ticks, one more than there are steps: from the bar's open to its close. */
  readonly prices: number[]
  /** The standard deviation, in ticks, of a step whose activity is 1. */
  readonly scale: number
}

/**
 * The part of a bar's body that is drift and not noise. With this value weeks and minutes have the same volatility when
 * the roughness is 1 (measured).
 */
const bodyShare = 0.4

/**
 * A random walk through a bar: it starts at the open, ends at the close, stays inside and touches the high and the
 * low, each at a step that is no multiple of `span` unless `span` is 1. Needs two such steps before the last one.
 *
 * A free walk becomes a Brownian bridge from the open to the close. Its highest and lowest steps are then moved to the
 * bar's own extremes, with Brownian bridges between these fixed points.
 */
function walk(bar: Bar, activity: readonly number[], span: number, roughness: number, random: Random): Path {
  const { open, high, low, close } = bar
  const last = activity.length
  if (high === low) return { prices: new Array<number>(last + 1).fill(open), scale: 0 }

  const free = [0]
  const time = [0]
  let position = 0
  let elapsed = 0
  let top = 0
  let bottom = 0
  for (const each of activity) {
    position += each * normal(random)
    elapsed += each * each
    free.push(position)
    time.push(elapsed)
    if (position > top) top = position
    if (position < bottom) bottom = position
  }
  const body = close > open ? close - open : open - close
  const scale = top > bottom ? (roughness * (high - low - bodyShare * body)) / (top - bottom) : 0

  /** Writes the free walk between two steps, as a bridge between the given prices. */
  const bridge = (into: number[], from: number, to: number, first: number, final: number) => {
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
  bridge(prices, 0, last, open, close)
  /** The inner step with the highest price (`sign` 1) or the lowest one (−1), without the step `taken`. */
  const extreme = (sign: 1 | -1, taken: number) => {
    let best = 0
    for (let step = 1; step < last; step++) {
      if (step === taken || (span > 1 && step % span === 0)) continue
      if (best === 0 || sign * (prices[step] as number) > sign * (prices[best] as number)) best = step
    }
    return best
  }
  const highest = high > open && high > close ? extreme(1, 0) : 0
  const lowest = low < open && low < close ? extreme(-1, highest) : 0
  let from = 0
  for (const to of highest < lowest ? [highest, lowest, last] : [lowest, highest, last]) {
    if (to === 0) continue
    bridge(prices, from, to, prices[from] as number, to === last ? close : to === highest ? high : low)
    from = to
  }
  return { prices: prices.map(price => Math.round(mirror(price, low, high))), scale }
}

/**
 * Splits a bar into `count` bars that follow one another and together are exactly that bar: the first opens at its
 * open, each opens at the close before it, the last closes at its close, one touches the high and one the low, and
 * the volumes add up. A roughness of 1 is a random walk; below 1 moves persist, above 1 they reverse.
 */
export function split(bar: Bar, count: number, roughness: number, random: Random): Bar[] {
  if (bar.volume === 0) return new Array<Bar>(count).fill(bar)
  const activity = activities(count, bar.volume, 1, Math.floor(bar.volume / minLots), random)
  const volumes = divideVolume(bar.volume, activity, minLots)
  const active = activity.filter(each => each > 0)
  const { prices, scale } = walk(
    bar,
    active.flatMap(each => [each, each, each]),
    3,
    roughness,
    random,
  )
  /** By how much a walk of three steps falls short of the extremes of an endless one, in deviations of a step. */
  const shortfall = 1.1
  let close = bar.open
  let step = 0
  return volumes.map((volume, part) => {
    if (volume === 0) return { open: close, high: close, low: close, close, volume }
    const open = close
    const second = prices[step + 1] as number
    const third = prices[step + 2] as number
    close = prices[step + 3] as number
    step += 3
    const wick = shortfall * scale * (activity[part] as number)
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

/** The trades of a bar, at most one in each of `count` equal parts of its time; a part without a trade has volume 0. */
export function trades(bar: Bar, count: number, roughness: number, random: Random): Trade[] {
  if (bar.volume === 0) return new Array<Trade>(count).fill({ price: bar.open, volume: 0 })
  const activity = activities(count, bar.volume, minLots, bar.volume, random)
  const volumes = divideVolume(bar.volume, activity, 1)
  const { prices } = walk(
    bar,
    activity.filter(each => each > 0),
    1,
    roughness,
    random,
  )
  let step = 0
  return volumes.map(volume => ({ price: prices[volume > 0 ? ++step : step] as number, volume }))
}

/** Joins bars that follow one another, at least one, into one. */
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
