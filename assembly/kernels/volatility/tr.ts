import { Frame } from '../../frame'
import { stretchedRange, trueRanges } from '../../parts/candles/true-range'

/**
 * True Range: the distance between the higher of high and previous close and the lower of low and previous close.
 * At the first candle it is high − low.
 * Source: Wilder, New Concepts in Technical Trading Systems (1978); Tulip Indicators tr.
 */
export function tr(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const out = frame.output(0)
  const state = frame.state
  if (from >= to) return
  out[from] = stretchedRange(high[from], low[from], from === 0 ? high[0] : state[0])
  trueRanges(high, low, close, out, from + 1, to)
  state[0] = close[to - 1]
}
