import { Frame } from '../../frame'

/**
 * Vector Floor: the largest whole number that is not above the value.
 * Source: TA-Lib 0.6 FLOOR.
 */
export function floor(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const after = out[to]
  for (let i = from; i < to; i += 2) out.setPair(i, f64x2.floor(x.pair(i)))
  out[to] = after
}
