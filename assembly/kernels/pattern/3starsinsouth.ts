import { Frame } from '../../frame'
import { Candles } from '../../parts/candles/candle-shape'
import { RareSignals } from '../../parts/candles/rare-signals'
import { CandlePairs } from '../../parts/numbers/simd'
import { isLonger, isShorter } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Three Stars in the South: 100 for three ever smaller black candles: a long one with a long lower shadow; one that
 * opens above the first close, trades below that close but not below the first low, and has a lower shadow; a small one
 * without shadows inside the range of the second.
 * The trend before the pattern is ignored.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDL3STARSINSOUTH.
 */
export function _3starsinsouth(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const pairs = CandlePairs.of(frame)
  const out = frame.output(0)
  const after = out[to]
  for (let i = warmup(out, from, to, 12); i < to; i += 2) {
    // A range inside another one is rare: the other conditions are checked only where there is one.
    const possible = v128.and(
      pairs.rangeInside(i - 1, i),
      v128.and(pairs.areBlack(i, 3), f64x2.lt(pairs.body(i - 1), pairs.body(i - 2))),
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
    candles.isBlack(third) &&
    candles.rangeInside(second, third) &&
    isShorter(candles.body(second), candles.body(first)) &&
    candles.open(second) > candles.close(first) &&
    candles.open(second) <= candles.high(first) &&
    candles.low(second) < candles.close(first) &&
    candles.low(second) >= candles.low(first) &&
    isLonger(candles.lowerShadow(first), candles.longShadow(first)) &&
    candles.isLong(first) &&
    candles.isSmall(third) &&
    candles.isShaven(third) &&
    isLonger(candles.lowerShadow(second), candles.veryShortShadow(second))
  return fires ? 100 : 0
}
