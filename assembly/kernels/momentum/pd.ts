import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingMean } from '../../parts/windows/sums'

/**
 * Price Direction: (a − b) / `period`, where a of the last `period` candles closed above their open and b below it: 1
 * if all rose, −1 if all fell.
 * A candle that closed at its open counts as 0.
 * Source: the description at taapi.io/indicators/price-direction.
 */
export function pd(frame: Frame, from: i32, to: i32): void {
  const open = frame.input(0)
  const close = frame.input(1)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const oldest = first - period + 1
  const directions = frame.scratch(0).from(-oldest)
  const one = f64x2.splat(1)
  for (let i = oldest; i < to; i += 2) {
    const start = open.pair(i)
    const end = close.pair(i)
    const rose = v128.and(one, f64x2.gt(end, start))
    directions.setPair(i, f64x2.sub(rose, v128.and(one, f64x2.lt(end, start))))
  }
  movingMean(directions, 0, out, first, to, period, frame.scratch(1))
}
