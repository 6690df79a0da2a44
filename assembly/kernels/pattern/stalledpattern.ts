import { Frame } from '../../frame'
import { advances } from '../../parts/candles/candle-sequences'
import { Candles } from '../../parts/candles/candle-shape'
import { RareSignals } from '../../parts/candles/rare-signals'
import { CandlePairs } from '../../parts/numbers/simd'
import { isLonger } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Stalled Pattern: −100 for three white candles that close higher and higher: two long ones, the second without an
 * upper shadow and opening in or near the first body, and a small one near the close of the second or above it.
 * The trend before the pattern is ignored.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLSTALLEDPATTERN.
 */
export function stalledpattern(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const pairs = CandlePairs.of(frame)
  const out = frame.output(0)
  const bodies = frame.scratch(0)
  const start = warmup(out, from, to, 12)
  pairs.sumBodies(bodies, start - 2, to)
  const after = out[to]
  for (let i = start; i < to; i += 2) {
    // Two long white candles before a small one are rare: the other conditions are checked only there.
    const possible = v128.and(
      v128.and(pairs.areWhite(i, 3), pairs.mayBeSmall(i, bodies)),
      v128.and(pairs.mayBeLong(i - 2, bodies), pairs.mayBeLong(i - 1, bodies)),
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
    !isLonger(candles.close(second) - candles.open(third), candles.body(third) + candles.near(second)) &&
    candles.isLong(first) &&
    candles.isLong(second) &&
    candles.hasShavenHead(second) &&
    candles.isSmall(third)
  return fires ? -100 : 0
}
