import { Frame } from '../../frame'
import { Candles } from '../../parts/anatomy'
import { warmup } from '../../parts/warmup'

/**
 * Short Line Candle: a small body between two short shadows. 100 where it is white, −100 where it is black.
 * Short is a shadow below the mean shadow of the ten candles before.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLSHORTLINE.
 */
export function shortline(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 10); i < to; i++) {
    const fires = candles.isSmall(i) && candles.hasShortShadows(i)
    out[i] = fires ? 100 * candles.colour(i) : 0
  }
}
