import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { moments } from '../../parts/windows/moments'

/**
 * Skewness: the third central moment of the last `period` values, divided by the second one to the power of 1.5.
 * `estimator` sample corrects it by √(n(n − 1))/(n − 2), as pandas does; no value where all values are equal.
 * Source: pandas-ta-classic skew (sample); QuanTAlib Skew and scipy.stats.skew (population).
 */
export function skewness(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const n = <f64>period
  const correction = frame.integer(1) === 0 ? sqrt(n * (n - 1)) / (n - 2) : 1
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const second = frame.scratch(0).from(-first)
  const fourth = frame.scratch(1).from(-first)
  moments(frame.input(0), second, out, fourth, first, to, period, frame.scratch(2), frame.scratch(3))
  for (let i = first; i < to; i++) {
    const variance = second[i]
    out[i] = variance > 0 ? (correction * out[i]) / (variance * sqrt(variance)) : NaN
  }
}
