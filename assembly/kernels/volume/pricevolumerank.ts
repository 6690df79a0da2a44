import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Price Volume Rank: 1 where close and volume rose, 2 where the close rose and the volume did not, 3 where neither
 * rose, 4 where only the volume rose.
 * pandas-ta swaps 3 and 4 and counts ties as rises.
 * Source: OoplesFinance.StockIndicators PriceVolumeRank.
 */
export function pricevolumerank(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(0)
  const volume = frame.input(1)
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 1); i < to; i++) {
    const hasVolume = volume[i] > volume[i - 1]
    out[i] = close[i] > close[i - 1] ? (hasVolume ? 1 : 2) : hasVolume ? 4 : 3
  }
}
