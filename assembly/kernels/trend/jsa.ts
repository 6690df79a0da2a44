import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Jsa Moving Average: the mean of the newest value and the one `period` candles before it.
 * Source: jesse jsa; VectorTA jsa.
 */
export function jsa(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period)
  const after = out[to]
  for (let i = first; i < to; i += 2) {
    out.setPair(i, f64x2.mul(f64x2.add(x.pair(i), x.pair(i - period)), f64x2.splat(0.5)))
  }
  out[to] = after
}
