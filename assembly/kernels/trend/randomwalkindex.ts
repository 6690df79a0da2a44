import { Frame } from '../../frame'
import { trueRange } from '../../parts/true-range'
import { warmup } from '../../parts/warmup'

/**
 * Random Walk Index: for every length m from 2 to `period`, how far the high stands above the low m − 1 candles before,
 * in units of √m average true ranges over m candles; `high` is the greatest of them, `low` the same for the fall from a
 * high to the low.
 * A length without any range is left out (OoplesFinance takes the longest length only).
 * Source: Poulos, Of Trends and Random Walks, Stocks & Commodities (February 1991); ta4j RWIHighIndicator.
 */
export function randomwalkindex(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const rising = frame.output(0)
  const falling = frame.output(1)
  const means = frame.state
  const period = frame.integer(0)
  const roots = means.from(period + 1)
  if (from === 0) {
    for (let m = 0; m <= period; m++) {
      means[m] = 0
      roots[m] = sqrt(<f64>m)
    }
  }
  warmup(rising, from, to, period)
  warmup(falling, from, to, period)
  for (let i = max(from, 1); i < to; i++) {
    const range = trueRange(high, low, close, i)
    let up = -Infinity
    let down = -Infinity
    for (let m = 2; m <= period; m++) {
      const size = <f64>m
      let mean = means[m]
      mean = i < m ? mean + range : i === m ? (mean + range) / size : (mean * (size - 1) + range) / size
      means[m] = mean
      if (i < period || !(mean > 0)) continue
      const unit = mean * roots[m]
      up = max(up, (high[i] - low[i - m + 1]) / unit)
      down = max(down, (high[i - m + 1] - low[i]) / unit)
    }
    if (i < period) continue
    rising[i] = up > -Infinity ? up : NaN
    falling[i] = down > -Infinity ? down : NaN
  }
}
