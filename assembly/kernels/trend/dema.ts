import { Frame } from '../../frame'
import { doubleExponential } from '../../parts/averages/repeated-exponential'

/**
 * Double Exponential Moving Average: 2·e₁ − e₂, where e₁ is the exponential average and e₂ the average of e₁, which
 * removes lag.
 * Each average is seeded with the mean of its first `period` values (others seed with the first value).
 * Source: Mulloy, Smoothing Data with Faster Moving Averages (1994); TA-Lib 0.6 DEMA.
 */
export function dema(frame: Frame, from: i32, to: i32): void {
  doubleExponential(frame.input(0), 0, frame.output(0), from, to, frame.integer(0), frame.state)
}
