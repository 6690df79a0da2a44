import { Frame } from '../../frame'
import { hundreds } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * TD Trap: a candle that opens within the previous range, ends included, and leaves it on one side: 100 where it
 * exceeds only the previous high, −100 where it falls below only the previous low.
 * Source: DeMark, New Market Timing Techniques (1997), page 238; Perl, DeMark Indicators (2008).
 */
export function tdtrap(frame: Frame, from: i32, to: i32): void {
  const open = frame.input(0)
  const high = frame.input(1)
  const low = frame.input(2)
  const out = frame.output(0)
  const start = warmup(out, from, to, 1)
  const after = out[to]
  for (let i = start; i < to; i += 2) {
    const top = high.pair(i - 1)
    const bottom = low.pair(i - 1)
    const isWithin = v128.and(f64x2.le(open.pair(i), top), f64x2.ge(open.pair(i), bottom))
    const isUp = f64x2.gt(high.pair(i), top)
    const isDown = f64x2.lt(low.pair(i), bottom)
    out.setPair(i, v128.and(v128.and(isWithin, v128.xor(isUp, isDown)), hundreds(isUp, isDown)))
  }
  out[to] = after
}
