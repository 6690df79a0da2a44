import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingMean } from '../../parts/windows/sums'

/**
 * Acceleration Bands: the mean close, and the means of high·(1 + w) and low·(1 − w) with w = 4·(high − low) /
 * (high + low).
 * w is 0 where high + low is 0.
 * Source: Headley, Big Trends in Trading (2002); TA-Lib 0.6 ACCBANDS.
 */
export function accbands(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const upper = frame.output(0)
  const middle = frame.output(1)
  const lower = frame.output(2)
  const period = frame.integer(0)
  const suffixes = frame.scratch(2)
  warmup(upper, from, to, period - 1)
  warmup(middle, from, to, period - 1)
  const first = warmup(lower, from, to, period - 1)
  if (first >= to) return
  const oldest = first - period + 1
  const tops = frame.scratch(0).from(-oldest)
  const bottoms = frame.scratch(1).from(-oldest)
  const zero = f64x2.splat(0)
  for (let i = oldest; i < to; i += 2) {
    const top = high.pair(i)
    const bottom = low.pair(i)
    const sum = f64x2.add(top, bottom)
    const quotient = f64x2.div(f64x2.mul(f64x2.sub(top, bottom), f64x2.splat(4)), sum)
    const width = v128.and(quotient, f64x2.ne(sum, zero))
    tops.setPair(i, f64x2.add(top, f64x2.mul(top, width)))
    bottoms.setPair(i, f64x2.sub(bottom, f64x2.mul(bottom, width)))
  }
  movingMean(tops, 0, upper, first, to, period, suffixes)
  movingMean(frame.input(2), 0, middle, first, to, period, suffixes)
  movingMean(bottoms, 0, lower, first, to, period, suffixes)
}
