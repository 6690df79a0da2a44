import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { moments } from '../../parts/windows/moments'

/**
 * Kurtosis, the excess over that of a normal distribution: the fourth central moment of the last `period` values,
 * divided by the square of the second one, minus 3.
 * `estimator` sample corrects it to (n − 1)/((n − 2)(n − 3))·((n + 1)·value + 6), as pandas does; no value where all
 * values are equal.
 * Source: pandas-ta-classic kurtosis (sample); VectorTA kurtosis and scipy.stats.kurtosis (population).
 */
export function kurtosis(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const n = <f64>period
  const isSample = frame.integer(1) === 0
  const correction = isSample ? (n - 1) / ((n - 2) * (n - 3)) : 1
  const factor = isSample ? n + 1 : 1
  const summand: f64 = isSample ? 6 : 0
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const second = frame.scratch(0).from(-first)
  const third = frame.scratch(1).from(-first)
  moments(frame.input(0), second, third, out, first, to, period, frame.scratch(2), frame.scratch(3))
  for (let i = first; i < to; i++) {
    const variance = second[i]
    const excess = out[i] / (variance * variance) - 3
    out[i] = variance > 0 ? correction * (factor * excess + summand) : NaN
  }
}
