import { Frame } from '../../frame'
import { chaikinMoneyFlow } from '../../parts/shared/chaikin-money-flow'

/**
 * Chaikin Money Flow: the money flow of the last `period` candles divided by their volume, from −1 to 1.
 * A candle without a range has no flow; 0 where nothing was traded (others have no value there).
 * Source: Chaikin; Tulip Indicators 0.9 cmf.
 */
export function cmf(frame: Frame, from: i32, to: i32): void {
  chaikinMoneyFlow(frame, frame.output(0), from, to, 0)
}
