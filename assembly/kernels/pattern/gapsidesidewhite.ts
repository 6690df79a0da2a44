import { Frame } from '../../frame'
import { Candles, within } from '../../parts/candle-shape'
import { warmup } from '../../parts/warmup'

/**
 * Up/Down-Gap Side-by-Side White Lines: two white candles of about the same size and open, whose bodies both lie beyond
 * the same gap from the body before. 100 above it, −100 below it.
 * The first candle may have any colour; the trend before the pattern is not looked at.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLGAPSIDESIDEWHITE.
 */
export function gapsidesidewhite(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 7); i < to; i++) {
    const first = i - 2
    const second = i - 1
    const third = i
    const isAbove = candles.bodyGapsUp(first, second) && candles.bodyGapsUp(first, third)
    const isBelow = candles.bodyGapsDown(first, second) && candles.bodyGapsDown(first, third)
    const fires =
      (isAbove || isBelow) &&
      candles.isWhite(second) &&
      candles.isWhite(third) &&
      within(candles.body(third), candles.body(second), candles.near(second)) &&
      within(candles.open(third), candles.open(second), candles.equal(second))
    out[i] = fires ? (isAbove ? 100 : -100) : 0
  }
}
