import { Frame } from '../../frame'
import { Candles } from '../../parts/candles/candle-shape'
import { RareSignals } from '../../parts/candles/rare-signals'
import { CandlePairs } from '../../parts/numbers/simd'
import { isLonger } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Takuri: 100 for a doji with next to no upper shadow and a lower one longer than two bodies.
 * A dragonfly doji with a very long shadow; the previous trend is ignored.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLTAKURI.
 */
export function takuri(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const pairs = CandlePairs.of(frame)
  const out = frame.output(0)
  const ranges = frame.scratch(0)
  const start = warmup(out, from, to, 10)
  pairs.sumRanges(ranges, start, to)
  const after = out[to]
  for (let i = start; i < to; i += 2) {
    // Dojis without an upper shadow are rare: the other conditions are checked only there.
    const possible = v128.and(pairs.mayBeDoji(i, ranges), pairs.mayBeShavenHead(i, ranges))
    RareSignals.write(candles, out, i, to, possible, signalAt)
  }
  out[to] = after
}

function signalAt(candles: Candles, i: i32): f64 {
  const fires =
    isLonger(candles.lowerShadow(i), candles.veryLongShadow(i)) &&
    candles.isDoji(i) &&
    candles.hasShavenHead(i)
  return fires ? 100 : 0
}
