import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { moments } from '../../parts/windows/moments'

/**
 * Jarque-Bera Statistic: n/6·(S² + K²/4), where S is the skewness and K the excess kurtosis of the last `period`
 * values, both of the population. The larger, the less normal is their distribution.
 * No value where all values are equal.
 * Source: Jarque and Bera (1980); QuanTAlib Jb; scipy jarque_bera.
 */
export function jarquebera(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const share = <f64>period / 6
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const second = frame.scratch(0).from(-first)
  const third = frame.scratch(1).from(-first)
  moments(frame.input(0), second, third, out, first, to, period, frame.scratch(2), frame.scratch(3))
  for (let i = first; i < to; i++) {
    const variance = second[i]
    const square = variance * variance
    const squaredSkewness = (third[i] * third[i]) / (square * variance)
    const kurtosis = out[i] / square - 3
    out[i] = variance > 0 ? share * (squaredSkewness + 0.25 * kurtosis * kurtosis) : NaN
  }
}
