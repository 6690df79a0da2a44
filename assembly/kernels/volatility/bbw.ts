import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { deviation } from '../../parts/windows/deviation'

/**
 * Bollinger Bands Width: the distance between the upper and the lower band as a share of the middle one.
 * A ratio (others, such as TradingView's ta.bbw, print it in percent), around the simple mean; no value where that is 0.
 * Source: Bollinger, Bollinger on Bollinger Bands (2001), BandWidth; bands of TA-Lib 0.6 BBANDS.
 */
export function bbw(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const width = 2 * frame.number(1)
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const means = frame.scratch(0).from(-first)
  deviation(frame.input(0), 0, means, out, first, to, period, frame.scratch(1))
  const zero = f64x2.splat(0)
  const after = out[to]
  for (let i = first; i < to; i += 2) {
    const mean = means.pair(i)
    const share = f64x2.div(f64x2.mul(out.pair(i), f64x2.splat(width)), mean)
    out.setPair(i, v128.bitselect(f64x2.splat(NaN), share, f64x2.eq(mean, zero)))
  }
  out[to] = after
}
