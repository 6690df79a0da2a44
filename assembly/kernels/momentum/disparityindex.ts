import { Frame } from '../../frame'
import { percentAbove } from '../../parts/numbers/percent'
import { warmup } from '../../parts/numbers/warmup'
import { movingMean } from '../../parts/windows/sums'

/**
 * Disparity Index: how far the value lies above its mean over `period` candles, in percent.
 * Source: Nison, Beyond Candlesticks (1994); ta4j KRIIndicator.
 */
export function disparityindex(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const means = frame.scratch(0).from(-first)
  movingMean(x, 0, means, first, to, period, frame.scratch(1))
  percentAbove(x, means, out, first, to, NaN)
}
