import { Frame } from '../../frame'
import { averageTrueRange } from '../../parts/averages/average-true-range'
import { warmup } from '../../parts/numbers/warmup'
import { movingMean } from '../../parts/windows/sums'

/**
 * Aberration: the mean of the typical price (high + low + close) / 3 over `period` candles, and the average true range of
 * `atrPeriod` candles above and below it.
 * Wilder's average.
 * Source: pandas-ta-classic aberration.
 */
export function aberration(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const upper = frame.output(0)
  const middle = frame.output(1)
  const lower = frame.output(2)
  const range = frame.output(3)
  const period = frame.integer(0)
  const atrPeriod = frame.integer(1)
  const lookback = max(period - 1, atrPeriod)
  averageTrueRange(high, low, close, range, from, to, atrPeriod, frame.state)
  const first = warmup(middle, from, to, period - 1)
  if (first < to) {
    const oldest = first - period + 1
    const prices = frame.scratch(0).from(-oldest)
    for (let i = oldest; i < to; i++) prices[i] = (high[i] + low[i] + close[i]) / 3
    movingMean(prices, 0, middle, first, to, period, frame.scratch(1))
  }
  warmup(upper, from, to, lookback)
  for (let i = warmup(lower, from, to, lookback); i < to; i++) {
    upper[i] = middle[i] + range[i]
    lower[i] = middle[i] - range[i]
  }
}
