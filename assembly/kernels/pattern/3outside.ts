import { Frame } from '../../frame'
import { CandlePairs, signedHundred } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Three Outside Up/Down: a body that covers the body before, which has the other colour, and a close that continues in
 * its direction. 100 where the covering candle is white, −100 where it is black.
 * The first value is at the fourth candle, as in TA-Lib, although three candles suffice.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDL3OUTSIDE.
 */
export function _3outside(frame: Frame, from: i32, to: i32): void {
  const candles = CandlePairs.of(frame)
  const out = frame.output(0)
  const start = warmup(out, from, to, 3)
  const after = out[to]
  for (let i = start; i < to; i += 2) {
    const first = i - 2
    const second = i - 1
    const third = i
    const sign = candles.sign(second)
    const goesOn = f64x2.gt(v128.xor(candles.close(third), sign), v128.xor(candles.close(second), sign))
    const differs = v128.xor(candles.isWhite(first), candles.isWhite(second))
    const fires = v128.and(candles.bodyInside(second, first), v128.and(differs, goesOn))
    out.setPair(i, signedHundred(fires, sign))
  }
  out[to] = after
}
