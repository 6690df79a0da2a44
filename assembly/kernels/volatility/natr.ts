import { Column, Frame } from '../../frame'
import { averageTrueRange } from '../../parts/averages/average-true-range'
import { Segments } from '../../parts/averages/segments'
import { pairOfTrueRanges } from '../../parts/candles/true-range'

/**
 * Normalized Average True Range: Wilder's average true range in percent of the close.
 * 0 where the close is 0; a period of 1 is normalised like any other (TA-Lib returns the true range itself).
 * Source: Forman, Stocks & Commodities (May 2006); TA-Lib 0.6 NATR.
 */
export function natr(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const seeded = min(to, period + 1)
  if (from < seeded) {
    averageTrueRange(high, low, close, out, from, seeded, period, state)
    if (seeded > period) out[period] = close[period] !== 0 ? (out[period] * 100) / close[period] : 0
  }
  const first = max(from, period + 1)
  if (first < to) shares(high, low, close, out, first, to, 1 / <f64>period, state)
}

/** The shares of the candles after the seed. */
function shares(
  high: Column,
  low: Column,
  close: Column,
  out: Column,
  from: i32,
  to: i32,
  alpha: f64,
  state: Column,
): void {
  Segments.interleave(alpha, 1)
  const weight = f64x2.splat(alpha)
  const hundred = f64x2.splat(100)
  const zero = f64x2.splat(0)
  let mean = Segments.number(state, 0)
  for (let i = from; i < to; i++) {
    const range = Segments.lanes(pairOfTrueRanges(high, low, close, i))
    const price = Segments.lanes(close.pair(i))
    mean = f64x2.add(mean, f64x2.mul(f64x2.sub(range, mean), weight))
    Segments.write(out, i, v128.andnot(f64x2.div(f64x2.mul(mean, hundred), price), f64x2.eq(price, zero)))
  }
  Segments.setNumber(state, 0, mean)
}
