import { Column } from '../frame'

/** Writes `out[i] = x[i − lag]` for i in [from, to). The columns must not overlap. */
export function copy(x: Column, out: Column, from: i32, to: i32, lag: i32 = 0): void {
  if (from >= to) return
  const bytes = (<usize>(to - from)) << 3
  memory.copy(changetype<usize>(out.from(from)), changetype<usize>(x.from(from - lag)), bytes)
}
