import { Frame } from '../../frame'
import { kicks } from '../../parts/candles/candle-sequences'
import { Candles } from '../../parts/candles/candle-shape'
import { RareSignals } from '../../parts/candles/rare-signals'
import { CandlePairs } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Kicking: two long candles without shadows, of different colours, with a gap between them against the direction of the
 * first. 100 where the second is white, −100 where it is black.
 * The trend before the pattern is ignored.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLKICKING.
 */
export function kicking(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const pairs = CandlePairs.of(frame)
  const out = frame.output(0)
  const after = out[to]
  for (let i = warmup(out, from, to, 11); i < to; i += 2) {
    // A gap between ranges is rare: the other conditions are checked only where there is one.
    const possible = pairs.rangeGaps(i - 1, i)
    RareSignals.write(candles, out, i, to, possible, signalAt)
  }
  out[to] = after
}

function signalAt(candles: Candles, i: i32): f64 {
  return kicks(candles, i) ? 100 * candles.colour(i) : 0
}
