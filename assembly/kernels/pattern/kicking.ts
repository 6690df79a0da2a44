import { Frame } from '../../frame'
import { Candles } from '../../parts/candle-shape'
import { warmup } from '../../parts/warmup'

/**
 * Kicking: two long candles without shadows, of different colours, with a gap between them against the direction of the
 * first. 100 where the second is white, −100 where it is black.
 * The trend before the pattern is not looked at.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLKICKING.
 */
export function kicking(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 11); i < to; i++) {
    const first = i - 1
    const second = i
    const isKick = candles.isBlack(first)
      ? candles.isWhite(second) && candles.gapsUp(first, second)
      : candles.isBlack(second) && candles.gapsDown(first, second)
    const fires = isKick && candles.isMarubozu(first) && candles.isMarubozu(second)
    out[i] = fires ? 100 * candles.colour(second) : 0
  }
}
