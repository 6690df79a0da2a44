import { triangular } from '../../average-types/average'
import { Frame } from '../../frame'

/**
 * Triangular Moving Average: the mean of the last `period` values with weights that rise to the middle of the window
 * and fall again.
 * Source: TA-Lib 0.6 TRIMA.
 */
export function trima(frame: Frame, from: i32, to: i32): void {
  const first = frame.scratch(0)
  const second = frame.scratch(1)
  triangular(frame.input(0), 0, frame.output(0), from, to, frame.integer(0), first, second)
}
