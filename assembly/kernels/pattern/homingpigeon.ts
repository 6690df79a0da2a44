import { Frame } from '../../frame'
import { Candles } from '../../parts/candles/candle-shape'
import { RareSignals } from '../../parts/candles/rare-signals'
import { CandlePairs } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Homing Pigeon: 100 where a long black candle is followed by a short black body inside its body.
 * The trend before the pattern is ignored.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLHOMINGPIGEON.
 */
export function homingpigeon(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const pairs = CandlePairs.of(frame)
  const out = frame.output(0)
  const after = out[to]
  for (let i = warmup(out, from, to, 11); i < to; i += 2) {
    // A body inside another one is rare: the other conditions are checked only where there is one.
    const possible = v128.and(pairs.bodyInside(i - 1, i), v128.and(pairs.isBlack(i - 1), pairs.isBlack(i)))
    RareSignals.write(candles, out, i, to, possible, signalAt)
  }
  out[to] = after
}

function signalAt(candles: Candles, i: i32): f64 {
  const first = i - 1
  const second = i
  const fires =
    candles.isBlack(first) &&
    candles.isBlack(second) &&
    candles.bodyInside(first, second) &&
    candles.isLong(first) &&
    candles.isShort(second)
  return fires ? 100 : 0
}
