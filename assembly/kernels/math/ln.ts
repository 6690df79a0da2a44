import { Frame } from '../../frame'
import { writeLogarithms } from '../../parts/numbers/exact-log'

/**
 * Vector Log Natural: the natural logarithm of the value. No value at 0, where TA-Lib returns infinity, and below.
 * Source: TA-Lib 0.6 LN.
 */
export function ln(frame: Frame, from: i32, to: i32): void {
  writeLogarithms(frame.input(0), frame.output(0), from, to)
}
