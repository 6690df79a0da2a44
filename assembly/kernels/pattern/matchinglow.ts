import { Frame } from '../../frame'
import { Candles, within } from '../../parts/candle-shape'
import { warmup } from '../../parts/warmup'

/**
 * Matching Low: 100 for two black candles that close at equal prices.
 * Neither has to be long; the trend before the pattern is not looked at.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLMATCHINGLOW.
 */
export function matchinglow(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 6); i < to; i++) {
    const first = i - 1
    const second = i
    const fires =
      candles.isBlack(first) &&
      candles.isBlack(second) &&
      within(candles.close(second), candles.close(first), candles.equal(first))
    out[i] = fires ? 100 : 0
  }
}
