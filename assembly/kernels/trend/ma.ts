import { average } from '../../average-types/average'
import { Frame } from '../../frame'

/**
 * Moving Average of the kind `maType`: 0 SMA, 1 EMA, 2 WMA, 3 DEMA, 4 TEMA, 5 TRIMA, 6 KAMA, 7 MAMA, 8 T3.
 * A period of 1 is a copy; MAMA has the limits 0.5 and 0.05 whatever the period, T3 the volume factor 0.7.
 * Source: TA-Lib 0.6 MA.
 */
export function ma(frame: Frame, from: i32, to: i32): void {
  const period = frame.integer(0)
  const type = frame.integer(1)
  average(type, frame.input(0), 0, frame.output(0), from, to, period, frame.state, frame, 0)
}
