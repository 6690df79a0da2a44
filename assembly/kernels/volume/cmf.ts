import { Frame } from '../../frame'
import { chaikinMoneyFlow } from '../../parts/chaikin-money-flow'

/**
 * Chaikin Money Flow: the money flow of the last `period` candles divided by their volume, from −1 to 1.
 * A candle without a range has no flow; 0 where nothing was traded (others have no value there).
 * Source: Chaikin; Tulip Indicators 0.9 cmf.
 */
export function cmf(frame: Frame, from: i32, to: i32): void {
  chaikinMoneyFlow(
    frame.input(0),
    frame.input(1),
    frame.input(2),
    frame.input(3),
    frame.output(0),
    from,
    to,
    frame.integer(0),
    frame.scratch(0),
    frame.scratch(1),
    frame.scratch(2),
  )
}
