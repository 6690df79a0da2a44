import { Frame } from '../../frame'
import { Candles } from '../../parts/candles/candle-shape'
import { RareSignals } from '../../parts/candles/rare-signals'
import { CandlePairs } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Upside Gap Two Crows: −100 where a long white candle is followed by a short black body above its body, and that by a
 * black one that covers the second body and still closes above the first.
 * The trend before the pattern is ignored.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLUPSIDEGAP2CROWS.
 */
export function upsidegap2crows(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const pairs = CandlePairs.of(frame)
  const out = frame.output(0)
  const after = out[to]
  for (let i = warmup(out, from, to, 12); i < to; i += 2) {
    // A gap between bodies is rare: the other conditions are checked only where there is one.
    const possible = v128.and(pairs.bodyGapsUp(i - 2, i - 1), pairs.isBlack(i - 1))
    RareSignals.write(candles, out, i, to, possible, signalAt)
  }
  out[to] = after
}

function signalAt(candles: Candles, i: i32): f64 {
  const first = i - 2
  const second = i - 1
  const third = i
  const fires =
    candles.isWhite(first) &&
    candles.isBlack(second) &&
    candles.isBlack(third) &&
    candles.bodyGapsUp(first, second) &&
    candles.bodyInside(third, second) &&
    candles.close(third) > candles.close(first) &&
    candles.isLong(first) &&
    candles.isShort(second)
  return fires ? -100 : 0
}
