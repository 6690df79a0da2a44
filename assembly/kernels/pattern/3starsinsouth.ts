import { Frame } from '../../frame'
import { Candles } from '../../parts/candle-shape'
import { warmup } from '../../parts/warmup'

/**
 * Three Stars in the South: 100 for three ever smaller black candles: a long one with a long lower shadow; one that
 * opens above its close, trades below that, not below its low, and has a lower shadow; a small one without shadows
 * inside the range of the second.
 * The trend before the pattern is not looked at.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDL3STARSINSOUTH.
 */
export function _3starsinsouth(frame: Frame, from: i32, to: i32): void {
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
      candles.rangeInside(second, third) &&
      candles.body(second) < candles.body(first) &&
      candles.open(second) > candles.close(first) &&
      candles.open(second) <= candles.high(first) &&
      candles.low(second) < candles.close(first) &&
      candles.low(second) >= candles.low(first) &&
      candles.lowerShadow(first) > candles.longShadow(first) &&
      candles.isLong(first) &&
      candles.isSmall(third) &&
      candles.isShaven(third) &&
      candles.lowerShadow(second) > candles.veryShortShadow(second)
    out[i] = fires ? 100 : 0
  }
}
