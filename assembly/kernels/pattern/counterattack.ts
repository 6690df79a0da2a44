import { Frame } from '../../frame'
import { Candles, within } from '../../parts/candles/candle-shape'
import { RareSignals } from '../../parts/candles/rare-signals'
import { CandlePairs } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Counterattack: two long candles of different colours that close at equal prices. 100 where the second is white, −100
 * where it is black.
 * The trend before the pattern is not looked at.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLCOUNTERATTACK.
 */
export function counterattack(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const pairs = CandlePairs.of(frame)
  const out = frame.output(0)
  const after = out[to]
  for (let i = warmup(out, from, to, 11); i < to; i += 2) {
    // Equal closes are rare: the other conditions are checked only where there are some.
    const possible = v128.and(
      pairs.differ(i - 1, i),
      pairs.within(pairs.close(i), pairs.close(i - 1), pairs.equal(i - 1)),
    )
    RareSignals.write(candles, out, i, to, possible, signalAt)
  }
  out[to] = after
}

function signalAt(candles: Candles, i: i32): f64 {
  const first = i - 1
  const second = i
  const fires =
    !candles.sameColour(first, second) &&
    within(candles.close(second), candles.close(first), candles.equal(first)) &&
    candles.isLong(first) &&
    candles.isLong(second)
  return fires ? 100 * candles.colour(second) : 0
}
