import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingRange } from '../../parts/windows/extremes'

/**
 * Range of a period: the highest minus the lowest of the last `period` values.
 * Source: Pine ta.range, as PyneCore has it.
 */
export function range(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const lowest = frame.scratch(0).from(-first)
  movingRange(x, x, 0, out, lowest, first, to, period, frame.scratch(1))
  const after = out[to]
  for (let i = first; i < to; i += 2) out.setPair(i, f64x2.sub(out.pair(i), lowest.pair(i)))
  out[to] = after
}
