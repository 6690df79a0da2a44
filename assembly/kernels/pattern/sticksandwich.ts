import { Frame } from '../../frame'
import { Candles, within } from '../../parts/candles/candle-shape'
import { RareSignals } from '../../parts/candles/rare-signals'
import { CandlePairs } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Stick Sandwich: 100 where a white candle that stays above the close before stands between two black ones that close
 * at equal prices.
 * The trend before the pattern is ignored.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLSTICKSANDWICH.
 */
export function sticksandwich(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const pairs = CandlePairs.of(frame)
  const out = frame.output(0)
  const after = out[to]
  for (let i = warmup(out, from, to, 7); i < to; i += 2) {
    // A candle above the close before is rare: the other conditions are checked only there.
    const possible = v128.and(f64x2.gt(pairs.low(i - 1), pairs.close(i - 2)), pairs.isBlack(i - 2))
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
    candles.isWhite(second) &&
    candles.isBlack(third) &&
    candles.low(second) > candles.close(first) &&
    within(candles.close(third), candles.close(first), candles.equal(first))
  return fires ? 100 : 0
}
