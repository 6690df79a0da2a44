import { Frame } from '../../frame'
import { percentRange } from '../../parts/shared/percent-range'

/**
 * Williams' %R: the close minus the highest high of `period` candles, in percent of their range: 0 at the highest high,
 * −100 at the lowest low.
 * 0 where the range is 0.
 * Source: Williams, How I Made One Million Dollars (1973); TA-Lib 0.6 WILLR.
 */
export function willr(frame: Frame, from: i32, to: i32): void {
  percentRange(
    frame.input(0),
    frame.input(1),
    frame.input(2),
    frame.output(0),
    from,
    to,
    frame.integer(0),
    frame.scratch(0),
    frame.scratch(1),
  )
}
