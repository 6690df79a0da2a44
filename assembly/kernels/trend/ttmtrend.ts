import { Frame } from '../../frame'
import { medianPrices } from '../../parts/candles/median-price'
import { isAbove } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { movingMean } from '../../parts/windows/sums'

/**
 * TTM Trend: 1 where the close is above the mean of (high + low) / 2 over `period` candles, else −1.
 * A close that equals the mean, but for rounding, is not above it.
 * Source: Carter, Mastering the Trade (2005); pandas-ta-classic ttm_trend.
 */
export function ttmtrend(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(2)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const oldest = first - period + 1
  const prices = frame.scratch(0).from(-oldest)
  medianPrices(frame.input(0), frame.input(1), prices, oldest, to)
  movingMean(prices, 0, out, first, to, period, frame.scratch(1))
  for (let i = first; i < to; i++) out[i] = isAbove(close[i], out[i]) ? 1 : -1
}
