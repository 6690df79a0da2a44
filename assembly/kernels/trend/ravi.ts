import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingMean } from '../../parts/windows/sums'

/**
 * Range Action Verification Index: the mean of `shortPeriod` values minus that of `longPeriod`, in percent of the
 * latter. Signed (Chande uses the absolute value).
 * Source: Chande, Beyond Technical Analysis (2001); ta4j RAVIIndicator.
 */
export function ravi(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const shortPeriod = frame.integer(0)
  const longPeriod = frame.integer(1)
  const first = warmup(out, from, to, max(shortPeriod, longPeriod) - 1)
  if (first >= to) return
  const slow = frame.scratch(0).from(-first)
  movingMean(frame.input(0), 0, out, first, to, shortPeriod, frame.scratch(1))
  movingMean(frame.input(0), 0, slow, first, to, longPeriod, frame.scratch(1))
  for (let i = first; i < to; i++) out[i] = (100 * (out[i] - slow[i])) / slow[i]
}
