import { Frame } from '../../frame'
import { Candles, within } from '../../parts/candle-shape'
import { warmup } from '../../parts/warmup'

/**
 * Identical Three Crows: −100 for three black candles without lower shadows of note, each closing lower, and
 * each opening where the one before closed.
 * The trend before the pattern is not looked at.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLIDENTICAL3CROWS.
 */
export function identical3crows(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 12); i < to; i++) {
    const first = i - 2
    const second = i - 1
    const third = i
    const fires =
      candles.isBlack(first) &&
      candles.isBlack(second) &&
      candles.isBlack(third) &&
      candles.close(second) < candles.close(first) &&
      candles.close(third) < candles.close(second) &&
      within(candles.open(second), candles.close(first), candles.equal(first)) &&
      within(candles.open(third), candles.close(second), candles.equal(second)) &&
      candles.hasShavenBottom(first) &&
      candles.hasShavenBottom(second) &&
      candles.hasShavenBottom(third)
    out[i] = fires ? -100 : 0
  }
}
