import { Frame } from '../../frame'
import { Candles } from '../../parts/anatomy'
import { warmup } from '../../parts/warmup'

/**
 * Engulfing Pattern: a body that covers the body of the candle before, which has the other colour. Positive where the
 * covering candle is white, negative where it is black: 100 when it reaches beyond both ends, 80 when one end is equal.
 * Tables made before TA-Lib 0.6 say 0 instead of 80; the trend before the pattern is not looked at.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLENGULFING.
 */
export function engulfing(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 2); i < to; i++) {
    const before = i - 1
    const above = candles.top(i) - candles.top(before)
    const below = candles.bottom(before) - candles.bottom(i)
    let value: f64 = 0
    if (above >= 0 && below >= 0 && above + below > 0 && candles.isWhite(i) !== candles.isWhite(before)) {
      value = above > 0 && below > 0 ? 100 : 80
      if (candles.isBlack(i)) value = -value
    }
    out[i] = value
  }
}
