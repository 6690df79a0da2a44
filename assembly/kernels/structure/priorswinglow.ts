import { Frame } from '../../frame'
import { movingRange } from '../../parts/extremes'
import { warmup } from '../../parts/warmup'

/**
 * Prior Swing Low: the lowest close and the lowest low of the `period` candles before this one.
 * Source: the lower channel of Donchian, without the candle itself.
 */
export function priorswinglow(frame: Frame, from: i32, to: i32): void {
  const low = frame.input(0)
  const close = frame.input(1)
  const lowestClose = frame.output(0)
  const lowestLow = frame.output(1)
  const period = frame.integer(0)
  const suffixes = frame.scratch(1)
  warmup(lowestClose, from, to, period)
  const first = warmup(lowestLow, from, to, period)
  const highest = frame.scratch(0).from(1 - first)
  movingRange(close, close, 0, highest, lowestClose.from(1), first - 1, to - 1, period, suffixes)
  movingRange(low, low, 0, highest, lowestLow.from(1), first - 1, to - 1, period, suffixes)
}
