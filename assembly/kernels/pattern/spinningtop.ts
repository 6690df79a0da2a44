import { Frame } from '../../frame'
import { Candles } from '../../parts/candle-shape'
import { warmup } from '../../parts/warmup'

/**
 * Spinning Top: a small body between two shadows, each longer than the body. 100 where it is white, −100 where it is
 * black.
 * It means indecision; the sign is only the colour.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLSPINNINGTOP.
 */
export function spinningtop(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 10); i < to; i++) {
    const long = candles.longShadow(i)
    const fires = candles.upperShadow(i) > long && candles.lowerShadow(i) > long && candles.isSmall(i)
    out[i] = fires ? 100 * candles.colour(i) : 0
  }
}
