import { Frame } from '../../frame'
import { movingLine } from '../../parts/regression'
import { warmup } from '../../parts/warmup'

/**
 * Forecast Oscillator: how far the value lies above the forecast of the regression line through the `period` values before
 * it, in percent of the value.
 * The forecast is made without the value it is compared with (others include it); without a value where the price is 0.
 * Source: Chande and Kroll, The New Technical Trader (1994); Tulip fosc.
 */
export function fosc(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period)
  if (first >= to) return
  movingLine(x.from(-1), 1, out, first, to, period, 1, frame.scratch(0))
  const hundred = f64x2.splat(100)
  const nothing = f64x2.splat(NaN)
  const after = out[to]
  for (let i = first; i < to; i += 2) {
    const value = x.pair(i)
    const share = f64x2.div(f64x2.mul(f64x2.sub(value, out.pair(i)), hundred), value)
    out.setPair(i, v128.bitselect(share, nothing, f64x2.ne(value, f64x2.splat(0))))
  }
  out[to] = after
}
