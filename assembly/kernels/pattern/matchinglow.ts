import { Frame } from '../../frame'
import { Candles, within } from '../../parts/candles/candle-shape'
import { RareSignals } from '../../parts/candles/rare-signals'
import { CandlePairs, neighbours } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Matching Low: 100 for two black candles that close at equal prices.
 * Neither has to be long; the trend before the pattern is not looked at.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLMATCHINGLOW.
 */
export function matchinglow(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const pairs = CandlePairs.of(frame)
  const out = frame.output(0)
  const first = warmup(out, from, to, 6)
  if (first >= to) return
  const after = out[to]
  // The ranges of the five candles before the first one of the pattern: two, two and one.
  let two = pairs.range(first - 4)
  let twos = neighbours(pairs.range(first - 6), two)
  for (let i = first; i < to; i += 2) {
    const newest = pairs.range(i - 2)
    const newer = neighbours(two, newest)
    const ranges = f64x2.add(f64x2.add(twos, newer), newest)
    two = newest
    twos = newer
    // Equal closes are rare: what counts as equal is calculated exactly only where two are about equal.
    const areAboutEqual = pairs.within(
      pairs.close(i),
      pairs.close(i - 1),
      f64x2.mul(ranges, f64x2.splat(0.0101)),
    )
    RareSignals.write(candles, out, i, to, v128.and(areAboutEqual, pairs.areBlack(i, 2)), signalAt)
  }
  out[to] = after
}

function signalAt(candles: Candles, i: i32): f64 {
  const before = i - 1
  const fires =
    candles.isBlack(before) &&
    candles.isBlack(i) &&
    within(candles.close(i), candles.close(before), candles.equal(before))
  return fires ? 100 : 0
}
