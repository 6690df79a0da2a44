import { Frame } from '../../frame'
import { averageTrueRange } from '../../parts/averages/average-true-range'
import { warmup } from '../../parts/numbers/warmup'
import { bandsAround } from '../../parts/shared/bands'
import { movingMean } from '../../parts/windows/sums'

/**
 * STARC Bands: the mean of the close over `period` candles, and `multiplier` average true ranges of `atrPeriod` candles
 * above and below it.
 * Wilder's average.
 * Source: Stoller, STARC Bands; Skender.Stock.Indicators StarcBands.
 */
export function starcbands(frame: Frame, from: i32, to: i32): void {
  const upper = frame.output(0)
  const middle = frame.output(1)
  const lower = frame.output(2)
  const period = frame.integer(0)
  const atrPeriod = frame.integer(2)
  const lookback = max(period - 1, atrPeriod)
  averageTrueRange(frame.input(0), frame.input(1), frame.input(2), upper, from, to, atrPeriod, frame.state)
  const first = warmup(middle, from, to, period - 1)
  movingMean(frame.input(2), 0, middle, first, to, period, frame.scratch(0))
  warmup(upper, from, to, lookback)
  bandsAround(middle, upper, lower, warmup(lower, from, to, lookback), to, frame.number(1))
}
