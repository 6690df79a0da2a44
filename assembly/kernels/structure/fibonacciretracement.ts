import { Frame } from '../../frame'
import { movingRangePositions } from '../../parts/extremes'
import { movingMean, movingWeightedMean } from '../../parts/sums'
import { warmup } from '../../parts/warmup'

/**
 * Fibonacci Retracement: the price at which the share `retracement` of the move between the lowest low and the highest
 * high of the last `period` candles is taken back. An uptrend starts at the low and ends at the high, a downtrend the
 * other way round.
 * The trend `auto` runs towards the extreme that came later, `smart` follows the slope of the regression line through
 * the closes (and where that is level, `auto`); `uptrend` and `downtrend` are taken as given. Of equal extremes the
 * most recent counts; one candle with both is an uptrend.
 * Source: the drawing tool of charting platforms; no authority fixes the choice of the extremes.
 */
export function fibonacciretracement(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const time = frame.input(3)
  const value = frame.output(0)
  const trend = frame.output(1)
  const startPrice = frame.output(2)
  const endPrice = frame.output(3)
  const startTime = frame.output(4)
  const endTime = frame.output(5)
  const period = frame.integer(0)
  const retracement = frame.number(1)
  const choice = frame.integer(2)
  let first = from
  for (let k = 0; k < 6; k++) first = warmup(frame.output(k), from, to, period - 1)
  const behind = frame.scratch(0)
  movingRangePositions(high, low, 0, startTime, endTime, first, to, period, behind, frame.scratch(1))
  if (choice === 1) {
    // A regression line rises where the mean that weighs new values most lies above the plain one.
    movingWeightedMean(close, 0, trend, first, to, period, behind)
    movingMean(close, 0, value, first, to, period, behind)
  }
  for (let i = first; i < to; i++) {
    const highAt = <i32>startTime[i]
    const lowAt = <i32>endTime[i]
    let isUp = highAt >= lowAt
    if (choice === 1 && trend[i] !== value[i]) isUp = trend[i] > value[i]
    else if (choice > 1) isUp = choice === 2
    const startAt = isUp ? lowAt : highAt
    const endAt = isUp ? highAt : lowAt
    const start = isUp ? low[startAt] : high[startAt]
    const end = isUp ? high[endAt] : low[endAt]
    value[i] = end + (start - end) * retracement
    trend[i] = isUp ? 1 : -1
    startPrice[i] = start
    endPrice[i] = end
    startTime[i] = time[startAt]
    endTime[i] = time[endAt]
  }
}
