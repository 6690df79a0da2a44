import { Frame } from '../../frame'
import { hundreds } from '../../parts/numbers/simd'
import { areLonger } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Reversal Bar: 100 where the low is lower than the one before and the close above the middle of the candle, −100 where
 * the high is higher than the one before and the close below the middle.
 * Williams also asks for a distance from the alligator, which is ignored.
 * Source: Williams, Trading Chaos (1995), bullish and bearish divergent bars.
 */
export function reversalbar(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const out = frame.output(0)
  const start = warmup(out, from, to, 1)
  const after = out[to]
  for (let i = start; i < to; i += 2) {
    const top = high.pair(i)
    const bottom = low.pair(i)
    const above = f64x2.sub(close.pair(i), bottom)
    const below = f64x2.sub(top, close.pair(i))
    const isUp = v128.and(f64x2.lt(bottom, low.pair(i - 1)), areLonger(above, below))
    const isDown = v128.and(f64x2.gt(top, high.pair(i - 1)), areLonger(below, above))
    out.setPair(i, hundreds(isUp, isDown))
  }
  out[to] = after
}
