import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { deviation } from '../../parts/windows/deviation'

/**
 * Coefficient of Variation: the standard deviation of the last `period` values, divided by their mean. A fraction.
 * `estimator` population divides the squares by period, sample by period − 1; no value where the mean is 0.
 * Source: Pearson, Regression, Heredity, and Panmixia (1896).
 */
export function coefficientofvariation(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const size = <f64>period
  const share = frame.integer(1) === 0 ? 1 : sqrt(size / (size - 1))
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const means = frame.scratch(0).from(-first)
  deviation(frame.input(0), 0, means, out, first, to, period, frame.scratch(1))
  for (let i = first; i < to; i++) out[i] = means[i] !== 0 ? (share * out[i]) / means[i] : NaN
}
