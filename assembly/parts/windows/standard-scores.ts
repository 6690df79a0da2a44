import { Column } from '../../frame'
import { quotients } from '../numbers/quotient'
import { warmup } from '../numbers/warmup'
import { deviation } from './deviation'

/**
 * Distance of each value of `x` above the mean of the last `period`, in standard deviations; NaN where they are all equal
 * and before candle `period − 1`. The deviation is that of a sample if `isSample`, else of the population. `meanColumn` and
 * `suffixes` are scratch columns.
 */
export function standardScores(
  x: Column,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  isSample: bool,
  meanColumn: Column,
  suffixes: Column,
): void {
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const means = meanColumn.from(-first)
  deviation(x, 0, means, out, first, to, period, suffixes)
  const share = f64x2.splat(isSample ? sqrt(<f64>(period - 1) / <f64>period) : 1)
  const after = out[to]
  for (let i = first; i < to; i += 2) {
    const distance = f64x2.sub(x.pair(i), means.pair(i))
    out.setPair(i, f64x2.mul(quotients(distance, out.pair(i)), share))
  }
  out[to] = after
}
