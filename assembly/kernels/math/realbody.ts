import { Frame } from '../../frame'

/**
 * Real Body: the close minus the open.
 * Source: ta4j RealBodyIndicator.
 */
export function realbody(frame: Frame, from: i32, to: i32): void {
  const open = frame.input(0)
  const close = frame.input(1)
  const out = frame.output(0)
  const after = out[to]
  for (let i = from; i < to; i += 2) out.setPair(i, f64x2.sub(close.pair(i), open.pair(i)))
  out[to] = after
}
