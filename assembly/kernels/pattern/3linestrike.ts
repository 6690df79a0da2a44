import { Frame } from '../../frame'
import { Candles } from '../../parts/candles/candle-shape'
import { RareSignals } from '../../parts/candles/rare-signals'
import { CandlePairs } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Three-Line Strike: three candles of one colour, each closing beyond the previous close and opening in or near the
 * previous body, then one of the other colour that opens beyond the third close and closes behind the first open. 100
 * for three white candles, −100 for three black ones.
 * The sign follows the three candles: the strike is treated as a pause in their trend.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDL3LINESTRIKE.
 */
export function _3linestrike(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const pairs = CandlePairs.of(frame)
  const out = frame.output(0)
  const after = out[to]
  for (let i = warmup(out, from, to, 8); i < to; i += 2) {
    // A close that goes back over three candles is rare: the other conditions are checked only there.
    const sign = pairs.sign(i - 1)
    const goesBack = f64x2.lt(v128.xor(pairs.close(i), sign), v128.xor(pairs.open(i - 3), sign))
    const possible = v128.and(pairs.differ(i - 1, i), v128.and(pairs.differ(i - 3, i), goesBack))
    RareSignals.write(candles, out, i, to, possible, signalAt)
  }
  out[to] = after
}

function signalAt(candles: Candles, i: i32): f64 {
  const first = i - 3
  const second = i - 2
  const third = i - 1
  const fourth = i
  const colour = candles.colour(third)
  const fires =
    colour * candles.close(fourth) < colour * candles.open(first) &&
    colour * candles.open(fourth) > colour * candles.close(third) &&
    colour * candles.close(third) > colour * candles.close(second) &&
    colour * candles.close(second) > colour * candles.close(first) &&
    candles.sameColour(first, second) &&
    candles.sameColour(second, third) &&
    !candles.sameColour(third, fourth) &&
    candles.opensNearBody(first, second) &&
    candles.opensNearBody(second, third)
  return fires ? 100 * colour : 0
}
