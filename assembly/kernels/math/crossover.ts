import { Frame } from '../../frame'
import { warmup } from '../../parts/warmup'

/**
 * Cross over: 1 where the first value rises above the second, else 0.
 * The values are close and open by default; values that were equal before cross as soon as they differ.
 * Source: Tulip Indicators crossover.
 */
export function crossover(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const y = frame.input(1)
  const out = frame.output(0)
  const after = out[to]
  for (let i = warmup(out, from, to, 1); i < to; i += 2)
    out.setPair(i, crossed(x.pair(i), y.pair(i), x.pair(i - 1), y.pair(i - 1)))
  out[to] = after
}

function crossed(now: v128, other: v128, before: v128, otherBefore: v128): v128 {
  const rises = v128.and(f64x2.gt(now, other), f64x2.le(before, otherBefore))
  return v128.and(rises, f64x2.splat(1))
}
