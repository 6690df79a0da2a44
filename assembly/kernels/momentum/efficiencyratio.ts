import { Frame } from '../../frame'
import { areRounding } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { movingSum } from '../../parts/windows/sums'

/**
 * Efficiency Ratio: the absolute change over `period` candles, divided by the sum of the absolute changes of single
 * candles, 0 to 1. 1 where nothing moved but for rounding, as in TA-Lib, whose KAMA needs it.
 * Source: Kaufman, Smarter Trading (1995); pandas-ta-classic er.
 */
export function efficiencyratio(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period)
  if (first >= to) return
  const oldest = first - period + 1
  const changes = frame.scratch(0).from(-oldest)
  for (let i = oldest; i < to; i += 2) changes.setPair(i, f64x2.abs(f64x2.sub(x.pair(i), x.pair(i - 1))))
  movingSum(changes, 1, out, first, to, period, frame.scratch(1))
  const after = out[to]
  for (let i = first; i < to; i += 2) {
    const path = out.pair(i)
    const distance = f64x2.abs(f64x2.sub(x.pair(i), x.pair(i - period)))
    // NaN stays NaN.
    const ratio = f64x2.pmin(f64x2.div(distance, path), f64x2.splat(1))
    out.setPair(i, v128.bitselect(f64x2.splat(1), ratio, areRounding(path, x.pair(i))))
  }
  out[to] = after
}
