import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingMin } from '../../parts/windows/extremes'

/**
 * Prior Swing Low: the lowest close and the lowest low of the `period` candles before this one.
 * Source: the lower channel of Donchian, without the candle itself.
 */
export function priorswinglow(frame: Frame, from: i32, to: i32): void {
  const lowestClose = frame.output(0)
  const lowestLow = frame.output(1)
  const period = frame.integer(0)
  const suffixes = frame.scratch(0)
  warmup(lowestClose, from, to, period)
  const first = warmup(lowestLow, from, to, period)
  movingMin(frame.input(1), 0, lowestClose.from(1), first - 1, to - 1, period, suffixes)
  movingMin(frame.input(0), 0, lowestLow.from(1), first - 1, to - 1, period, suffixes)
}
