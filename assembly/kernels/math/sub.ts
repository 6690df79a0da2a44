import { Frame } from '../../frame'

/**
 * Vector Arithmetic Subtraction: the first value minus the second.
 * The values are high and low by default.
 * Source: TA-Lib 0.6 SUB.
 */
export function sub(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const y = frame.input(1)
  const out = frame.output(0)
  const after = out[to]
  for (let i = from; i < to; i += 2) out.setPair(i, f64x2.sub(x.pair(i), y.pair(i)))
  out[to] = after
}
