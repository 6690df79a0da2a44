import { Frame } from '../../frame'
import { recovers } from '../../parts/candles/candle-sequences'
import { Candles } from '../../parts/candles/candle-shape'
import { RareSignals } from '../../parts/candles/rare-signals'
import { CandlePairs } from '../../parts/numbers/simd'
import { isLonger } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Thrusting Pattern: −100 where a long black candle is followed by a white one that opens below its low and closes
 * inside its body, clearly above its close and not above the middle.
 * The trend before the pattern is ignored.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLTHRUSTING.
 */
export function thrusting(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const pairs = CandlePairs.of(frame)
  const out = frame.output(0)
  const after = out[to]
  for (let i = warmup(out, from, to, 11); i < to; i += 2) {
    // An open below the low before is rare: the other conditions are checked only there.
    const possible = v128.and(f64x2.lt(pairs.open(i), pairs.low(i - 1)), pairs.isWhite(i))
    RareSignals.write(candles, out, i, to, possible, signalAt)
  }
  out[to] = after
}

function signalAt(candles: Candles, i: i32): f64 {
  const first = i - 1
  const second = i
  const fires =
    !isLonger(candles.close(second) - candles.close(first), candles.body(first) * 0.5) &&
    isLonger(candles.close(second) - candles.close(first), candles.equal(first)) &&
    recovers(candles, second)
  return fires ? -100 : 0
}
