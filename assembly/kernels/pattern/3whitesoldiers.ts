import { Frame } from '../../frame'
import { advances } from '../../parts/candles/candle-sequences'
import { Candles } from '../../parts/candles/candle-shape'
import { RareSignals } from '../../parts/candles/rare-signals'
import { CandlePairs } from '../../parts/numbers/simd'
import { isLonger } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Three Advancing White Soldiers: 100 for three white candles with very short upper shadows, each closing
 * higher and opening in or near the body before, none far shorter than the previous one, the third longer than short.
 * The trend before the pattern is ignored.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDL3WHITESOLDIERS.
 */
export function _3whitesoldiers(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const pairs = CandlePairs.of(frame)
  const out = frame.output(0)
  const ranges = frame.scratch(0)
  const start = warmup(out, from, to, 12)
  pairs.sumRanges(ranges, start - 1, to)
  const after = out[to]
  for (let i = start; i < to; i += 2) {
    // Candles without an upper shadow are rare: the other conditions are checked only after two of them.
    const possible = v128.and(
      pairs.areWhite(i, 3),
      v128.and(pairs.mayBeShavenHead(i - 1, ranges), pairs.mayBeShavenHead(i, ranges)),
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
    advances(candles, third) &&
    candles.opensOnBody(first, second) &&
    candles.opensOnBody(second, third) &&
    candles.hasShavenHead(first) &&
    candles.hasShavenHead(second) &&
    candles.hasShavenHead(third) &&
    isLonger(candles.body(second) + candles.far(first), candles.body(first)) &&
    isLonger(candles.body(third) + candles.far(second), candles.body(second)) &&
    candles.isLong(third)
  return fires ? 100 : 0
}
