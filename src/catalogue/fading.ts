/**
 * Share of the last value that each smoothing in a row keeps per candle: from 0 to below 1, or more if it never forgets. Two
 * poles of one filter are two smoothings. Undefined if the market decides how fast the start is forgotten.
 */
export type Keeps = readonly number[] | undefined

/** Fading memory: the influence of older candles decreases. */
export interface Fading<Params> {
  fading(params: Params): Keeps
  /** Candles before the lookback that a value also depends on completely. */
  window?(params: Params): number
}
/** One dependence of a value on the past. */
export interface Dependence {
  /** Older candles on which it depends completely. */
  readonly window: number
  /** Factor per smoothing, slowest first: the influence of a candle shrinks by it with each further candle. */
  readonly keeps: readonly number[]
}
/**
 * Dependence of a value on the past. `finite`: on the candles from i − lookback to i and on nothing older. `whole`: on every
 * candle since the first one. A composed value has all dependences of its parts.
 */
export type Memory<Params> = 'finite' | 'whole' | Fading<Params> | Composed

/** The memory of a composed value: its dependences on the past, or the reason why it never settles. */
export type Composed = readonly Dependence[] | Unsettling
/** A part that never settles, and so the reason why the value never settles. */
export interface Unsettling {
  readonly because: { readonly name: string; readonly memory: Memory<never> }
}

/** An exponential average over `period` candles, whose weight is 2 / (period + 1). */
export const exponential = (period: number): number => (period - 1) / (period + 1)
/** Wilder's average over `period` candles, whose weight is 1 / period. */
export const wilder = (period: number): number => (period - 1) / period
/** A number of equal smoothings in a row. */
export const times = (count: number, keep: number): readonly number[] => Array<number>(count).fill(keep)
/** Smoothings in a row, of which each may be several. */
export const chain = (...parts: readonly Keeps[]): Keeps =>
  parts.some(part => part === undefined) ? undefined : parts.flatMap(part => part ?? [])

/** Ehlers' high-pass filter of one pole over `period` candles: 1 − α, where α = (cos ω + sin ω − 1) / cos ω and ω = 2πk / period. */
export function highPass(period: number, k = 1): number {
  const angle = (2 * Math.PI * k) / period
  return Math.abs((1 - Math.sin(angle)) / Math.cos(angle))
}
/** Ehlers' high-pass filter of two poles over `period` candles. */
export const secondHighPass = (period: number, k = Math.SQRT1_2): readonly number[] =>
  times(2, highPass(period, k))
/** Ehlers' super smoother and Butterworth filter of two poles over `period` candles: poles at e^(−√2 · π / period). */
export const superSmoother = (period: number): readonly number[] =>
  times(2, Math.exp((-Math.SQRT2 * Math.PI) / period))
/** The same of three poles: two at e^(−π / period), one at its square. */
export const thirdSuperSmoother = (period: number): readonly number[] => {
  const keep = Math.exp(-Math.PI / period)
  return [keep, keep, keep * keep]
}
/** Ehlers' band-pass filter around `period` candles: poles at √α, where α = γ − √(γ² − 1) and γ = 1 / cos(2π · width / period). */
export function bandPass(period: number, width: number): readonly number[] {
  const spread = 1 / Math.cos((2 * Math.PI * width) / period)
  return times(2, Math.sqrt(Math.abs(spread - Math.sqrt(spread * spread - 1))))
}
/** Ehlers' Gaussian filter: exponential averages with the weight −β + √(β² + 2β), where β = (1 − cos(2π / period)) / (2^(1 / poles) − 1). */
export function gaussian(period: number, poles: number): readonly number[] {
  const beta = (1 - Math.cos((2 * Math.PI) / period)) / (2 ** (1 / poles) - 1)
  return times(poles, 1 + beta - Math.sqrt(beta * beta + 2 * beta))
}
/**
 * A Laguerre filter of four stages. Three of them pass every cycle and only shift it. Such a stage keeps up to 1 + gamma
 * times the past of an average: together at most as much as a fifth average.
 */
export const laguerre = (gamma: number): readonly number[] => times(5, gamma)
/** Jurik's average as published: one average that keeps β, and three that keep β to the `power`. */
export function jurik(period: number, power: number): readonly number[] {
  const size = 0.45 * (period - 1)
  const beta = size / (size + 2)
  return [beta, ...times(3, beta ** power)]
}
/** Six averages with the weight 2 / ((period − 1) / 2 + 2). */
export const coralTrend = (period: number): readonly number[] => times(6, 1 - 4 / (period + 3))
/** Kaufman's average and similar ones, whose weight is at least that of the slow period, squared. */
export const kaufman = (slowPeriod: number): readonly number[] => [1 - (2 / (slowPeriod + 1)) ** 2]
/** Sloman's average, whose weight is at least √period − √(period − 1): that of the oldest change. */
export const natural = (period: number): readonly number[] => [1 - Math.sqrt(period) + Math.sqrt(period - 1)]
/** Ahrens' average: the slowest root of λ^period = (1 − 1 / 2p) · λ^(period − 1) − 1 / 2p is e^(−0.952 / p) where p is large, and smaller elsewhere. */
export const ahrens = (period: number): readonly number[] => times(2, Math.exp(-0.952 / period))
/** Holt's level and slope. */
export function holt(period: number, gamma: number): readonly number[] {
  const alpha = 2 / (period + 1)
  const beta = gamma > 0 ? gamma : alpha
  const level = [1 - alpha, 1 - alpha] as const
  const slope = [beta * (level[0] - 1), 1 - beta + beta * level[1]]
  return times(2, slowest([level, slope]))
}
/** Level, change and second change of Holt and Winters. */
export function holtWinters(na: number, nb: number, nc: number): readonly number[] {
  const level = [1 - na, 1 - na, (1 - na) / 2] as const
  const change = [nb * (level[0] - 1), 1 - nb + nb * level[1], 1 - nb + nb * level[2]] as const
  const second = [nc * change[0], nc * (change[1] - 1), 1 - nc + nc * change[2]]
  return times(3, slowest([level, change, second]))
}
/** A filter y = x + Σ weights[k] · y[k + 1], where y[k] is the value k candles before. */
export const feedback = (weights: readonly number[]): readonly number[] => {
  const shifts = weights.slice(1).map((_, row) => weights.map((__, column) => (column === row ? 1 : 0)))
  return times(2, slowest([weights, ...shifts]))
}
/** A Kalman filter whose weight has become constant: its variance P solves P² = q · P + q · r. */
export const kalman = (q: number, r: number): readonly number[] => [
  r / (r + (q + Math.sqrt(q * q + 4 * q * r)) / 2),
]
/** Voss' filter, which subtracts `order` own values: the newest whole, the older ones with decreasing weights. */
export const voss = (order: number): readonly number[] =>
  feedback(Array.from({ length: order }, (_, k) => (k - order) / order))
/** Share that a peak of Ehlers' automatic gain keeps per candle, unless a larger value replaces it. */
export const peakKeeps = 0.991
/**
 * The dominant cycle of Ehlers' Hilbert transform. The measured period changes the next transform, so the rate does not
 * follow from the weights of its averages alone (0.8 and 0.67): it was measured.
 */
export const dominantCycle: readonly number[] = [0.93]

/** The MESA adaptive average and its follower, whose weight is half as large. */
export const mesa = (slowLimit: number): Keeps => chain(dominantCycle, [1 - slowLimit, 1 - slowLimit / 2])
/** The exponential Hull average: averages over `period` candles, and over its rounded square root. */
export const exponentialHull = (period: number): readonly number[] => [
  exponential(period),
  exponential(Math.round(Math.sqrt(period))),
]

/** Number of squarings of the matrix below. */
const squarings = 16

/**
 * The largest absolute eigenvalue of a matrix that maps a state to the next one, by Gelfand's formula: the share that its
 * slowest part keeps.
 */
function slowest(matrix: readonly (readonly number[])[]): number {
  const n = matrix.length
  let power = Float64Array.from(matrix.flat())
  let next = new Float64Array(n * n)
  let logarithm = 0
  for (let k = 0; k < squarings; k++) {
    const size = square(power, next, n)
    if (size === 0) return 0
    logarithm = 2 * logarithm + Math.log(size)
    for (let at = 0; at < next.length; at++) next[at] = (next[at] as number) / size
    ;[power, next] = [next, power]
  }
  return Math.exp(logarithm / 2 ** squarings)
}

/** Writes the square of a matrix with `n` rows, and returns the largest absolute value of its elements. */
function square(matrix: Float64Array, result: Float64Array, n: number): number {
  result.fill(0)
  for (let row = 0; row < n; row++) {
    for (let i = 0; i < n; i++) {
      const factor = matrix[row * n + i] as number
      if (factor === 0) continue
      for (let column = 0; column < n; column++)
        result[row * n + column] =
          (result[row * n + column] as number) + factor * (matrix[i * n + column] as number)
    }
  }
  return result.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0)
}

/** The candles before the start have lost their influence when they weigh less than a hundredth of the last digit. */
const guardDigits = 2
/** Largest total weight of the omitted candles for which `digits` digits are settled. */
const thresholdOf = (digits: number): number => 10 ** -(digits + guardDigits)
/** Number of candles beyond which a value counts as never settled. */
const mostCandles = 1_000_000

/** Largest number of digits whose settling is reported. */
export const mostDigits = 8
/** Default number of digits that must have settled. */
export const usualDigits = 4

/**
 * Numbers of candles after which smoothings in a row have forgotten their start up to 1, 2 … `digits` digits; shorter if
 * they never do. The weights of an average decrease like those of a geometric distribution. So the weight of the first
 * candles is the probability that a sum of such random lengths exceeds the number of candles, which this function counts
 * down.
 */
function candlesByDigits(keeps: readonly number[], digits: number): readonly number[] {
  if (keeps.length === 0) return Array<number>(digits).fill(0)
  if (keeps.some(rate => rate >= 1)) return []
  const rates = Float64Array.from(keeps)
  const weights = new Float64Array(rates.length).fill(1)
  const found: number[] = []
  let threshold = thresholdOf(1)
  for (let candles = 1; candles < mostCandles; candles++) {
    let weight = 0
    for (let k = 0; k < rates.length; k++) {
      const rate = rates[k] as number
      weight = rate * (weights[k] as number) + (1 - rate) * weight
      weights[k] = weight
    }
    while (weight < threshold) {
      if (found.push(candles) === digits) return found
      threshold = thresholdOf(found.length + 1)
    }
  }
  return found
}

/**
 * Number of candles after which smoothings in a row have forgotten their start up to `digits` digits; undefined if they
 * never do.
 */
export const candlesToForget = (keeps: readonly number[], digits: number): number | undefined =>
  candlesByDigits(keeps, digits)[digits - 1]

/** Something with a memory: an entry of the catalogue, or an expression. */
interface Remembering<Params> {
  readonly memory: Memory<Params>
  lookback(params: Params): number
}

/** Dependences of a value on the past; undefined if it never forgets the past, or if the market decides how fast. */
export function dependencesOf<Params>(
  { memory, lookback }: Remembering<Params>,
  params: Params,
): readonly Dependence[] | undefined {
  if (memory === 'whole') return undefined
  if (memory === 'finite') return [{ window: lookback(params), keeps: [] }]
  if ('because' in memory) return undefined
  if (!('fading' in memory)) return memory
  const keeps = memory.fading(params)
  return keeps && [{ window: lookback(params) + (memory.window?.(params) ?? 0), keeps: slowestFirst(keeps) }]
}

const slowestFirst = (keeps: readonly number[]): readonly number[] => [...keeps].sort((a, b) => b - a)

/** Dependences of chained values: `next` uses each value of `before`, so their smoothings are in a row. */
export const inRow = (before: readonly Dependence[], next: readonly Dependence[]): readonly Dependence[] =>
  before.flatMap(first =>
    next.map(then => ({
      window: first.window + then.window,
      keeps: slowestFirst([...first.keeps, ...then.keeps]),
    })),
  )

/** The slowest dependences: drops each one that another exceeds or equals in every respect. */
export function slowestOf(all: readonly Dependence[]): readonly Dependence[] {
  const slowest: Dependence[] = []
  for (const each of all) {
    if (slowest.some(other => isSlower(other, each))) continue
    for (let k = slowest.length - 1; k >= 0; k--)
      if (isSlower(each, slowest[k] as Dependence)) slowest.splice(k, 1)
    slowest.push(each)
  }
  return slowest
}

const isSlower = (one: Dependence, other: Dependence): boolean =>
  one.window >= other.window &&
  one.keeps.length >= other.keeps.length &&
  other.keeps.every((keep, k) => (one.keeps[k] as number) >= keep)

/**
 * Candles before the first value whose first 1, 2 … `digits` digits do not depend on the start of the history; shorter if no
 * value has that many. Digits refer to the usual size of the values, because an oscillator near 0 has none of its own.
 */
export function settledByDigits(all: readonly Dependence[], digits: number): readonly number[] {
  const found = all.map(({ window, keeps }) =>
    candlesByDigits(keeps, digits).map(candles => window + candles),
  )
  const known = Math.min(...found.map(({ length }) => length))
  return Array.from({ length: known }, (_, k) => Math.max(...found.map(numbers => numbers[k] as number)))
}

/** Key of the result that is stored with the parameters of a query. */
const keptFirst = Symbol('first settled')
interface KnownFirst {
  readonly [keptFirst]?: { readonly entry: unknown; readonly first: readonly number[] }
}

/**
 * The first candles whose values have 1, 2 … 8 settled digits, shorter if values never have that many. 0 if each value
 * depends on its window alone.
 */
export function firstSettled<Params extends object>(
  entry: Remembering<Params>,
  params: Params & KnownFirst,
): readonly number[] {
  const known = params[keptFirst]
  if (known?.entry === entry) return known.first
  const all = dependencesOf(entry, params)
  const isExact = entry.memory === 'finite'
  const first = isExact ? Array<number>(mostDigits).fill(0) : all ? settledByDigits(all, mostDigits) : []
  // Not enumerable, because it is no parameter.
  Object.defineProperty(params, keptFirst, { value: { entry, first }, configurable: true })
  return first
}

/** Candles before the first value whose first `digits` digits have settled; undefined if there is no such number. */
export function settledAfter<Params>(
  entry: Remembering<Params>,
  params: Params,
  digits: number,
): number | undefined {
  const all = dependencesOf(entry, params)
  return all && settledByDigits(all, digits)[digits - 1]
}
