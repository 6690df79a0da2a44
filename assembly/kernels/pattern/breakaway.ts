import { Frame } from '../../frame'
import { Candles } from '../../parts/candles/candle-shape'
import { CandlePairs } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Breakaway: a long candle, a body of its colour beyond a gap, two candles that each reach further on both ends, the
 * latter again of that colour, and one of the other colour that closes inside the gap. 100 where the last is white,
 * −100 where it is black.
 * The third candle may have any colour; the trend before the pattern is ignored.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLBREAKAWAY.
 */
export function breakaway(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const pairs = CandlePairs.of(frame)
  const out = frame.output(0)
  const after = out[to]
  for (let i = warmup(out, from, to, 14); i < to; i += 2) {
    // A close inside the gap is the rarest condition: the others are checked only where it holds.
    const isPossible = pairs.gapContains(i - 4, i - 3, pairs.close(i))
    if (v128.any_true(isPossible)) {
      out[i] = valueAt(candles, i)
      if (i + 1 < to) out[i + 1] = valueAt(candles, i + 1)
    } else out.setPair(i, f64x2.splat(0))
  }
  out[to] = after
}

function valueAt(candles: Candles, i: i32): f64 {
  const first = i - 4
  const second = i - 3
  const third = i - 2
  const fourth = i - 1
  const fifth = i
  const close = candles.close(fifth)
  const isBottom =
    candles.gapDownContains(first, second, close) &&
    candles.isWhite(fifth) &&
    candles.stepsDown(second, third) &&
    candles.stepsDown(third, fourth)
  const isTop =
    candles.gapUpContains(first, second, close) &&
    candles.isBlack(fifth) &&
    candles.stepsUp(second, third) &&
    candles.stepsUp(third, fourth)
  const fires =
    (isBottom || isTop) &&
    !candles.sameColour(first, fifth) &&
    !candles.sameColour(second, fifth) &&
    !candles.sameColour(fourth, fifth) &&
    candles.isLong(first)
  return fires ? (isBottom ? 100 : -100) : 0
}
