import { Frame } from '../../frame'

/**
 * Heikin-Ashi Candles: the close is the mean of the candle's four prices, the open the middle of the Heikin-Ashi candle
 * before, high and low reach around both.
 * The first open is the middle of the candle's own open and close.
 * Source: Valcu, Using the Heikin-Ashi Technique, Stocks & Commodities (February 2004); Skender.Stock.Indicators HeikinAshi.
 */
export function heikinashi(frame: Frame, from: i32, to: i32): void {
  const open = frame.input(0)
  const high = frame.input(1)
  const low = frame.input(2)
  const close = frame.input(3)
  const state = frame.state
  let start = from === 0 ? open[0] : state[0]
  let end = from === 0 ? close[0] : state[1]
  for (let i = from; i < to; i++) {
    start = (start + end) / 2
    end = (open[i] + high[i] + low[i] + close[i]) / 4
    frame.output(0)[i] = start
    frame.output(1)[i] = max(high[i], max(start, end))
    frame.output(2)[i] = min(low[i], min(start, end))
    frame.output(3)[i] = end
  }
  state[0] = start
  state[1] = end
}
