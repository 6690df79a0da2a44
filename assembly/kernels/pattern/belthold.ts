import { Frame } from '../../frame'
import { Candles } from '../../parts/anatomy'
import { warmup } from '../../parts/warmup'

/**
 * Belt-hold: a long candle that has next to no shadow on the side where it opens. 100 where it is white, −100 where it
 * is black.
 * The trend before the pattern is not looked at.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLBELTHOLD.
 */
export function belthold(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 10); i < to; i++) {
    out[i] = candles.isBeltHold(i) ? 100 * candles.colour(i) : 0
  }
}
