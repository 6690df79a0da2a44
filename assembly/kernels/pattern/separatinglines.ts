import { Frame } from '../../frame'
import { Candles, within } from '../../parts/candles/candle-shape'
import { RareSignals } from '../../parts/candles/rare-signals'
import { CandlePairs } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Separating Lines: two candles of different colours that open at equal prices, the second a belt-hold. 100 where that
 * is white, −100 where it is black.
 * The trend before the pattern is not looked at.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLSEPARATINGLINES.
 */
export function separatinglines(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const pairs = CandlePairs.of(frame)
  const out = frame.output(0)
  const after = out[to]
  for (let i = warmup(out, from, to, 11); i < to; i += 2) {
    // Equal opens are rare: the other conditions are checked only where there are some.
    const possible = v128.and(
      pairs.differ(i - 1, i),
      pairs.within(pairs.open(i), pairs.open(i - 1), pairs.equal(i - 1)),
    )
    RareSignals.write(candles, out, i, to, possible, signalAt)
  }
  out[to] = after
}

function signalAt(candles: Candles, i: i32): f64 {
  const first = i - 1
  const second = i
  const fires =
    !candles.sameColour(first, second) &&
    within(candles.open(second), candles.open(first), candles.equal(first)) &&
    candles.isBeltHold(second)
  return fires ? 100 * candles.colour(second) : 0
}
