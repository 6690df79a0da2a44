import { Frame } from '../../frame'
import { CandlePairs, signedHundred } from '../../parts/numbers/simd'
import { areLonger } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'

/**
 * High-Wave Candle: a small body between two shadows, each longer than two bodies. 100 where it is white, −100 where it
 * is black.
 * It means indecision; the sign is only the colour.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLHIGHWAVE.
 */
export function highwave(frame: Frame, from: i32, to: i32): void {
  const candles = CandlePairs.of(frame)
  const out = frame.output(0)
  const bodies = frame.scratch(0)
  const start = warmup(out, from, to, 10)
  candles.sumBodies(bodies, start, to)
  const after = out[to]
  for (let i = start; i < to; i += 2) {
    const long = f64x2.mul(f64x2.splat(2), candles.body(i))
    const areLong = v128.and(areLonger(candles.upperShadow(i), long), areLonger(candles.lowerShadow(i), long))
    const fires = v128.and(areLong, candles.isSmall(i, bodies))
    out.setPair(i, signedHundred(fires, candles.sign(i)))
  }
  out[to] = after
}
