import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { deviation } from '../../parts/windows/deviation'

/**
 * One-sample t-statistic: the mean of the last `period` values minus `mu`, divided by the standard error of the mean.
 * The deviation of a sample; no value where all values are equal. QuanTAlib calls it ZTEST.
 * Source: Student, The Probable Error of a Mean (1908); scipy ttest_1samp.
 */
export function ttest(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const mu = frame.number(1)
  const root = sqrt(<f64>(period - 1))
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const means = frame.scratch(0).from(-first)
  deviation(frame.input(0), 0, means, out, first, to, period, frame.scratch(1))
  for (let i = first; i < to; i++) out[i] = out[i] > 0 ? (root * (means[i] - mu)) / out[i] : NaN
}
