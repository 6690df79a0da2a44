import { Frame } from '../../frame'
import { Candles } from '../../parts/candles/candle-shape'
import { RareSignals } from '../../parts/candles/rare-signals'
import { CandlePairs } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Unique Three River: 100 where a long black candle is followed by a black one that closes inside its body after a
 * lower low, and that by a small white one that opens above that low.
 * The trend before the pattern is ignored.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLUNIQUE3RIVER.
 */
export function unique3river(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const pairs = CandlePairs.of(frame)
  const out = frame.output(0)
  const after = out[to]
  for (let i = warmup(out, from, to, 12); i < to; i += 2) {
    // A black candle that closes higher is rare: the other conditions are checked only after one.
    const possible = v128.and(
      f64x2.gt(pairs.close(i - 1), pairs.close(i - 2)),
      v128.and(pairs.isBlack(i - 1), pairs.isBlack(i - 2)),
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
    candles.isBlack(first) &&
    candles.isBlack(second) &&
    candles.isWhite(third) &&
    candles.close(second) > candles.close(first) &&
    candles.open(second) <= candles.open(first) &&
    candles.low(second) < candles.low(first) &&
    candles.open(third) > candles.low(second) &&
    candles.isLong(first) &&
    candles.isSmall(third)
  return fires ? 100 : 0
}
