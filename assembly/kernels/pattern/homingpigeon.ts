import { Frame } from '../../frame'
import { Candles } from '../../parts/candle-shape'
import { warmup } from '../../parts/warmup'

/**
 * Homing Pigeon: 100 where a long black candle is followed by a short black body inside its body.
 * The trend before the pattern is not looked at.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLHOMINGPIGEON.
 */
export function homingpigeon(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 11); i < to; i++) {
    const first = i - 1
    const second = i
    const fires =
      candles.isBlack(first) &&
      candles.isBlack(second) &&
      candles.bodyInside(first, second) &&
      candles.isLong(first) &&
      candles.isShort(second)
    out[i] = fires ? 100 : 0
  }
}
