import { Column } from '../frame'
import { deviation } from './deviation'
import { exponentialAverage } from './exponential'

/** Numbers of state of a relative volatility. */
export const relativeVolatilityState = 2

/**
 * Relative volatility of x: 100 times the smoothed standard deviations at rises by those of rises and falls; NaN before
 * max(1, spread − 1) + period − 1 and where nothing moved. `ups`, `downs` and `suffixes` are scratch columns.
 */
export function relativeVolatility(
  x: Column,
  out: Column,
  from: i32,
  to: i32,
  spread: i32,
  period: i32,
  alpha: f64,
  ups: Column,
  downs: Column,
  suffixes: Column,
  state: Column,
): void {
  const start = max(1, spread - 1)
  const first = max(from, start)
  const rises = ups.from(-from)
  const falls = downs.from(-from)
  if (first < to) {
    deviation(x, 0, rises, falls, first, to, spread, suffixes)
    for (let i = first; i < to; i++) {
      const size = falls[i]
      rises[i] = x[i] > x[i - 1] ? size : 0
      falls[i] = x[i] < x[i - 1] ? size : 0
    }
  }
  exponentialAverage(rises, start, rises, from, to, period, alpha, state)
  exponentialAverage(falls, start, falls, from, to, period, alpha, state.from(1))
  for (let i = from; i < to; i++) {
    const total = rises[i] + falls[i]
    out[i] = total !== 0 ? (100 * rises[i]) / total : NaN
  }
}

/** The weight of the newest value: exponential, or Wilder's. */
export function volatilityWeight(period: i32, smoothing: i32): f64 {
  return smoothing === 0 ? 2 / <f64>(period + 1) : 1 / <f64>period
}
