import { Frame } from '../../frame'
import { hundreds } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * TD Clopwin: a candle that opens and closes within the body before, whose ends count: 100 where it closes above the
 * close before, −100 where it closes below it.
 * An R port uses the previous range instead of the body; Wickra uses the candle's own colour as the sign.
 * Source: Perl, DeMark Indicators (2008).
 */
export function tdclopwin(frame: Frame, from: i32, to: i32): void {
  const open = frame.input(0)
  const close = frame.input(1)
  const out = frame.output(0)
  const start = warmup(out, from, to, 1)
  const after = out[to]
  for (let i = start; i < to; i += 2) {
    const before = close.pair(i - 1)
    const top = f64x2.pmax(open.pair(i - 1), before)
    const bottom = f64x2.pmin(open.pair(i - 1), before)
    const now = close.pair(i)
    const isWithin = v128.and(
      f64x2.le(f64x2.pmax(open.pair(i), now), top),
      f64x2.ge(f64x2.pmin(open.pair(i), now), bottom),
    )
    out.setPair(i, v128.and(isWithin, hundreds(f64x2.gt(now, before), f64x2.lt(now, before))))
  }
  out[to] = after
}
