import { Frame } from '../../frame'
import { collapses } from '../../parts/candles/candle-sequences'
import { Candles, within } from '../../parts/candles/candle-shape'
import { RareSignals } from '../../parts/candles/rare-signals'
import { CandlePairs } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Identical Three Crows: −100 for three black candles with very short lower shadows, each closing lower, and
 * each opening where the one before closed.
 * The trend before the pattern is ignored.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLIDENTICAL3CROWS.
 */
export function identical3crows(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const pairs = CandlePairs.of(frame)
  const out = frame.output(0)
  const ranges = frame.scratch(0)
  const start = warmup(out, from, to, 12)
  pairs.sumRanges(ranges, start - 1, to)
  const after = out[to]
  for (let i = start; i < to; i += 2) {
    // Candles without a lower shadow are rare: the other conditions are checked only after two of them.
    const possible = v128.and(
      pairs.areBlack(i, 3),
      v128.and(pairs.mayBeShavenBottom(i - 1, ranges), pairs.mayBeShavenBottom(i, ranges)),
    )
    RareSignals.write(candles, out, i, to, possible, signalAt)
  }
  out[to] = after
}

function signalAt(candles: Candles, i: i32): f64 {
  const first = i - 2
  const second = i - 1
  const third = i
  const fires =
    collapses(candles, third) &&
    within(candles.open(second), candles.close(first), candles.equal(first)) &&
    within(candles.open(third), candles.close(second), candles.equal(second))
  return fires ? -100 : 0
}
