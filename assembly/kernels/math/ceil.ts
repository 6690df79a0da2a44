import { Frame } from '../../frame'

/**
 * Vector Ceil: the smallest whole number that is not below the value.
 * Source: TA-Lib 0.6 CEIL.
 */
export function ceil(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const after = out[to]
  for (let i = from; i < to; i += 2) out.setPair(i, f64x2.ceil(x.pair(i)))
  out[to] = after
}
