import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingRangePositions } from '../../parts/windows/range-positions'

/**
 * Fibonacci Retracement: the price that takes back the share `retracement` of the move between the lowest low and the
 * highest high of the last `period` candles. An uptrend starts at the low and ends at the high, a downtrend the other
 * way round.
 * The trend `auto` is up unless the last close lies below the first one of the window; `smart` runs towards the extreme
 * that came later; `uptrend` and `downtrend` fix the direction. Of equal extremes the most recent counts; one candle
 * with both is an uptrend.
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
  movingRangePositions(
    high,
    low,
    0,
    startTime,
    endTime,
    first,
    to,
    period,
    frame.scratch(0),
    frame.scratch(1),
  )
  for (let i = first; i < to; i++) {
    const highAt = <i32>startTime[i]
    const lowAt = <i32>endTime[i]
    let isUp = choice === 2
    if (choice === 0) isUp = close[i] >= close[i - period + 1]
    else if (choice === 1) isUp = highAt >= lowAt
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
