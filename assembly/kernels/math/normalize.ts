import { Frame } from '../../frame'
import { areRounding } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { movingRange } from '../../parts/windows/extremes'

/**
 * Min-max Normalization: the position of the value between the lowest (0) and the highest (1) of the last `period`.
 * One half where all are equal but for rounding.
 * Source: QuanTAlib Normalize.
 */
export function normalize(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const lowest = frame.scratch(0).from(-first)
  movingRange(x, x, 0, out, lowest, first, to, period, frame.scratch(1))
  const after = out[to]
  for (let i = first; i < to; i += 2) {
    const bottom = lowest.pair(i)
    const range = f64x2.sub(out.pair(i), bottom)
    const share = f64x2.div(f64x2.sub(x.pair(i), bottom), range)
    out.setPair(i, v128.bitselect(f64x2.splat(0.5), share, areRounding(range, bottom)))
  }
  out[to] = after
}
