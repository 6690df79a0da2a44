import { Frame } from '../../frame'
import { hundreds } from '../../parts/numbers/simd'
import { areLonger } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Euphoria: an accelerating run that is expected to end soon. 100 for three black candles with larger and larger bodies
 * and lower and lower closes, −100 for three white ones with larger and larger bodies and higher and higher closes. The
 * book rounds prices; here they are not rounded.
 * Source: Kaabar, Mastering Financial Pattern Recognition (2022).
 */
export function euphoria(frame: Frame, from: i32, to: i32): void {
  const open = frame.input(0)
  const close = frame.input(1)
  const out = frame.output(0)
  const zero = f64x2.splat(0)
  const start = warmup(out, from, to, 2)
  const after = out[to]
  for (let i = start; i < to; i += 2) {
    const first = f64x2.sub(close.pair(i - 2), open.pair(i - 2))
    const second = f64x2.sub(close.pair(i - 1), open.pair(i - 1))
    const third = f64x2.sub(close.pair(i), open.pair(i))
    const nearer = f64x2.sub(close.pair(i - 1), close.pair(i - 2))
    const newest = f64x2.sub(close.pair(i), close.pair(i - 1))
    const grows = v128.and(
      areLonger(f64x2.abs(third), f64x2.abs(second)),
      areLonger(f64x2.abs(second), f64x2.abs(first)),
    )
    const isFall = v128.and(
      grows,
      v128.and(
        f64x2.lt(first, zero),
        f64x2.lt(f64x2.pmax(f64x2.pmax(second, third), f64x2.pmax(nearer, newest)), zero),
      ),
    )
    const isRise = v128.and(
      grows,
      v128.and(
        f64x2.gt(first, zero),
        f64x2.gt(f64x2.pmin(f64x2.pmin(second, third), f64x2.pmin(nearer, newest)), zero),
      ),
    )
    out.setPair(i, hundreds(isFall, isRise))
  }
  out[to] = after
}
