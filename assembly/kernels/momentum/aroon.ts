import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingRangePositions } from '../../parts/windows/range-positions'

/**
 * Aroon: how recently the lowest low (down) and the highest high (up) of the last `period` + 1 candles occurred: 100
 * for the newest candle, 0 for the oldest.
 * Of equal extremes the most recent counts.
 * Source: Chande 1995; TA-Lib 0.6 AROON.
 */
export function aroon(frame: Frame, from: i32, to: i32): void {
  const down = frame.output(0)
  const up = frame.output(1)
  const period = frame.integer(0)
  const first = warmup(down, from, to, period)
  warmup(up, from, to, period)
  movingRangePositions(
    frame.input(0),
    frame.input(1),
    0,
    up,
    down,
    first,
    to,
    period + 1,
    frame.scratch(0),
    frame.scratch(1),
  )
  const step = f64x2.splat(100 / <f64>period)
  const hundred = f64x2.splat(100)
  const two = f64x2.splat(2)
  let oldest = f64x2(<f64>(first - period), <f64>(first - period + 1))
  const downAfter = down[to]
  const upAfter = up[to]
  for (let i = first; i < to; i += 2) {
    // All steps may add up to a last digit more than 100.
    down.setPair(i, f64x2.pmin(f64x2.mul(f64x2.sub(down.pair(i), oldest), step), hundred))
    up.setPair(i, f64x2.pmin(f64x2.mul(f64x2.sub(up.pair(i), oldest), step), hundred))
    oldest = f64x2.add(oldest, two)
  }
  down[to] = downAfter
  up[to] = upAfter
}
