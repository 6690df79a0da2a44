import { Frame } from '../../frame'
import { Candles, within } from '../../parts/candles/candle-shape'
import { RareSignals } from '../../parts/candles/rare-signals'
import { CandlePairs } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Tweezer Top: −100 where a long white candle is followed by a black one with an equal high. A body is long above the
 * mean of the ten before; highs are equal up to a twentieth of the mean range of the five candles before the first one.
 * Nison also has tweezers of other colours and several candles apart; the trend before the pattern is not looked at.
 * Source: Nison, Japanese Candlestick Charting Techniques (1991), with the colours and the long first body that the
 * built-in pattern of TradingView has.
 */
export function tweezertop(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const pairs = CandlePairs.of(frame)
  const out = frame.output(0)
  const after = out[to]
  for (let i = warmup(out, from, to, 11); i < to; i += 2) {
    // Equal highs are rare: the other conditions are checked only where there are some.
    const possible = v128.and(
      v128.and(pairs.isWhite(i - 1), pairs.isBlack(i)),
      pairs.within(pairs.high(i), pairs.high(i - 1), pairs.equal(i - 1)),
    )
    RareSignals.write(candles, out, i, to, possible, signalAt)
  }
  out[to] = after
}

function signalAt(candles: Candles, i: i32): f64 {
  const before = i - 1
  const fires =
    candles.isWhite(before) &&
    candles.isBlack(i) &&
    within(candles.high(i), candles.high(before), candles.equal(before)) &&
    candles.isLong(before)
  return fires ? -100 : 0
}
