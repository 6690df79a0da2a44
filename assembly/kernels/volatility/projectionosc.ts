import { Frame } from '../../frame'
import { presentAverage, weightOf } from '../../parts/averages/present-average'
import { isRounding } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { projectionBands } from '../../parts/windows/projection'

/**
 * Projection Oscillator: the position of the close between the projection bands, in percent from the lower one,
 * smoothed exponentially from the first value on.
 * 50 where the bands meet.
 * Source: Widner, Projection Bands and the Projection Oscillator, Stocks & Commodities (July 1995).
 */
export function projectionosc(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(2)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  const lower = frame.scratch(0).from(-from)
  projectionBands(frame, out, lower, first, to, period, frame.integer(2) === 1, 1)
  for (let i = first; i < to; i++) {
    const range = out[i] - lower[i]
    out[i] = isRounding(range, close[i]) ? 50 : 100 * ((close[i] - lower[i]) / range)
  }
  presentAverage(out, out, from, to, 1, weightOf(frame.integer(1)), frame.state)
}
