import { Frame } from '../../frame'
import { isInvertedHammer } from '../../parts/candles/candle-sequences'
import { Candles } from '../../parts/candles/candle-shape'
import { RareSignals } from '../../parts/candles/rare-signals'
import { CandlePairs } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Inverted Hammer: 100 for a small body with a long upper and next to no lower shadow, which lies below the body before.
 * A long shadow is one longer than the body, where others ask for two bodies.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLINVERTEDHAMMER.
 */
export function invertedhammer(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const pairs = CandlePairs.of(frame)
  const out = frame.output(0)
  const after = out[to]
  for (let i = warmup(out, from, to, 11); i < to; i += 2) {
    // A gap between bodies is rare: the other conditions are checked only where there is one.
    const possible = v128.and(pairs.bodyGapsDown(i - 1, i), f64x2.gt(pairs.upperShadow(i), pairs.body(i)))
    RareSignals.write(candles, out, i, to, possible, signalAt)
  }
  out[to] = after
}

function signalAt(candles: Candles, i: i32): f64 {
  const fires = candles.bodyGapsDown(i - 1, i) && isInvertedHammer(candles, i)
  return fires ? 100 : 0
}
