import { Frame } from '../../frame'

/**
 * Upper Shadow: the high minus the upper end of the body.
 * Source: ta4j UpperShadowIndicator.
 */
export function uppershadow(frame: Frame, from: i32, to: i32): void {
  const open = frame.input(0)
  const high = frame.input(1)
  const close = frame.input(2)
  const out = frame.output(0)
  const after = out[to]
  for (let i = from; i < to; i += 2)
    out.setPair(i, f64x2.sub(high.pair(i), f64x2.pmax(open.pair(i), close.pair(i))))
  out[to] = after
}
