import { Frame } from '../../frame'
import { Candles } from '../../parts/candles/candle-shape'
import { RareSignals } from '../../parts/candles/rare-signals'
import { CandlePairs } from '../../parts/numbers/simd'
import { isLonger } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Concealing Baby Swallow: 100 for four black candles: two without shadows, one whose body lies below a gap while its
 * upper shadow reaches into the second body, and one whose body and shadows cover the third.
 * The trend before the pattern is ignored.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLCONCEALBABYSWALL.
 */
export function concealbabyswall(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const pairs = CandlePairs.of(frame)
  const out = frame.output(0)
  const after = out[to]
  for (let i = warmup(out, from, to, 13); i < to; i += 2) {
    // A range inside another one is rare: the other conditions are checked only where there is one.
    const possible = v128.and(pairs.rangeInside(i, i - 1), pairs.areBlack(i, 4))
    RareSignals.write(candles, out, i, to, possible, signalAt)
  }
  out[to] = after
}

function signalAt(candles: Candles, i: i32): f64 {
  const first = i - 3
  const second = i - 2
  const third = i - 1
  const fourth = i
  const fires =
    candles.isBlack(first) &&
    candles.isBlack(second) &&
    candles.isBlack(third) &&
    candles.isBlack(fourth) &&
    candles.rangeInside(fourth, third) &&
    candles.bodyGapsDown(second, third) &&
    candles.high(third) > candles.close(second) &&
    isLonger(candles.upperShadow(third), candles.veryShortShadow(third)) &&
    candles.isShaven(first) &&
    candles.isShaven(second)
  return fires ? 100 : 0
}
