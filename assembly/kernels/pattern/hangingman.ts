import { Frame } from '../../frame'
import { isHammer } from '../../parts/candles/candle-sequences'
import { Candles } from '../../parts/candles/candle-shape'
import { RareSignals } from '../../parts/candles/rare-signals'
import { CandlePairs } from '../../parts/numbers/simd'
import { isLonger } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Hanging Man: −100 for a small body with a long lower and next to no upper shadow, which lies near or above the high
 * before.
 * A long shadow is one longer than the body, where others ask for two bodies.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLHANGINGMAN.
 */
export function hangingman(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const pairs = CandlePairs.of(frame)
  const out = frame.output(0)
  const ranges = frame.scratch(0)
  const start = warmup(out, from, to, 11)
  pairs.sumRanges(ranges, start, to)
  const after = out[to]
  for (let i = start; i < to; i += 2) {
    // A long lower shadow without an upper one is rare: the other conditions are checked only there.
    const possible = v128.and(f64x2.gt(pairs.lowerShadow(i), pairs.body(i)), pairs.mayBeShavenHead(i, ranges))
    RareSignals.write(candles, out, i, to, possible, signalAt)
  }
  out[to] = after
}

function signalAt(candles: Candles, i: i32): f64 {
  const before = i - 1
  const fires =
    !isLonger(candles.high(before) - candles.bottom(i), candles.near(before)) && isHammer(candles, i)
  return fires ? -100 : 0
}
