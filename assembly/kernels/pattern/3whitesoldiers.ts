import { Frame } from '../../frame'
import { Candles } from '../../parts/candle-shape'
import { warmup } from '../../parts/warmup'

/**
 * Three Advancing White Soldiers: 100 for three white candles without upper shadows of note, each closing
 * higher and opening in or near the body before, none far shorter than the last, the third longer than short.
 * The trend before the pattern is not looked at.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDL3WHITESOLDIERS.
 */
export function _3whitesoldiers(frame: Frame, from: i32, to: i32): void {
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
      candles.opensOnBody(second, third) &&
      candles.hasShavenHead(first) &&
      candles.hasShavenHead(second) &&
      candles.hasShavenHead(third) &&
      candles.body(second) > candles.body(first) - candles.far(first) &&
      candles.body(third) > candles.body(second) - candles.far(second) &&
      candles.isLong(third)
    out[i] = fires ? 100 : 0
  }
}
