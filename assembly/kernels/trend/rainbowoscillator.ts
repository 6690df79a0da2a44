import { Frame } from '../../frame'
import { isRounding } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { movingRange } from '../../parts/windows/extremes'
import { rainbowMeans } from '../../parts/windows/rainbow-means'

/**
 * Rainbow Oscillator: the value minus the mean of the ten means of a rainbow, in percent of the range of the last
 * `lookback` values; `upper` is the width of the rainbow in the same unit, `lower` minus that.
 * 0 where there is no range.
 * Source: Widner, Rainbow Charts, Stocks & Commodities (July 1997); OoplesFinance.StockIndicators RainbowOscillator.
 */
export function rainbowoscillator(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const value = frame.output(0)
  const upper = frame.output(1)
  const lower = frame.output(2)
  const period = frame.integer(0)
  const window = frame.integer(1)
  const lookback = max(10 * (period - 1), window - 1)
  const first = warmup(value, from, to, lookback)
  warmup(upper, from, to, lookback)
  warmup(lower, from, to, lookback)
  if (first >= to) return
  for (let k = 0; k < 10; k++) {
    const means = rainbowMeans(frame, first, to, period, k)
    for (let i = first; i < to; i++) {
      value[i] = k === 0 ? means[i] : value[i] + means[i]
      upper[i] = k === 0 ? means[i] : max(upper[i], means[i])
      lower[i] = k === 0 ? means[i] : min(lower[i], means[i])
    }
  }
  const tops = frame.scratch(0).from(-first)
  const bottoms = frame.scratch(1).from(-first)
  movingRange(x, x, 0, tops, bottoms, first, to, window, frame.scratch(2))
  for (let i = first; i < to; i++) {
    const range = tops[i] - bottoms[i]
    const unit = isRounding(range, x[i]) ? 0 : 100 / range
    const width = unit * (upper[i] - lower[i])
    value[i] = unit * (x[i] - value[i] / 10)
    upper[i] = width
    lower[i] = -width
  }
}
