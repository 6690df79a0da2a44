import { Frame } from '../../frame'
import { Candles } from '../../parts/anatomy'
import { warmup } from '../../parts/warmup'

/**
 * Three Outside Up/Down: a body that covers the body before, which has the other colour, and a close that goes on in
 * its direction. 100 where the covering candle is white, −100 where it is black.
 * The first value is that of the fourth candle, as in TA-Lib, although three would do.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDL3OUTSIDE.
 */
export function _3outside(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 3); i < to; i++) {
    const first = i - 2
    const second = i - 1
    const third = i
    const colour = candles.colour(second)
    const fires =
      candles.bodyInside(second, first) &&
      !candles.sameColour(first, second) &&
      colour * candles.close(third) > colour * candles.close(second)
    out[i] = fires ? 100 * colour : 0
  }
}
