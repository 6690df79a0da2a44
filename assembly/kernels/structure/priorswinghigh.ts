import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingMax } from '../../parts/windows/extremes'

/**
 * Prior Swing High: the highest close and the highest high of the `period` candles before this one.
 * Source: the upper channel of Donchian, without the candle itself.
 */
export function priorswinghigh(frame: Frame, from: i32, to: i32): void {
  const highestClose = frame.output(0)
  const highestHigh = frame.output(1)
  const period = frame.integer(0)
  const suffixes = frame.scratch(0)
  warmup(highestClose, from, to, period)
  const first = warmup(highestHigh, from, to, period)
  movingMax(frame.input(1), 0, highestClose.from(1), first - 1, to - 1, period, suffixes)
  movingMax(frame.input(0), 0, highestHigh.from(1), first - 1, to - 1, period, suffixes)
}
