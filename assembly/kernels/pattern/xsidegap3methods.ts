import { Frame } from '../../frame'
import { Candles } from '../../parts/candles/candle-shape'
import { RareSignals } from '../../parts/candles/rare-signals'
import { CandlePairs } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Upside/Downside Gap Three Methods: two candles of one colour with a gap between their bodies in that direction, and
 * one of the other colour that opens inside the second body and closes inside the first. 100 where the two are white,
 * −100 where they are black.
 * The trend before the pattern is ignored.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLXSIDEGAP3METHODS.
 */
export function xsidegap3methods(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const pairs = CandlePairs.of(frame)
  const out = frame.output(0)
  const after = out[to]
  for (let i = warmup(out, from, to, 2); i < to; i += 2) {
    // A gap between bodies is rare: the other conditions are checked only where there is one.
    const possible = v128.and(pairs.bodyGaps(i - 2, i - 1), pairs.bodyContains(i - 1, pairs.open(i)))
    RareSignals.write(candles, out, i, to, possible, signalAt)
  }
  out[to] = after
}

function signalAt(candles: Candles, i: i32): f64 {
  const first = i - 2
  const second = i - 1
  const third = i
  const fires =
    candles.bodyContains(first, candles.close(third)) &&
    candles.bodyContains(second, candles.open(third)) &&
    candles.sameColour(first, second) &&
    !candles.sameColour(second, third) &&
    (candles.isWhite(first) ? candles.bodyGapsUp(first, second) : candles.bodyGapsDown(first, second))
  return fires ? 100 * candles.colour(first) : 0
}
