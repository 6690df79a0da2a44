import { Frame } from '../../frame'
import { Candles } from '../../parts/anatomy'
import { warmup } from '../../parts/warmup'

/**
 * Harami Cross: a long candle whose body holds the doji that follows. Positive after a black candle, negative after a
 * white one: 100 when the doji keeps off both ends of the body, 80 when it meets one.
 * Tables made before TA-Lib 0.6 say 0 instead of 80.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLHARAMICROSS.
 */
export function haramicross(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 11); i < to; i++) {
    const first = i - 1
    const doji = i
    const above = candles.top(first) - candles.top(doji)
    const below = candles.bottom(doji) - candles.bottom(first)
    const fires = above >= 0 && below >= 0 && candles.isLong(first) && candles.isDoji(doji)
    out[i] = fires ? (above > 0 && below > 0 ? -100 : -80) * candles.colour(first) : 0
  }
}
