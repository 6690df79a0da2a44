import { Frame } from '../../frame'

/**
 * Vector Square Root: the number whose square is the value.
 * No value below 0.
 * Source: TA-Lib 0.6 SQRT.
 */
export function sqrt(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const after = out[to]
  for (let i = from; i < to; i += 2) out.setPair(i, f64x2.sqrt(x.pair(i)))
  out[to] = after
}
