import { Frame } from '../../frame'
import { Candles, within } from '../../parts/candles/candle-shape'
import { RareSignals } from '../../parts/candles/rare-signals'
import { CandlePairs } from '../../parts/numbers/simd'
import { isLonger } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Up/Down-Gap Side-by-Side White Lines: two white candles of about the same size and open, whose bodies both lie beyond
 * the same gap from the previous body. 100 above it, −100 below it.
 * The first candle may have any colour; the trend before the pattern is ignored.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLGAPSIDESIDEWHITE.
 */
export function gapsidesidewhite(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const pairs = CandlePairs.of(frame)
  const out = frame.output(0)
  const after = out[to]
  for (let i = warmup(out, from, to, 7); i < to; i += 2) {
    // A gap between bodies is rare: the other conditions are checked only where there is one.
    const possible = v128.and(pairs.bodyGaps(i - 2, i - 1), pairs.isWhite(i - 1))
    RareSignals.write(candles, out, i, to, possible, signalAt)
  }
  out[to] = after
}

function signalAt(candles: Candles, i: i32): f64 {
  const first = i - 2
  const second = i - 1
  const third = i
  const isAbove = candles.bodyGapsUp(first, second) && candles.bodyGapsUp(first, third)
  const isBelow = candles.bodyGapsDown(first, second) && candles.bodyGapsDown(first, third)
  const fires =
    (isAbove || isBelow) &&
    candles.isWhite(second) &&
    candles.isWhite(third) &&
    !isLonger(candles.body(third), candles.body(second) + candles.near(second)) &&
    !isLonger(candles.body(second), candles.body(third) + candles.near(second)) &&
    within(candles.open(third), candles.open(second), candles.equal(second))
  return fires ? (isAbove ? 100 : -100) : 0
}
