import { Frame } from '../../frame'
import { Candles } from '../../parts/anatomy'
import { warmup } from '../../parts/warmup'

/**
 * Harami: a long candle whose body holds the short body of the next. Positive after a black candle, negative after a
 * white one: 100 when the short body keeps off both ends, 80 when it meets one.
 * Tables made before TA-Lib 0.6 say 0 instead of 80; the second candle may have any colour.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLHARAMI.
 */
export function harami(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 11); i < to; i++) {
    const first = i - 1
    const second = i
    const above = candles.top(first) - candles.top(second)
    const below = candles.bottom(second) - candles.bottom(first)
    const fires = above >= 0 && below >= 0 && candles.isLong(first) && candles.isShort(second)
    out[i] = fires ? (above > 0 && below > 0 ? -100 : -80) * candles.colour(first) : 0
  }
}
