import { Frame } from '../../frame'
import { exponentialAverage } from '../../parts/averages/exponential-average'
import { presentAveragesOfTwo, weightOf } from '../../parts/averages/present-average'
import { movingRange } from '../../parts/windows/extremes'

/**
 * Stochastic Momentum Index: the distance of the close from the middle of the range of `period` candles, smoothed
 * exponentially twice, in percent of half the range, smoothed likewise; `signal` is its exponential average.
 * Every average starts with its first value. 0 where there is no range.
 * Source: Blau, Stocks & Commodities (January 1993); Skender.Stock.Indicators Smi.
 */
export function smi(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(2)
  const value = frame.output(0)
  const signal = frame.output(1)
  const state = frame.state
  const period = frame.integer(0)
  const once = weightOf(frame.integer(1))
  const twice = weightOf(frame.integer(2))
  const first = max(from, period - 1)
  const ranges = frame.scratch(0).from(-from)
  for (let i = from; i < min(to, first); i++) {
    value[i] = NaN
    ranges[i] = NaN
  }
  movingRange(frame.input(0), frame.input(1), 0, value, ranges, first, to, period, frame.scratch(1))
  const after = value[to]
  const half = f64x2.splat(0.5)
  for (let i = first; i < to; i += 2) {
    const top = value.pair(i)
    const bottom = ranges.pair(i)
    value.setPair(i, f64x2.sub(close.pair(i), f64x2.mul(f64x2.add(top, bottom), half)))
    ranges.setPair(i, f64x2.sub(top, bottom))
  }
  value[to] = after
  presentAveragesOfTwo(value, ranges, from, to, once, twice, state)
  const scale = f64x2.splat(200)
  const hundred = f64x2.splat(100)
  const zero = f64x2.splat(0)
  for (let i = first; i < to; i += 2) {
    const range = ranges.pair(i)
    const share = f64x2.div(f64x2.mul(scale, value.pair(i)), range)
    // Numerator and denominator are rounded differently, so at the ends they differ in the last digits.
    const bounded = f64x2.pmax(f64x2.pmin(share, hundred), f64x2.neg(hundred))
    value.setPair(i, v128.andnot(bounded, f64x2.eq(range, zero)))
  }
  value[to] = after
  exponentialAverage(value, period - 1, signal, from, to, 1, weightOf(frame.integer(3)), state.from(8))
}
