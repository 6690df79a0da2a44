import { Frame } from '../../frame'
import { CandlePairs, hundreds } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Squeeze Alert: two consecutive candles, each strictly inside the range of the one before. 100 where the candle before
 * them is black, −100 where it is white.
 * Others also ask for a long first candle and a trend, which are ignored.
 * Source: Morris, Candlestick Charting Explained, squeeze alert, as candlesticker.com describes it.
 */
export function squeezealert(frame: Frame, from: i32, to: i32): void {
  const candles = CandlePairs.of(frame)
  const out = frame.output(0)
  const start = warmup(out, from, to, 2)
  const after = out[to]
  for (let i = start; i < to; i += 2) {
    const squeezes = v128.and(candles.rangeInside(i - 2, i - 1), candles.rangeInside(i - 1, i))
    out.setPair(i, v128.and(squeezes, hundreds(candles.isBlack(i - 2), candles.rises(i - 2))))
  }
  out[to] = after
}
