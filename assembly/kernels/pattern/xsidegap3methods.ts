import { Frame } from '../../frame'
import { Candles } from '../../parts/candle-shape'
import { warmup } from '../../parts/warmup'

/**
 * Upside/Downside Gap Three Methods: two candles of one colour with a gap between their bodies in that direction, and
 * one of the other colour that opens inside the second body and closes inside the first. 100 where the two are white,
 * −100 where they are black.
 * The trend before the pattern is not looked at.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLXSIDEGAP3METHODS.
 */
export function xsidegap3methods(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 2); i < to; i++) {
    const first = i - 2
    const second = i - 1
    const third = i
    const fires =
      candles.bodyContains(first, candles.close(third)) &&
      candles.bodyContains(second, candles.open(third)) &&
      candles.sameColour(first, second) &&
      !candles.sameColour(second, third) &&
      (candles.isWhite(first) ? candles.bodyGapsUp(first, second) : candles.bodyGapsDown(first, second))
    out[i] = fires ? 100 * candles.colour(first) : 0
  }
}
