import { Column } from '../frame'
import { movingMean } from './sums'

/**
 * The root of `annual` times the mean of the last `period` terms of the variance; NaN where a term is missing or the mean
 * is negative. The terms are there from `start` on; `from ≥ start + period − 1`.
 */
export function volatilityOf(
  terms: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  annual: f64,
  suffixes: Column,
): void {
  movingMean(terms, start, out, from, to, period, suffixes)
  for (let i = from; i < to; i++) out[i] = out[i] >= 0 ? sqrt(annual * out[i]) : NaN
}

/** Whether all prices of a candle are positive, so that they have logarithms. */
export function hasLogarithms(open: f64, high: f64, low: f64, close: f64): bool {
  return open > 0 && high > 0 && low > 0 && close > 0
}
