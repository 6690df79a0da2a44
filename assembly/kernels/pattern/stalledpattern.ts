import { Frame } from '../../frame'
import { Candles } from '../../parts/candle-shape'
import { warmup } from '../../parts/warmup'

/**
 * Stalled Pattern: −100 for three white candles that close higher and higher: two long ones, the second without an upper
 * shadow and opening in or near the first body, and a small one that rides on the shoulder of the second.
 * The trend before the pattern is not looked at.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLSTALLEDPATTERN.
 */
export function stalledpattern(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 12); i < to; i++) {
    const first = i - 2
    const second = i - 1
    const third = i
    const fires =
      candles.isWhite(first) &&
      candles.isWhite(second) &&
      candles.isWhite(third) &&
      candles.close(second) > candles.close(first) &&
      candles.close(third) > candles.close(second) &&
      candles.opensOnBody(first, second) &&
      candles.open(third) >= candles.close(second) - candles.body(third) - candles.near(second) &&
      candles.isLong(first) &&
      candles.isLong(second) &&
      candles.hasShavenHead(second) &&
      candles.isSmall(third)
    out[i] = fires ? -100 : 0
  }
}
