import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { deviation } from '../../parts/windows/deviation'

/**
 * Bollinger %B: the position of the value between the Bollinger Bands, 0 at the lower one, 1 at the upper one.
 * One half where the bands meet.
 * Source: Bollinger, Bollinger on Bollinger Bands (2001); Skender.Stock.Indicators BollingerBands.
 */
export function percentb(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const width = frame.number(1)
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const means = frame.scratch(0).from(-first)
  deviation(x, 0, means, out, first, to, period, frame.scratch(1))
  for (let i = first; i < to; i++) {
    const half = width * out[i]
    out[i] = half !== 0 ? 0.5 + (x[i] - means[i]) / (2 * half) : 0.5
  }
}
