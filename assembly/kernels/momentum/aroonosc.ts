import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingRangePositions } from '../../parts/windows/range-positions'

/**
 * Aroon Oscillator: Aroon up minus Aroon down: the number of candles by which the highest high of the last `period` + 1
 * candles is newer than the lowest low, in percent of `period`.
 * Of equal extremes the most recent counts.
 * Source: Chande 1995; TA-Lib 0.6 AROONOSC.
 */
export function aroonosc(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const lowestAt = frame.scratch(0).from(-from)
  let i = warmup(out, from, to, period)
  movingRangePositions(
    frame.input(0),
    frame.input(1),
    0,
    out,
    lowestAt,
    i,
    to,
    period + 1,
    frame.scratch(1),
    frame.scratch(2),
  )
  const step = 100 / <f64>period
  const after = out[to]
  for (; i < to; i += 2) {
    const index = f64x2.mul(f64x2.sub(out.pair(i), lowestAt.pair(i)), f64x2.splat(step))
    // All steps may add up to a last digit more than 100.
    out.setPair(i, f64x2.pmax(f64x2.pmin(index, f64x2.splat(100)), f64x2.splat(-100)))
  }
  out[to] = after
}
