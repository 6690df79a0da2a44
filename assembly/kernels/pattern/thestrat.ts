import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'

/**
 * TheStrat Scenario of each candle: 1 where it exceeds neither the high nor the low of the one before (inside), 2 where
 * it exceeds only the high, −2 where it exceeds only the low, 3 where it exceeds both (outside). An equal high or low
 * is not exceeded.
 * Source: Rob Smith's TheStrat, as TrendSpider describes it.
 */
export function thestrat(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const out = frame.output(0)
  const after = out[to]
  for (let i = warmup(out, from, to, 1); i < to; i += 2) {
    const isUp = f64x2.gt(high.pair(i), high.pair(i - 1))
    const isDown = f64x2.lt(low.pair(i), low.pair(i - 1))
    const below = v128.bitselect(f64x2.splat(-2), f64x2.splat(1), isDown)
    const above = v128.bitselect(f64x2.splat(3), f64x2.splat(2), isDown)
    out.setPair(i, v128.bitselect(above, below, isUp))
  }
  out[to] = after
}
