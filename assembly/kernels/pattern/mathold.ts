import { Frame } from '../../frame'
import { Candles } from '../../parts/candles/candle-shape'
import { RareSignals } from '../../parts/candles/rare-signals'
import { CandlePairs } from '../../parts/numbers/simd'
import { isShorter } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Mat Hold: 100 where a long white candle is followed by three small bodies that come down from above it, reaching less
 * than `penetration` bodies below its close, and a white one that closes above them all.
 * Of the three the first is black and stays above the long body; the other two may have any colour.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLMATHOLD.
 */
export function mathold(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const pairs = CandlePairs.of(frame)
  const out = frame.output(0)
  const after = out[to]
  for (let i = warmup(out, from, to, 14); i < to; i += 2) {
    // A gap between bodies is rare: the other conditions are checked only where there is one.
    const possible = v128.and(
      pairs.bodyGapsUp(i - 4, i - 3),
      v128.and(pairs.isBlack(i - 3), pairs.isWhite(i)),
    )
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
  const ceiling = candles.close(first)
  const depth = candles.body(first) * candles.number(0)
  const fires =
    candles.isWhite(first) &&
    candles.isBlack(second) &&
    candles.isWhite(fifth) &&
    candles.bodyGapsUp(first, second) &&
    candles.bottom(third) < ceiling &&
    candles.bottom(fourth) < ceiling &&
    isShorter(ceiling - candles.bottom(third), depth) &&
    isShorter(ceiling - candles.bottom(fourth), depth) &&
    candles.top(third) < candles.top(second) &&
    candles.top(fourth) < candles.top(third) &&
    candles.open(fifth) > candles.close(fourth) &&
    candles.close(fifth) > candles.high(second) &&
    candles.close(fifth) > candles.high(third) &&
    candles.close(fifth) > candles.high(fourth) &&
    candles.isLong(first) &&
    candles.isSmall(second) &&
    candles.isSmall(third) &&
    candles.isSmall(fourth)
  return fires ? 100 : 0
}
