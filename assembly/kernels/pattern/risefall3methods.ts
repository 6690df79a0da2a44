import { Frame } from '../../frame'
import { Candles } from '../../parts/candles/candle-shape'
import { RareSignals } from '../../parts/candles/rare-signals'
import { CandlePairs } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Rising/Falling Three Methods: a long candle, three small ones of the other colour that run against it within its
 * range, and a long one of its own colour that opens beyond the last close and closes beyond the first. 100 where the
 * long candles are white, −100 where they are black.
 * It is enough if a part of each small body is within the range of the first candle.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLRISEFALL3METHODS.
 */
export function risefall3methods(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const pairs = CandlePairs.of(frame)
  const out = frame.output(0)
  const after = out[to]
  for (let i = warmup(out, from, to, 14); i < to; i += 2) {
    // A close that recovers three candles is rare: the other conditions are checked only there.
    const sign = pairs.sign(i - 4)
    const goesOn = f64x2.gt(v128.xor(pairs.close(i), sign), v128.xor(pairs.close(i - 4), sign))
    const differ = v128.or(pairs.differ(i - 4, i), pairs.differ(i - 3, i - 1))
    const possible = v128.and(v128.andnot(goesOn, differ), pairs.differ(i - 4, i - 3))
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
  const colour = candles.colour(first)
  const fires =
    candles.sameColour(first, fifth) &&
    !candles.sameColour(first, second) &&
    candles.sameColour(second, third) &&
    candles.sameColour(third, fourth) &&
    colour * candles.close(third) < colour * candles.close(second) &&
    colour * candles.close(fourth) < colour * candles.close(third) &&
    colour * candles.open(fifth) > colour * candles.close(fourth) &&
    colour * candles.close(fifth) > colour * candles.close(first) &&
    candles.bodyMeetsRange(second, first) &&
    candles.bodyMeetsRange(third, first) &&
    candles.bodyMeetsRange(fourth, first) &&
    candles.isLong(first) &&
    candles.isSmall(second) &&
    candles.isSmall(third) &&
    candles.isSmall(fourth) &&
    candles.isLong(fifth)
  return fires ? 100 * colour : 0
}
