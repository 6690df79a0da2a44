import { Frame } from '../../frame'
import { moneyFlowIndex } from '../../parts/shared/money-flow-index'

/**
 * Money Flow Index: 100·P / (P + N), where P and N are the sums of typical price times volume over those of `period`
 * candles whose typical price rose (P) or fell (N).
 * 0 where no money flowed.
 * Source: Quong and Soudack, Technical Analysis of Stocks & Commodities (1989); TA-Lib 0.8.3 MFI.
 */
export function mfi(frame: Frame, from: i32, to: i32): void {
  moneyFlowIndex(frame, frame.output(0), from, to, 0)
}
