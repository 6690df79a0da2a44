import { Frame } from '../../frame'
import { writeExponentials } from '../../parts/numbers/exact-exp'

/**
 * Exponential: e to the power of the value.
 * No value where it is too large for a number (inputs above 709), where TA-Lib returns infinity.
 * Source: TA-Lib 0.6 EXP.
 */
export function exp(frame: Frame, from: i32, to: i32): void {
  writeExponentials(frame.input(0), frame.output(0), from, to)
}
