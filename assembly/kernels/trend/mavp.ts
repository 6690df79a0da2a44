import { Frame } from '../../frame'
import { variableAverage } from '../../parts/variable'

/**
 * Moving average with variable period: at each candle the average of the kind `maType` over as many values as the second
 * source says, cut to whole numbers and to minPeriod … maxPeriod.
 * Recursive averages of all periods begin at the first candle that is printed, as in TA-Lib.
 * Source: TA-Lib 0.6 MAVP.
 */
export function mavp(frame: Frame, from: i32, to: i32): void {
  variableAverage(
    frame,
    frame.integer(2),
    frame.input(0),
    frame.input(1),
    frame.output(0),
    from,
    to,
    frame.integer(0),
    frame.integer(1),
  )
}
