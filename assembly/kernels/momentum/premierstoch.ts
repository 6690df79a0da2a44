import { Frame } from '../../frame'
import { presentAverage, weightOf } from '../../parts/averages/present-average'
import { isRounding } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { movingRange } from '../../parts/windows/extremes'

/**
 * Premier Stochastic Oscillator: (eˢ − 1) / (eˢ + 1), where s is a tenth of the stochastic minus 50, smoothed
 * exponentially twice. From −1 to 1.
 * Averages are seeded with means; 0 where the window has no range.
 * Source: Leibfarth, A Premier Stochastic Oscillator, Stocks & Commodities (August 2008).
 */
export function premierstoch(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(2)
  const out = frame.output(0)
  const period = frame.integer(0)
  const smoothing = frame.integer(1)
  const lows = frame.scratch(0).from(-from)
  const first = warmup(out, from, to, period - 1)
  movingRange(frame.input(0), frame.input(1), 0, out, lows, first, to, period, frame.scratch(1))
  for (let i = first; i < to; i++) {
    const range = out[i] - lows[i]
    out[i] = isRounding(range, lows[i]) ? 0 : (10 * (close[i] - lows[i])) / range - 5
  }
  presentAverage(out, out, from, to, smoothing, weightOf(smoothing), frame.state)
  presentAverage(out, out, from, to, smoothing, weightOf(smoothing), frame.state.from(2))
  for (let i = first; i < to; i++) out[i] = Math.tanh(out[i] / 2)
}
