import { Frame } from '../../frame'
import { Candles } from '../../parts/candle-shape'
import { warmup } from '../../parts/warmup'

/**
 * Dark Cloud Cover: −100 where a long white candle is followed by a black one that opens above its high and closes
 * inside its body, deeper than `penetration` bodies below its close.
 * The trend before the pattern is not looked at.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLDARKCLOUDCOVER.
 */
export function darkcloudcover(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const out = frame.output(0)
  const penetration = frame.number(0)
  for (let i = warmup(out, from, to, 11); i < to; i++) {
    const first = i - 1
    const second = i
    const fires =
      candles.isWhite(first) &&
      candles.isBlack(second) &&
      candles.open(second) > candles.high(first) &&
      candles.close(second) > candles.open(first) &&
      candles.close(second) < candles.close(first) - candles.body(first) * penetration &&
      candles.isLong(first)
    out[i] = fires ? -100 : 0
  }
}
