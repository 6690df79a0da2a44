import { Column, Frame } from '../../frame'
import { isLonger } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { movingSum } from '../../parts/windows/sums'

/**
 * Relative Vigor Index: (close − open) / (high − low), where numerator and denominator are smoothed over four candles
 * with the weights 1 2 2 1 and summed over `period` candles; the signal is the index smoothed by the same weights.
 * The trend is bullish while the index lies above its signal, else bearish; 0 where the summed range is 0.
 * Source: Ehlers, Stocks & Commodities (January 2002).
 */
export function rvgi(frame: Frame, from: i32, to: i32): void {
  const open = frame.input(0)
  const high = frame.input(1)
  const low = frame.input(2)
  const close = frame.input(3)
  const index = frame.output(0)
  const signal = frame.output(1)
  const trend = frame.output(2)
  const period = frame.integer(0)
  const suffixes = frame.scratch(4)
  const first = warmup(index, from, to, period + 2)
  const signalFrom = warmup(signal, from, to, period + 5)
  warmup(trend, from, to, period + 5)
  const indexFrom = signalFrom - 3
  if (indexFrom >= to) return
  const smoothFrom = indexFrom - period + 1
  const bodies = frame.scratch(0).from(-smoothFrom)
  const ranges = frame.scratch(1).from(-smoothFrom)
  smoothDifference(close, open, bodies, smoothFrom, to)
  smoothDifference(high, low, ranges, smoothFrom, to)
  const vigor = frame.scratch(2).from(-indexFrom)
  const range = frame.scratch(3).from(-indexFrom)
  movingSum(bodies, 3, vigor, indexFrom, to, period, suffixes)
  movingSum(ranges, 3, range, indexFrom, to, period, suffixes)
  for (let i = indexFrom; i < to; i++) vigor[i] = range[i] !== 0 ? vigor[i] / range[i] : 0
  for (let i = first; i < to; i++) index[i] = vigor[i]
  for (let i = signalFrom; i < to; i++) {
    const value = vigor[i]
    const smooth = (value + 2 * (vigor[i - 1] + vigor[i - 2]) + vigor[i - 3]) / 6
    signal[i] = smooth
    // Both are shares of ranges; a missing value stays missing.
    trend[i] = select<f64>(1, -1, isLonger(1 + value - smooth, 1)) + 0 * smooth
  }
}

/** The differences a − b of the last four candles, weighted 1 2 2 1. */
function smoothDifference(a: Column, b: Column, out: Column, from: i32, to: i32): void {
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const outer = f64x2.add(f64x2.sub(a.pair(i), b.pair(i)), f64x2.sub(a.pair(i - 3), b.pair(i - 3)))
    const inner = f64x2.add(f64x2.sub(a.pair(i - 1), b.pair(i - 1)), f64x2.sub(a.pair(i - 2), b.pair(i - 2)))
    out.setPair(i, f64x2.add(outer, f64x2.add(inner, inner)))
  }
  out[to] = after
}
