import { Frame } from '../../frame'
import { Candles } from '../../parts/candles/candle-shape'
import { RareSignals } from '../../parts/candles/rare-signals'
import { CandlePairs } from '../../parts/numbers/simd'
import { isLonger } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Rickshaw Man: 100 for a doji with two shadows longer than its body, which stands near the middle of its range.
 * It means indecision; the positive sign has no meaning.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLRICKSHAWMAN.
 */
export function rickshawman(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const pairs = CandlePairs.of(frame)
  const out = frame.output(0)
  const ranges = frame.scratch(0)
  const start = warmup(out, from, to, 10)
  pairs.sumRanges(ranges, start, to)
  const after = out[to]
  for (let i = start; i < to; i += 2) {
    // Dojis are rare: the other conditions are checked only there.
    const possible = v128.and(
      pairs.mayBeDoji(i, ranges),
      f64x2.gt(f64x2.pmin(pairs.upperShadow(i), pairs.lowerShadow(i)), pairs.body(i)),
    )
    RareSignals.write(candles, out, i, to, possible, signalAt)
  }
  out[to] = after
}

function signalAt(candles: Candles, i: i32): f64 {
  const long = candles.longShadow(i)
  // The body lies near the middle of the range.
  const longest = candles.range(i) / 2 + candles.near(i)
  const fires =
    isLonger(candles.lowerShadow(i), long) &&
    isLonger(candles.upperShadow(i), long) &&
    candles.isDoji(i) &&
    !isLonger(candles.lowerShadow(i), longest) &&
    !isLonger(candles.upperShadow(i), longest)
  return fires ? 100 : 0
}
