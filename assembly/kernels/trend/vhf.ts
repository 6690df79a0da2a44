import { Frame } from '../../frame'
import { areRounding } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { movingRange } from '../../parts/windows/extremes'
import { movingSum } from '../../parts/windows/sums'

/**
 * Vertical Horizontal Filter: the range of the last `period` values divided by the sum of their `period` changes.
 * 0 where nothing changed but for rounding.
 * Source: White 1991; Tulip Indicators vhf.
 */
export function vhf(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period)
  if (first >= to) return
  const oldest = first - period + 1
  const changes = frame.scratch(0).from(-oldest)
  const lowest = frame.scratch(1).from(-first)
  const suffixes = frame.scratch(2)
  for (let i = oldest; i < to; i += 2) changes.setPair(i, f64x2.abs(f64x2.sub(x.pair(i), x.pair(i - 1))))
  const sums = frame.scratch(3).from(-first)
  movingSum(changes, 1, sums, first, to, period, suffixes)
  movingRange(x, x, 0, out, lowest, first, to, period, suffixes)
  const after = out[to]
  for (let i = first; i < to; i += 2) {
    const path = sums.pair(i)
    const ratio = f64x2.div(f64x2.sub(out.pair(i), lowest.pair(i)), path)
    out.setPair(i, v128.andnot(ratio, areRounding(path, x.pair(i))))
  }
  out[to] = after
}
