import { Frame } from '../../frame'
import { quotients } from '../../parts/numbers/quotient'
import { warmup } from '../../parts/numbers/warmup'
import { movingSum } from '../../parts/windows/sums'

/**
 * Intraday Momentum Index: the bodies of the candles that closed above their open, in percent of all bodies of the
 * last `period` candles.
 * 50 where no candle has a body.
 * Source: Chande and Kroll, The New Technical Trader (1994); TA-Lib 0.8.3 IMI.
 */
export function imi(frame: Frame, from: i32, to: i32): void {
  const open = frame.input(0)
  const close = frame.input(1)
  const out = frame.output(0)
  const period = frame.integer(0)
  const suffixes = frame.scratch(3)
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const oldest = first - period + 1
  const gains = frame.scratch(0).from(-oldest)
  const bodies = frame.scratch(1).from(-oldest)
  const zero = f64x2.splat(0)
  for (let i = oldest; i < to; i += 2) {
    const body = f64x2.sub(close.pair(i), open.pair(i))
    gains.setPair(i, v128.and(body, f64x2.gt(body, zero)))
    bodies.setPair(i, f64x2.abs(body))
  }
  const sums = frame.scratch(2).from(-first)
  movingSum(gains, 0, out, first, to, period, suffixes)
  movingSum(bodies, 0, sums, first, to, period, suffixes)
  const after = out[to]
  for (let i = first; i < to; i += 2)
    out.setPair(i, f64x2.mul(quotients(out.pair(i), sums.pair(i), 0.5), f64x2.splat(100)))
  out[to] = after
}
