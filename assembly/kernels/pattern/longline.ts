import { Frame } from '../../frame'
import { CandlePairs, signedHundred } from '../../parts/simd'
import { warmup } from '../../parts/warmup'

/**
 * Long Line Candle: a long body between two short shadows. 100 where it is white, −100 where it is black.
 * Short is a shadow below the mean shadow of the ten candles before.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLLONGLINE.
 */
export function longline(frame: Frame, from: i32, to: i32): void {
  const candles = CandlePairs.of(frame)
  const out = frame.output(0)
  const bodies = frame.scratch(0)
  const ranges = frame.scratch(1)
  const start = warmup(out, from, to, 10)
  candles.sumBodies(bodies, start, to)
  candles.sumRanges(ranges, start, to)
  const after = out[to]
  for (let i = start; i < to; i += 2) {
    const fires = v128.and(candles.isLong(i, bodies), candles.hasShortShadows(i, bodies, ranges))
    out.setPair(i, signedHundred(fires, candles.sign(i)))
  }
  out[to] = after
}
