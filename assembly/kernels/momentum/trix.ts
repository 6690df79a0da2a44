import { Frame } from '../../frame'
import { tripleChange } from '../../parts/averages/repeated-exponential'

/**
 * TRIX: the change of the triple exponential average (an average of an average of an average) since the previous
 * candle, in percent.
 * Each average is seeded with the mean of the first `period` values of the one before it; 0 after an average of 0; a
 * period of 1 is the plain change (TA-Lib miscounts there).
 * Source: Hutson, Stocks & Commodities (1983); TA-Lib 0.6 TRIX.
 */
export function trix(frame: Frame, from: i32, to: i32): void {
  tripleChange(frame.input(0), frame.output(0), from, to, frame.integer(0), frame.state)
}
