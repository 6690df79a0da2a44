import { Column } from '../../frame'
import { exponentialAverage, exponentialState } from '../averages/exponential-average'
import { deviationAlone } from '../windows/deviation'

/** Numbers of state of a relative volatility. */
export const relativeVolatilityState = 2 * exponentialState

/**
 * Relative volatility of x: 100 times the smoothed standard deviations at rises, divided by those at rises and falls;
 * NaN before max(1, spread − 1) + period − 1, and 50 where nothing moved. `ups`, `downs` and `suffixes` are scratch
 * columns.
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
    deviationAlone(x, 0, falls, first, to, spread, suffixes, 1)
    for (let i = first; i < to; i += 2) {
      const sizes = falls.pair(i)
      const now = x.pair(i)
      const before = x.pair(i - 1)
      rises.setPair(i, v128.and(sizes, f64x2.gt(now, before)))
      falls.setPair(i, v128.and(sizes, f64x2.lt(now, before)))
    }
  }
  exponentialAverage(rises, start, out, from, to, period, alpha, state)
  exponentialAverage(falls, start, rises, from, to, period, alpha, state.from(exponentialState))
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const up = out.pair(i)
    const sum = f64x2.add(up, rises.pair(i))
    const share = f64x2.mul(f64x2.div(up, sum), f64x2.splat(100))
    out.setPair(i, v128.bitselect(f64x2.splat(50), share, f64x2.eq(sum, f64x2.splat(0))))
  }
  out[to] = after
}

/** The weight of the newest value: Wilder's, or that of an exponential average. */
export function volatilityWeight(period: i32, smoothing: i32): f64 {
  return smoothing === 0 ? 1 / <f64>period : 2 / <f64>(period + 1)
}
