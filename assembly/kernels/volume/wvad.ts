import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingSum } from '../../parts/windows/sums'

/**
 * Williams Variable Accumulation Distribution: the sum over `period` candles of the volume times (close − open) / (high
 * − low).
 * A candle without a range adds 0 (Pine's ta.wvad, of one candle, has no value there).
 * Source: Williams; TradingView, ta.wvad.
 */
export function wvad(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const oldest = first - period + 1
  const flows = frame.scratch(0).from(-oldest)
  const zero = f64x2.splat(0)
  for (let i = oldest; i < to; i += 2) {
    const range = f64x2.sub(frame.input(1).pair(i), frame.input(2).pair(i))
    const body = f64x2.sub(frame.input(3).pair(i), frame.input(0).pair(i))
    const share = f64x2.div(f64x2.mul(frame.input(4).pair(i), body), range)
    flows.setPair(i, v128.and(share, f64x2.ne(range, zero)))
  }
  movingSum(flows, 0, out, first, to, period, frame.scratch(1))
}
