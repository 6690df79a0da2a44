import { Frame } from '../../frame'
import { Candles } from '../../parts/candle-shape'
import { warmup } from '../../parts/warmup'

/**
 * Two Crows: −100 where a long white candle is followed by a black body above it, and that by a black candle which
 * opens inside the second body and closes inside the first.
 * Long means longer than the mean body of the ten candles before; the trend before the pattern is not looked at.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDL2CROWS.
 */
export function _2crows(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 12); i < to; i++) {
    const first = i - 2
    const second = i - 1
    const third = i
    const fires =
      candles.bodyGapsUp(first, second) &&
      candles.isWhite(first) &&
      candles.isBlack(second) &&
      candles.isBlack(third) &&
      candles.bodyContains(second, candles.open(third)) &&
      candles.bodyContains(first, candles.close(third)) &&
      candles.isLong(first)
    out[i] = fires ? -100 : 0
  }
}
