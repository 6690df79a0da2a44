import { Frame } from '../../frame'
import { advances } from '../../parts/candles/candle-sequences'
import { Candles } from '../../parts/candles/candle-shape'
import { RareSignals } from '../../parts/candles/rare-signals'
import { CandlePairs } from '../../parts/numbers/simd'
import { isLonger, isShorter } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Advance Block: −100 for three white candles, each closing higher and opening in or near the body before, that lose
 * strength: the second or third body is far smaller than the previous one, or the bodies shrink while the upper shadows
 * grow. The first candle is long with a short upper shadow; the trend before the pattern is ignored.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLADVANCEBLOCK.
 */
export function advanceblock(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const pairs = CandlePairs.of(frame)
  const out = frame.output(0)
  const bodies = frame.scratch(0)
  const start = warmup(out, from, to, 12)
  pairs.sumBodies(bodies, start - 2, to)
  const after = out[to]
  for (let i = start; i < to; i += 2) {
    // Three white candles with a long one before are rare: the other conditions are checked only there.
    const possible = v128.and(
      pairs.areWhite(i, 3),
      v128.and(pairs.mayBeLong(i - 2, bodies), f64x2.gt(pairs.close(i), pairs.close(i - 1))),
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
    advances(candles, third) &&
    candles.opensOnBody(first, second) &&
    candles.opensOnBody(second, third) &&
    candles.isLong(first) &&
    isShorter(candles.upperShadow(first), candles.shortShadow(first)) &&
    weakens(candles, first, second, third)
  return fires ? -100 : 0
}

/** Whether the three candles of an advance lose strength in one of the four ways that count. */
function weakens(candles: Candles, first: i32, second: i32, third: i32): bool {
  const start = candles.body(first)
  const middle = candles.body(second)
  const end = candles.body(third)
  const isFarShorter = isLonger(start, middle + candles.far(first))
  if (isFarShorter && isShorter(end, middle + candles.near(second))) return true
  if (isLonger(middle, end + candles.far(second))) return true
  if (!isShorter(end, middle)) return false
  if (isLonger(candles.upperShadow(third), candles.longShadow(third))) return true
  return (
    isShorter(middle, start) &&
    (isLonger(candles.upperShadow(third), candles.shortShadow(third)) ||
      isLonger(candles.upperShadow(second), candles.shortShadow(second)))
  )
}
