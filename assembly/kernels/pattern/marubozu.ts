import { Frame } from '../../frame'
import { Candles } from '../../parts/anatomy'
import { warmup } from '../../parts/warmup'

/**
 * Marubozu: a long candle with next to no shadows. 100 where it is white, −100 where it is black.
 * Shadows below a tenth of the mean range of the ten candles before count as none.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLMARUBOZU.
 */
export function marubozu(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 10); i < to; i++) {
    out[i] = candles.isMarubozu(i) ? 100 * candles.colour(i) : 0
  }
}
