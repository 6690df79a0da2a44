import { Frame } from '../../frame'
import { tillson } from '../../parts/averages/repeated-exponential'

/**
 * Triple Exponential Moving Average (T3): Tillson's generalised double average e + vFactor·(e − e of e), applied three
 * times; 0 gives plain exponential averages, 1 double ones.
 * Each of the six averages is seeded with the mean of its first `period` values.
 * Source: Tillson, Smoothing Techniques for More Accurate Signals (1998); TA-Lib 0.6 T3.
 */
export function t3(frame: Frame, from: i32, to: i32): void {
  const vFactor = frame.number(1)
  tillson(frame.input(0), 0, frame.output(0), from, to, frame.integer(0), vFactor, frame.state)
}
