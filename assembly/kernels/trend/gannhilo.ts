import { Frame } from '../../frame'
import { isAbove } from '../../parts/numbers/tie'
import { movingMean } from '../../parts/windows/sums'

/**
 * Gann HiLo Activator: the mean of the lows after a close above the previous candle's mean of the highs (`trend` 1),
 * the mean of the highs after a close below its mean of the lows (−1). After a close between the two, line and trend
 * stay unchanged (TradingView lets the line move); the first candle is up if it is between.
 * A close that equals a mean, but for rounding, is between.
 * Source: Krausz, The New Gann Swing Chartist, Stocks & Commodities (1998); pandas-ta-classic hilo.
 */
export function gannhilo(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(2)
  const value = frame.output(0)
  const trend = frame.output(1)
  const state = frame.state
  const highPeriod = frame.integer(0)
  const lowPeriod = frame.integer(1)
  const lookback = max(highPeriod, lowPeriod)
  const suffixes = frame.scratch(2)
  let line = state[0]
  let side = from === 0 ? 0 : state[1]
  const first = max(from, lookback)
  for (let i = from; i < min(to, lookback); i++) {
    value[i] = NaN
    trend[i] = NaN
  }
  if (first < to) {
    const highs = frame.scratch(0).from(1 - first)
    const lows = frame.scratch(1).from(1 - first)
    movingMean(frame.input(0), 0, highs, first - 1, to, highPeriod, suffixes)
    movingMean(frame.input(1), 0, lows, first - 1, to, lowPeriod, suffixes)
    for (let i = first; i < to; i++) {
      if (isAbove(close[i], highs[i - 1])) side = 2
      else if (isAbove(lows[i - 1], close[i])) side = -2
      else if (side === 0) side = 2
      // Twice the side means that it was chosen at this candle.
      if (abs(side) > 1) {
        side /= 2
        line = side > 0 ? lows[i] : highs[i]
      }
      value[i] = line
      trend[i] = side
    }
  }
  state[0] = side === 0 ? 0 : line
  state[1] = side
}
