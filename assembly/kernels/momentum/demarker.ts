import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingSum } from '../../parts/windows/sums'

/**
 * DeMarker: R / (R + F), where R is the sum of the rises of the high over `period` candles and F that of the falls of
 * the low. One half where neither moved that way.
 * Source: DeMark, The New Science of Technical Analysis (1994); Lean DeMarkerIndicator.
 */
export function demarker(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period)
  if (first >= to) return
  const oldest = first - period + 1
  const rises = frame.scratch(0).from(-oldest)
  const falls = frame.scratch(1).from(-oldest)
  const sums = frame.scratch(2).from(-oldest)
  for (let i = oldest; i < to; i++) {
    rises[i] = max(high[i] - high[i - 1], 0)
    falls[i] = max(low[i - 1] - low[i], 0)
  }
  movingSum(rises, 1, out, first, to, period, frame.scratch(3))
  movingSum(falls, 1, sums, first, to, period, frame.scratch(3))
  for (let i = first; i < to; i++) {
    const total = out[i] + sums[i]
    out[i] = total !== 0 ? out[i] / total : 0.5
  }
}
