import { Frame } from '../../frame'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'
import { warmup } from '../../parts/numbers/warmup'
import { isPivot } from '../../parts/swings/pivots'

const fastPeriod = 5
const slowPeriod = 10

/**
 * Support and Resistance with Breaks: resistance is the newest confirmed swing high, support the newest confirmed swing
 * low. A swing high is a high above those of the `swingRight` candles after it and not below those of the `swingLeft`
 * candles before it, known with the last of them; a swing low is the mirror image. Each level stays until the next one.
 * `breakValue` is 100 at a candle that closes above the resistance after a close not above it, −100 at one that closes
 * below the support after a close not below it, if the volume rises enough: 100·(fast − slow)/slow above
 * `volumeThreshold`, fast and slow being exponential averages of the volume over 5 and 10 candles, each seeded with the
 * mean of its first window.
 * The script also asks for the wick to be shorter than the body, and draws breaks that fail this with other marks; here
 * the wick does not matter. It has 15 candles on both sides, and draws a level one candle after the swing is known.
 * Source: Support and Resistance Levels with Breaks by LuxAlgo (TradingView).
 */
export function supportresistance(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const volume = frame.input(3)
  const left = frame.integer(0)
  const right = frame.integer(1)
  const threshold = frame.number(2)
  const state = frame.state
  const fast = frame.scratch(0)
  const slow = frame.scratch(1)
  exponentialAverage(volume, 0, fast, from, to, fastPeriod, 2 / <f64>(fastPeriod + 1), state.from(2))
  exponentialAverage(
    volume,
    0,
    slow,
    from,
    to,
    slowPeriod,
    2 / <f64>(slowPeriod + 1),
    state.from(2 + exponentialState),
  )
  let resistance = from === 0 ? NaN : state[0]
  let support = from === 0 ? NaN : state[1]
  const lookback = max(left + right, slowPeriod - 1)
  warmup(frame.output(0), from, to, left + right)
  const first = warmup(frame.output(1), from, to, left + right)
  warmup(frame.output(2), from, to, lookback)
  for (let i = first; i < to; i++) {
    const j = i - right
    if (isPivot(high, j, left, right, 1)) resistance = high[j]
    if (isPivot(low, j, left, right, -1)) support = low[j]
    frame.output(0)[i] = support
    frame.output(1)[i] = resistance
    if (i < lookback) continue
    let side: f64 = 0
    if (close[i] > resistance && !(close[i - 1] > resistance)) side = 1
    else if (close[i] < support && !(close[i - 1] < support)) side = -1
    const isBusy = (100 * (fast[i] - slow[i])) / slow[i] > threshold
    frame.output(2)[i] = isBusy ? 100 * side : 0
  }
  state[0] = resistance
  state[1] = support
}
