import { Frame } from '../../frame'
import { averageTrueRange } from '../../parts/averages/average-true-range'
import { copy } from '../../parts/numbers/copy'
import { bandsAround } from '../../parts/shared/bands'

/**
 * ATR Bands: `multiplier` average true ranges above and below the close.
 * Wilder's average; QuanTAlib puts them around a mean, as `starcbands` does.
 * Source: ooples CalculateAverageTrueRangeChannel, without its rounding.
 */
export function atrbands(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(2)
  const upper = frame.output(0)
  const lower = frame.output(2)
  averageTrueRange(frame.input(0), frame.input(1), close, upper, from, to, frame.integer(0), frame.state)
  copy(close, frame.output(1), from, to)
  bandsAround(close, upper, lower, from, to, frame.number(1))
}
