import { Frame } from '../../frame'
import { Candles } from '../../parts/candles/candle-shape'
import { RareSignals } from '../../parts/candles/rare-signals'
import { CandlePairs } from '../../parts/numbers/simd'
import { isLonger } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Ladder Bottom: 100 where three black candles open and close lower and lower, a fourth black one has an upper shadow,
 * and a white one opens above its open and closes above its high.
 * The trend before the pattern is ignored.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLLADDERBOTTOM.
 */
export function ladderbottom(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const pairs = CandlePairs.of(frame)
  const out = frame.output(0)
  const after = out[to]
  for (let i = warmup(out, from, to, 14); i < to; i += 2) {
    // A jump over the open of a black candle is the rarest condition: the others are checked only where it holds.
    const possible = v128.and(f64x2.gt(pairs.open(i), pairs.open(i - 1)), pairs.isBlack(i - 1))
    RareSignals.write(candles, out, i, to, possible, signalAt)
  }
  out[to] = after
}

function signalAt(candles: Candles, i: i32): f64 {
  const first = i - 4
  const second = i - 3
  const third = i - 2
  const fourth = i - 1
  const fifth = i
  const fires =
    candles.close(fifth) > candles.high(fourth) &&
    candles.open(fifth) > candles.open(fourth) &&
    candles.isWhite(fifth) &&
    candles.isBlack(fourth) &&
    candles.isBlack(third) &&
    candles.isBlack(second) &&
    candles.isBlack(first) &&
    candles.open(second) < candles.open(first) &&
    candles.open(third) < candles.open(second) &&
    candles.close(second) < candles.close(first) &&
    candles.close(third) < candles.close(second) &&
    isLonger(candles.upperShadow(fourth), candles.veryShortShadow(fourth))
  return fires ? 100 : 0
}
