import { Frame } from '../../frame'
import { Candles } from '../../parts/candle-shape'
import { warmup } from '../../parts/warmup'

/**
 * Rickshaw Man: 100 for a doji with two shadows longer than its body, which stands near the middle of its range.
 * It means indecision; the positive sign has no meaning.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLRICKSHAWMAN.
 */
export function rickshawman(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 10); i < to; i++) {
    const long = candles.longShadow(i)
    const middle = candles.low(i) + candles.range(i) / 2
    const fires =
      candles.lowerShadow(i) > long &&
      candles.upperShadow(i) > long &&
      candles.isDoji(i) &&
      candles.bottom(i) <= middle + candles.near(i) &&
      candles.top(i) >= middle - candles.near(i)
    out[i] = fires ? 100 : 0
  }
}
