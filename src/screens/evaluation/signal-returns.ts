import type { Columns } from '../../candles/columns.js'
import type { ReturnStatistics } from '../../client/types.js'
import { becomesTrue } from '../../compute/expressions/compile.js'

/** 1 for trades on rising prices, −1 for trades on falling prices. */
export type Direction = 1 | -1

/** Candles at which a condition becomes true, by the same rule as in alerts. */
export function signalsOf(condition: Float64Array): Int32Array {
  const found: number[] = []
  for (let i = 1; i < condition.length; i++)
    if (becomesTrue(condition[i] as number, condition[i - 1] as number)) found.push(i)
  return Int32Array.from(found)
}

/** Candles at which a condition is defined, whether true or false. */
export function definedOf(condition: Float64Array): Int32Array {
  const found: number[] = []
  for (let i = 0; i < condition.length; i++) if (!Number.isNaN(condition[i])) found.push(i)
  return Int32Array.from(found)
}

/**
 * Returns of trades that enter at the open of the candle after each of `candles`. They exit at the close of the candle
 * `horizon` candles after it. Trades that end after the last of `count` candles, or enter at a price of 0 or less, are
 * left out.
 */
export function returnsAfter(
  { open, close }: Columns,
  count: number,
  candles: Int32Array,
  horizon: number,
  direction: Direction,
): Float64Array {
  const returns = new Float64Array(candles.length)
  let length = 0
  for (const i of candles) {
    if (i + horizon >= count) break
    const entry = open[i + 1] as number
    if (entry > 0) returns[length++] = direction * ((close[i + horizon] as number) / entry - 1)
  }
  return returns.subarray(0, length)
}

/** Statistics of a sample of returns. A statistic is null if there are too few returns. */
export function statisticsOf(returns: Float64Array): ReturnStatistics {
  const count = returns.length
  const mean = meanOf(returns)
  const deviation = deviationOf(returns, mean)
  const hitRate = hitRateOf(returns)
  return {
    count,
    mean: orNull(mean),
    median: orNull(medianOf(returns)),
    standardDeviation: orNull(deviation),
    hitRate: orNull(hitRate),
    meanInterval: meanInterval(mean, deviation, count) ?? null,
    hitRateInterval: shareInterval(hitRate, count) ?? null,
  }
}

const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value)

/** Share of samples whose interval contains the true value. */
const confidence = 0.95
/** Normal deviate that is exceeded in absolute value with probability 1 − `confidence`. */
const normalDeviate = 1.959963984540054

/** The bounds of a confidence interval. */
type Interval = readonly [low: number, high: number]

export function meanOf(values: Float64Array): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i] as number
  return sum / values.length
}

/** The standard deviation of a sample (divisor n − 1); NaN below two values. */
export function deviationOf(values: Float64Array, mean = meanOf(values)): number {
  if (values.length < 2) return Number.NaN
  let sum = 0
  for (let i = 0; i < values.length; i++) {
    const distance = (values[i] as number) - mean
    sum += distance * distance
  }
  return Math.sqrt(sum / (values.length - 1))
}

/** Median: the middle value, or the mean of the two middle values. */
export function medianOf(values: Float64Array): number {
  const sorted = values.slice().sort()
  const upper = sorted.length >> 1
  const middle = sorted[upper] as number
  return sorted.length % 2 === 1 ? middle : ((sorted[upper - 1] as number) + middle) / 2
}

/** The share of values above 0. */
function hitRateOf(values: Float64Array): number {
  let hits = 0
  for (let i = 0; i < values.length; i++) if ((values[i] as number) > 0) hits++
  return hits / values.length
}

/** Student's interval of a mean: mean ± t · s / √n. Undefined below two values. */
export function meanInterval(mean: number, deviation: number, count: number): Interval | undefined {
  if (count < 2) return undefined
  const half = (studentDeviate(count - 1) * deviation) / Math.sqrt(count)
  return [mean - half, mean + half]
}

/** Wilson's score interval of a share of `count` cases (Wilson 1927). It holds for small numbers and for shares near 0 and 1. */
export function shareInterval(share: number, count: number): Interval | undefined {
  if (count === 0) return undefined
  const weight = normalDeviate ** 2 / count
  const middle = (share + weight / 2) / (1 + weight)
  const half = Math.sqrt(weight * (share * (1 - share) + weight / 4)) / (1 + weight)
  return [Math.max(0, middle - half), Math.min(1, middle + half)]
}

/** Largest number of degrees of freedom without the expansion. Above it, the expansion is exact to seven digits. */
const maxExactFreedom = 30

/**
 * The value that a variable of Student's distribution exceeds in absolute value with probability 1 − `confidence`.
 * Abramowitz and Stegun, Handbook of Mathematical Functions: 26.7.3 and 26.7.4, and for many degrees of freedom 26.7.5.
 */
export function studentDeviate(freedom: number): number {
  if (freedom > maxExactFreedom) return expandedDeviate(freedom)
  let low = 0
  let high = 1
  while (shareWithin(high, freedom) < confidence) high *= 2
  while (high - low > 1e-12 * high) {
    const middle = (low + high) / 2
    if (shareWithin(middle, freedom) < confidence) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** The probability that a variable of Student's distribution is at most `t` in absolute value. */
function shareWithin(t: number, freedom: number): number {
  const angle = Math.atan(t / Math.sqrt(freedom))
  const cosine = Math.cos(angle)
  const isOdd = freedom % 2 === 1
  let term = isOdd ? cosine : 1
  let sum = freedom === 1 ? 0 : term
  for (let k = isOdd ? 3 : 2; k < freedom; k += 2) {
    term *= cosine * cosine * ((k - 1) / k)
    sum += term
  }
  const series = Math.sin(angle) * sum
  return isOdd ? (2 / Math.PI) * (angle + series) : series
}

function expandedDeviate(freedom: number): number {
  const z = normalDeviate
  const g1 = (z ** 3 + z) / 4
  const g2 = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96
  const g3 = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384
  const g4 = (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92_160
  return z + g1 / freedom + g2 / freedom ** 2 + g3 / freedom ** 3 + g4 / freedom ** 4
}
