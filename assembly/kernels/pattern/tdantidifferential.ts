import { Frame } from '../../frame'
import { hundreds } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * TD Anti-Differential: 100 where the last four changes are two falls, a rise and a fall, −100 where they are two rises, a
 * fall and a rise.
 * Source: Perl, DeMark Indicators (2008), pages 169 and 170.
 */
export function tdantidifferential(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const start = warmup(out, from, to, 4)
  const after = out[to]
  for (let i = start; i < to; i += 2) {
    const now = x.pair(i)
    const one = x.pair(i - 1)
    const two = x.pair(i - 2)
    const three = x.pair(i - 3)
    const four = x.pair(i - 4)
    const isUp = v128.and(
      v128.and(f64x2.lt(three, four), f64x2.lt(two, three)),
      v128.and(f64x2.gt(one, two), f64x2.lt(now, one)),
    )
    const isDown = v128.and(
      v128.and(f64x2.gt(three, four), f64x2.gt(two, three)),
      v128.and(f64x2.lt(one, two), f64x2.gt(now, one)),
    )
    out.setPair(i, hundreds(isUp, isDown))
  }
  out[to] = after
}
