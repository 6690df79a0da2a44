import { Column } from '../../frame'

/** Writes `out[i] = x[i − lag]` for i in [from, to). The columns must not overlap. */
export function copy(x: Column, out: Column, from: i32, to: i32, lag: i32 = 0): void {
  const after = out[to]
  for (let i = from; i < to; i += 2) out.setPair(i, x.pair(i - lag))
  out[to] = after
}
