import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { projectionBands } from '../../parts/windows/projection'

/**
 * Projection Bands: the highest of the last `period` highs and the lowest of the lows, each moved to the newest candle
 * along the slope of the line of least squares through the highs or the lows, or through the closes for both.
 * Source: Widner, Projection Bands and the Projection Oscillator, Stocks & Commodities (July 1995).
 */
export function projectionbands(frame: Frame, from: i32, to: i32): void {
  const period = frame.integer(0)
  const first = warmup(frame.output(0), from, to, period - 1)
  warmup(frame.output(1), from, to, period - 1)
  projectionBands(frame, frame.output(0), frame.output(1), first, to, period, frame.integer(1) === 1, 0)
}
