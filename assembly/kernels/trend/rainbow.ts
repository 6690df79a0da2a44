import { Frame } from '../../frame'
import { rainbowMeans } from '../../parts/windows/rainbow-means'

/**
 * Rainbow Moving Averages: the mean of `period` values, the mean of that mean, and so on ten times.
 * All are given from the first candle of the last one on.
 * Source: Widner, Rainbow Charts, Stocks & Commodities (July 1997); pandas-ta-classic rainbow.
 */
export function rainbow(frame: Frame, from: i32, to: i32): void {
  const period = frame.integer(0)
  const lookback = 10 * (period - 1)
  for (let k = 0; k < 10; k++) {
    const out = frame.output(k)
    for (let i = from; i < min(to, lookback); i++) out[i] = NaN
  }
  const first = max(from, lookback)
  if (first >= to) return
  for (let k = 0; k < 10; k++) {
    const means = rainbowMeans(frame, first, to, period, k)
    const out = frame.output(k)
    for (let i = first; i < to; i++) out[i] = means[i]
  }
}
