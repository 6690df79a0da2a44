import { Frame } from '../../frame'
import { warmup } from './warmup'

/** Crossings of two columns. Methods, because only they may be inlined where the constants are known. */
export class Crossings {
  /** 1 where input 0 rises above input 1, if `above`, and where it falls below it, if `below`; 0 elsewhere. */
  @inline
  static crossings(frame: Frame, from: i32, to: i32, above: bool, below: bool): void {
    const x = frame.input(0)
    const y = frame.input(1)
    const out = frame.output(0)
    const after = out[to]
    for (let i = warmup(out, from, to, 1); i < to; i += 2) {
      const now = x.pair(i)
      const other = y.pair(i)
      const before = x.pair(i - 1)
      const otherBefore = y.pair(i - 1)
      let crossed = f64x2.splat(0)
      if (above) crossed = v128.and(f64x2.gt(now, other), f64x2.le(before, otherBefore))
      if (below) crossed = v128.or(crossed, v128.and(f64x2.lt(now, other), f64x2.ge(before, otherBefore)))
      out.setPair(i, v128.and(crossed, f64x2.splat(1)))
    }
    out[to] = after
  }
}
