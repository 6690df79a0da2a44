import { Frame } from '../../frame'

/**
 * Lower Shadow: the lower end of the body minus the low.
 * Source: ta4j LowerShadowIndicator.
 */
export function lowershadow(frame: Frame, from: i32, to: i32): void {
  const open = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const out = frame.output(0)
  const after = out[to]
  for (let i = from; i < to; i += 2)
    out.setPair(i, f64x2.sub(f64x2.pmin(open.pair(i), close.pair(i)), low.pair(i)))
  out[to] = after
}
