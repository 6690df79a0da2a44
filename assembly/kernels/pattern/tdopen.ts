import { Frame } from '../../frame'
import { hundreds } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * TD Open: a gap that is closed. 100 where the open lies below the low before and the high above it, −100 where the open
 * lies above the high before and the low below it.
 * Source: DeMark, New Market Timing Techniques (1997), page 238; Perl, DeMark Indicators (2008).
 */
export function tdopen(frame: Frame, from: i32, to: i32): void {
  const open = frame.input(0)
  const high = frame.input(1)
  const low = frame.input(2)
  const out = frame.output(0)
  const start = warmup(out, from, to, 1)
  const after = out[to]
  for (let i = start; i < to; i += 2) {
    const top = high.pair(i - 1)
    const bottom = low.pair(i - 1)
    const isUp = v128.and(f64x2.lt(open.pair(i), bottom), f64x2.gt(high.pair(i), bottom))
    const isDown = v128.and(f64x2.gt(open.pair(i), top), f64x2.lt(low.pair(i), top))
    out.setPair(i, hundreds(isUp, isDown))
  }
  out[to] = after
}
