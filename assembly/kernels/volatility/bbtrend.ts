import { Frame } from '../../frame'
import { quotients } from '../../parts/numbers/quotient'
import { warmup } from '../../parts/numbers/warmup'
import { deviation } from '../../parts/windows/deviation'

/**
 * BBTrend: the distance between the lower Bollinger Bands of two periods minus that between the upper ones, in percent
 * of the short mean.
 * No value where that mean is 0.
 * Source: Bollinger, Using Bollinger BandWidth and BBTrend; TradingView, Bollinger Bands Trend.
 */
export function bbtrend(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const width = f64x2.splat(frame.number(2))
  const first = warmup(out, from, to, frame.integer(1) - 1)
  if (first >= to) return
  const means = frame.scratch(0).from(-first)
  const longMeans = frame.scratch(1).from(-first)
  const spreads = frame.scratch(2).from(-first)
  deviation(x, 0, means, spreads, first, to, frame.integer(0), frame.scratch(3))
  deviation(x, 0, longMeans, out, first, to, frame.integer(1), frame.scratch(3))
  const after = out[to]
  for (let i = first; i < to; i += 2) {
    const mean = means.pair(i)
    const apart = f64x2.sub(mean, longMeans.pair(i))
    const wider = f64x2.mul(f64x2.sub(spreads.pair(i), out.pair(i)), width)
    const trend = f64x2.sub(f64x2.abs(f64x2.sub(apart, wider)), f64x2.abs(f64x2.add(apart, wider)))
    out.setPair(i, quotients(f64x2.mul(trend, f64x2.splat(100)), mean))
  }
  out[to] = after
}
