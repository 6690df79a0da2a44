/** A generator of numbers in [0, 1). The same seed has the same sequence. */
export type Random = () => number

/** Hashes 32 bits (the finaliser of MurmurHash3, Austin Appleby, public domain). */
function mix(bits: number): number {
  let hash = bits
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** 2³² divided by the golden ratio. Repeated addition visits every 32-bit integer once, in no visible order. */
const stride = 0x9e3779b9

/** A 32-bit seed of several integers. Their order matters. */
export const seedOf = (...parts: readonly number[]): number =>
  parts.reduce((seed, part) => mix(Math.imul(seed, 31) + stride + mix(part | 0)), 0)

export const seedOfText = (text: string): number =>
  seedOf(...Array.from(text, letter => letter.codePointAt(0) ?? 0))

/** A generator (SplitMix32). It uses integer arithmetic only, so its numbers are the same on every machine. */
export function createRandom(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + stride) | 0
    return mix(state) / 0x1_0000_0000
  }
}

const rootOfThree = 1.7320508075688772

/**
 * A number with nearly the standard normal distribution: the sum of four uniform numbers (Irwin–Hall), shifted and
 * scaled to mean 0 and variance 1. It lies in [−2√3, 2√3].
 */
export const normal = (random: Random): number =>
  (random() + random() + random() + random() - 2) * rootOfThree

/**
 * A candle in whole numbers: prices in ticks, volume in lots. A bar with volume 0 is flat. Any other bar has at
 * least `minLots`.
 */
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

/**
 * Minimum volume of a bar with trades. A price moves only with a trade, and visiting the high, the low and the
 * close needs up to three moves.
 */
export const minLots = 3

/** Volume per part, in lots, at which half of the parts have no trade. */
const halfActiveLots = 3

/** Maximum steps of a walk, for the seconds of a minute. Bars with fewer parts have three steps per part. */
const mostSteps = 64

// Buffers of one split, shared by all splits. A history of minutes has millions of splits, and they run one after
// the other.
/** Activity per part, 0 for parts without a trade. */
const activity = new Float64Array(mostSteps)
/** Volume per part, in lots. */
const volumes = new Float64Array(mostSteps)
/** Activity of the part of each step, and the time and position of the free walk after the step. */
const activityOf = new Float64Array(mostSteps)
const time = new Float64Array(mostSteps + 1)
const free = new Float64Array(mostSteps + 1)
/** Prices in ticks, from the bar's open to its close: one more than there are steps. */
const prices = new Float64Array(mostSteps + 1)

const drawActivity = (random: Random): number => {
  const chance = random()
  return 0.6 + 0.9 * chance * chance
}

/**
 * Draws the activity of each of `count` parts of a bar. At least `min` and at most `max` parts are active. Returns
 * the number of active parts.
 */
function drawActivities(count: number, volume: number, min: number, max: number, random: Random): number {
  const probability = volume / (volume + halfActiveLots * count)
  let active = 0
  for (let part = 0; part < count; part++) {
    const isActive = random() < probability
    activity[part] = isActive ? drawActivity(random) : 0
    if (isActive) active++
  }
  for (let part = Math.floor(random() * count); active < min || active > max; part = (part + 1) % count) {
    if (active < min && activity[part] === 0) {
      activity[part] = drawActivity(random)
      active++
    } else if (active > max && activity[part] !== 0) {
      activity[part] = 0
      active--
    }
  }
  return active
}

/** Divides the volume in proportion to the squared activities. Each of the `active` parts gets at least `min` lots. */
function divideVolume(volume: number, count: number, active: number, min: number): void {
  let total = 0
  for (let part = 0; part < count; part++) total += (activity[part] as number) ** 2
  const rest = volume - active * min
  let reached = 0
  let divided = 0
  for (let part = 0; part < count; part++) {
    const each = activity[part] as number
    volumes[part] = 0
    if (each === 0) continue
    reached += each * each
    const upTo = Math.floor(rest * (reached / total))
    volumes[part] = min + upTo - divided
    divided = upTo
  }
}

/** Lays out `perPart` steps for each active part. Returns the number of steps. */
function layOutSteps(count: number, perPart: number): number {
  let steps = 0
  for (let part = 0; part < count; part++) {
    const each = activity[part] as number
    if (each > 0) for (let k = 0; k < perPart; k++) activityOf[steps++] = each
  }
  return steps
}

/** Mirrors a price outside of [low, high] at the crossed bound. */
function mirror(price: number, low: number, high: number): number {
  const inside = price > high ? 2 * high - price : price < low ? 2 * low - price : price
  return inside > high ? high : inside < low ? low : inside
}

/**
 * Share of a bar's body that is drift and not noise. With this value, weeks and minutes have the same volatility at
 * roughness 1 (measured).
 */
const bodyShare = 0.4

/** Walks freely from 0. Returns the distance between the highest and the lowest position. */
function walkFreely(steps: number, random: Random): number {
  let position = 0
  let elapsed = 0
  let top = 0
  let bottom = 0
  free[0] = 0
  time[0] = 0
  for (let step = 0; step < steps; step++) {
    const each = activityOf[step] as number
    position += each * normal(random)
    elapsed += each * each
    free[step + 1] = position
    time[step + 1] = elapsed
    if (position > top) top = position
    if (position < bottom) bottom = position
  }
  return top - bottom
}

/** Writes the prices of the free walk between two steps, as a bridge between the given prices. */
function bridge(scale: number, from: number, to: number, first: number, final: number): void {
  const start = time[from] as number
  const length = (time[to] as number) - start
  const before = first - (free[from] as number) * scale
  const change = final - (free[to] as number) * scale - before
  for (let step = from + 1; step < to; step++)
    prices[step] =
      (free[step] as number) * scale + before + (change * ((time[step] as number) - start)) / length
  prices[to] = final
}

/**
 * Inner step with the highest price (`sign` 1) or the lowest one (−1). Excludes the last step, the step `taken`,
 * and multiples of `span` unless `span` is 1. Returns 0 if there is none.
 */
function extreme(sign: 1 | -1, last: number, span: number, taken: number): number {
  let best = 0
  for (let step = 1; step < last; step++) {
    if (step === taken || (span > 1 && step % span === 0)) continue
    if (best === 0 || sign * (prices[step] as number) > sign * (prices[best] as number)) best = step
  }
  return best
}

/**
 * Writes a random walk through a bar. The walk starts at the open, ends at the close and stays inside the bar. It
 * touches the high and the low, each at a step that is not a multiple of `span` unless `span` is 1. Needs two such
 * steps before the last one. Returns the standard deviation, in ticks, of a step whose activity is 1.
 *
 * A free walk becomes a Brownian bridge from the open to the close. Its highest and lowest steps are then moved to
 * the bar's own extremes, with Brownian bridges between these fixed points.
 */
function walk(bar: Bar, last: number, span: number, roughness: number, random: Random): number {
  const { open, high, low, close } = bar
  if (high === low) {
    prices.fill(open, 0, last + 1)
    return 0
  }
  const reach = walkFreely(last, random)
  const body = close > open ? close - open : open - close
  const scale = reach > 0 ? (roughness * (high - low - bodyShare * body)) / reach : 0
  prices[0] = open
  bridge(scale, 0, last, open, close)
  const highest = high > open && high > close ? extreme(1, last, span, 0) : 0
  const lowest = low < open && low < close ? extreme(-1, last, span, highest) : 0
  const [one, other] = [Math.min(highest, lowest), Math.max(highest, lowest)]
  const priceAt = (step: number) => (step === highest ? high : low)
  if (one > 0) bridge(scale, 0, one, open, priceAt(one))
  if (other > 0) bridge(scale, one, other, prices[one] as number, priceAt(other))
  if (other > 0) bridge(scale, other, last, prices[other] as number, close)
  for (let step = 0; step <= last; step++)
    prices[step] = Math.round(mirror(prices[step] as number, low, high))
  return scale
}

/** Expected gap between the range of a three-step walk and that of a continuous one, in step deviations. */
const shortfall = 1.1

/**
 * Splits a bar into `count` consecutive bars that together are exactly that bar. The first one opens at its open,
 * and each further one at the previous close. The last one closes at its close. One touches the high and one the
 * low, and the volumes add up. A roughness of 1 is a random walk. Below 1 moves persist, above 1 they reverse.
 */
export function split(bar: Bar, count: number, roughness: number, random: Random): Bar[] {
  if (bar.volume === 0) return new Array<Bar>(count).fill(bar)
  const active = drawActivities(count, bar.volume, 1, Math.floor(bar.volume / minLots), random)
  divideVolume(bar.volume, count, active, minLots)
  const scale = walk(bar, layOutSteps(count, 3), 3, roughness, random)
  const bars: Bar[] = []
  let close = bar.open
  let step = 0
  for (let part = 0; part < count; part++) {
    const volume = volumes[part] as number
    const open = close
    if (volume === 0) {
      bars.push({ open, high: open, low: open, close, volume })
      continue
    }
    const second = prices[step + 1] as number
    const third = prices[step + 2] as number
    close = prices[step + 3] as number
    step += 3
    const wick = shortfall * scale * (activity[part] as number)
    const above = Math.max(0, Math.round(wick * normal(random)))
    const below = Math.max(0, Math.round(wick * normal(random)))
    const high = Math.min(bar.high, Math.max(open, second, third, close) + above)
    const low = Math.max(bar.low, Math.min(open, second, third, close) - below)
    bars.push({ open, high, low, close, volume })
  }
  return bars
}

/** Trades of a bar, at most one in each of `count` equal parts of its time. A part without a trade has volume 0. */
export function trades(bar: Bar, count: number, roughness: number, random: Random): Trade[] {
  if (bar.volume === 0) return new Array<Trade>(count).fill({ price: bar.open, volume: 0 })
  const active = drawActivities(count, bar.volume, minLots, bar.volume, random)
  divideVolume(bar.volume, count, active, 1)
  walk(bar, layOutSteps(count, 1), 1, roughness, random)
  let step = 0
  return Array.from({ length: count }, (_, part) => {
    const volume = volumes[part] as number
    if (volume > 0) step++
    return { price: prices[step] as number, volume }
  })
}

/** Joins consecutive bars, at least one, into one bar. */
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
