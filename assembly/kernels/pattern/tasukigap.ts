import { Frame } from '../../frame'
import { Candles } from '../../parts/candles/candle-shape'
import { CandlePairs } from '../../parts/numbers/simd'
import { isShorter } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Tasuki Gap: a body beyond a gap, and one of the other colour and about the same size that opens inside it and closes
 * inside the gap. 100 where the first of the two is white, above the gap, −100 where it is black, below it.
 * The candle before the gap may have any colour.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLTASUKIGAP.
 */
export function tasukigap(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const pairs = CandlePairs.of(frame)
  const out = frame.output(0)
  const after = out[to]
  for (let i = warmup(out, from, to, 7); i < to; i += 2) {
    // A close inside the gap is the rarest condition: the others are checked only where it holds.
    const isPossible = pairs.gapContains(i - 2, i - 1, pairs.close(i))
    if (v128.any_true(isPossible)) {
      out[i] = valueAt(candles, i)
      if (i + 1 < to) out[i + 1] = valueAt(candles, i + 1)
    } else out.setPair(i, f64x2.splat(0))
  }
  out[to] = after
}

function valueAt(candles: Candles, i: i32): f64 {
  const first = i - 2
  const second = i - 1
  const third = i
  const close = candles.close(third)
  const isAbove =
    candles.gapUpContains(first, second, close) && candles.isWhite(second) && candles.isBlack(third)
  const isBelow =
    candles.gapDownContains(first, second, close) && candles.isBlack(second) && candles.isWhite(third)
  const fires =
    (isAbove || isBelow) &&
    candles.bodyContains(second, candles.open(third)) &&
    isShorter(abs(candles.body(second) - candles.body(third)), candles.near(second))
  return fires ? (isAbove ? 100 : -100) : 0
}
