import { Frame } from '../../frame'
import { trueRange } from '../../parts/candles/true-range'

/**
 * Supertrend: the band (high + low) / 2 ∓ multiplier·ATR that the close has to break for the advice to turn. The lower
 * band only rises while closes hold above it, the upper only falls while they hold below; the advice is `long` or
 * `short`.
 * Wilder's ATR. The first candle is long (Skender.Stock.Indicators: where it closes at or above its middle), and a close on
 * a band keeps the side.
 * Source: Seban, Supertrend; TA-Lib 0.8.3 SUPERTREND.
 */
export function supertrend(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const value = frame.output(0)
  const advice = frame.output(1)
  const state = frame.state
  const period = frame.integer(0)
  const multiplier = frame.number(1)
  const share = 1 / <f64>period
  const keep = 1 - share
  let range = from === 0 ? 0 : state[0]
  let upper = state[1]
  let lower = state[2]
  let isLong = state[3] > 0
  let i = from
  for (const end = min(to, period); i < end; i++) {
    if (i > 0) range += trueRange(high, low, close, i)
    value[i] = NaN
    advice[i] = NaN
  }
  for (; i < to; i++) {
    const now = trueRange(high, low, close, i)
    range = i === period ? (range + now) * share : range * keep + now * share
    const middle = (high[i] + low[i]) / 2
    const above = middle + multiplier * range
    const below = middle - multiplier * range
    if (i === period) {
      upper = above
      lower = below
      isLong = true
    } else {
      const before = close[i - 1]
      if (above < upper || before > upper) upper = above
      if (below > lower || before < lower) lower = below
    }
    if (i > period) isLong = isLong ? close[i] >= lower : close[i] > upper
    value[i] = isLong ? lower : upper
    advice[i] = isLong ? 1 : -1
  }
  state[0] = range
  state[1] = upper
  state[2] = lower
  state[3] = isLong ? 1 : -1
}
