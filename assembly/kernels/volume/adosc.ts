import { Frame } from '../../frame'
import { chaikinOscillator } from '../../parts/shared/chaikin-oscillator'

/**
 * Chaikin A/D Oscillator: an exponential average of the A/D line over `fastPeriod` minus one over `slowPeriod`.
 * Both averages are seeded with the line's first value (others with a mean; the difference fades).
 * Source: Chaikin; TA-Lib 0.6 ADOSC.
 */
export function adosc(frame: Frame, from: i32, to: i32): void {
  chaikinOscillator(frame, frame.output(0), from, to, frame.state)
}
