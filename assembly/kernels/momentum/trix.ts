import { Frame } from '../../frame'
import { shifted } from '../../parts/averages/decayed-sums'
import { thriceSmoothed, tripleState } from '../../parts/averages/repeated-exponential'

/**
 * TRIX: by how many percent the triple exponential average (an average of an average of an average) changed since the
 * candle before.
 * Each average is seeded with the mean of the first `period` values of the one before it; 0 after an average of 0; a
 * period of 1 is the plain change (TA-Lib miscounts there).
 * Source: Hutson, Stocks & Commodities (1983); TA-Lib 0.6 TRIX.
 */
export function trix(frame: Frame, from: i32, to: i32): void {
  if (from === to) return
  const out = frame.output(0)
  const newest = frame.state.from(tripleState)
  const period = frame.integer(0)
  const first = 3 * (period - 1)
  thriceSmoothed(frame.input(0), 0, out, from, to, period, 1, frame.state)
  const mean = out[to - 1]
  const after = out[to]
  const one = f64x2.splat(1)
  let before = f64x2.splat(from <= first ? NaN : newest[0])
  for (let i = max(from, first); i < to; i += 2) {
    const means = out.pair(i)
    const previous = shifted(before, means)
    const change = f64x2.mul(f64x2.sub(f64x2.div(means, previous), one), f64x2.splat(100))
    out.setPair(i, v128.andnot(change, f64x2.eq(previous, f64x2.splat(0))))
    before = means
  }
  out[to] = after
  newest[0] = mean
}
