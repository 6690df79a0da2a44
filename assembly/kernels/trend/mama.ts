import { mesa } from '../../average-types/average'
import { Frame } from '../../frame'

/**
 * MESA Adaptive Moving Average: an exponential average whose weight is `fastLimit` divided by how many degrees the
 * phase of the dominant cycle moved, at least `slowLimit`; FAMA follows it with half that weight.
 * The phase is the arctangent of the quotient, and the first twelve candles are ignored, as in TA-Lib.
 * Source: Ehlers, MESA Adaptive Moving Averages (2001); TA-Lib 0.6 MAMA.
 */
export function mama(frame: Frame, from: i32, to: i32): void {
  const fastLimit = frame.number(0)
  const slowLimit = frame.number(1)
  const lines = frame.output(0)
  mesa(frame.input(0), 0, lines, frame.output(1), from, to, fastLimit, slowLimit, frame.state)
}
