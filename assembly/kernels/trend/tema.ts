import { Frame } from '../../frame'
import { tripleExponential } from '../../parts/averages/repeated-exponential'

/**
 * Triple Exponential Moving Average: 3·e₁ − 3·e₂ + e₃, where e₂ is the exponential average of e₁ and e₃ that of e₂.
 * Each average is seeded with the mean of its first `period` values (others seed with the first value).
 * Source: Mulloy, Smoothing Data with Faster Moving Averages (1994); TA-Lib 0.6 TEMA.
 */
export function tema(frame: Frame, from: i32, to: i32): void {
  tripleExponential(frame.input(0), 0, frame.output(0), from, to, frame.integer(0), frame.state)
}
