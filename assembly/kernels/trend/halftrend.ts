import { Frame } from '../../frame'
import { movingMax, movingMin } from '../../parts/extremes'
import { movingMean } from '../../parts/sums'
import { averageTrueRange } from '../../parts/true-range'
import { warmup } from '../../parts/warmup'

/**
 * HalfTrend: a line at the highest of the lows (in a rising market) that only rises, or at the lowest of the highs that
 * only falls. A market turns down once the mean high of `amplitude` candles is below the highest of the lows and the close
 * below the low before, up in the mirrored case. `trend` is 1 or −1; `upper` and `lower` are `channelDeviation` halves of
 * the average true range away.
 * Starts up; while there are fewer candles than `amplitude` the extremes are those of the candles there are.
 * Source: everget, HalfTrend (TradingView); VectorTA halftrend.
 */
export function halftrend(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const value = frame.output(0)
  const trend = frame.output(1)
  const upper = frame.output(2)
  const lower = frame.output(3)
  const state = frame.state
  const amplitude = frame.integer(0)
  const width = frame.number(1) / 2
  const period = frame.integer(2)
  const suffixes = frame.scratch(5)
  averageTrueRange(high, low, close, upper, from, to, period, state)
  const first = max(from, amplitude - 1)
  const tops = frame.scratch(0).from(-from)
  const bottoms = frame.scratch(1).from(-from)
  const highs = frame.scratch(2).from(-from)
  const lows = frame.scratch(3).from(-from)
  movingMax(high, 0, tops, first, to, amplitude, suffixes)
  movingMin(low, 0, bottoms, first, to, amplitude, suffixes)
  movingMean(high, 0, highs, first, to, amplitude, suffixes)
  movingMean(low, 0, lows, first, to, amplitude, suffixes)
  let isDown = from > 0 && state[1] < 0
  let seeksHigh = from > 0 && state[2] > 0
  let highest = from === 0 ? low[0] : state[3]
  let lowest = from === 0 ? high[0] : state[4]
  let up = from === 0 ? NaN : state[5]
  let down = from === 0 ? NaN : state[6]
  let top = from === 0 ? -Infinity : state[7]
  let bottom = from === 0 ? Infinity : state[8]
  for (let i = from; i < to; i++) {
    const hasMeans = i >= first
    top = hasMeans ? tops[i] : max(top, high[i])
    bottom = hasMeans ? bottoms[i] : min(bottom, low[i])
    const now = close[i]
    const wasDown = isDown
    if (seeksHigh) {
      highest = max(bottom, highest)
      if (hasMeans && i > 0 && highs[i] < highest && now < low[i - 1]) {
        isDown = true
        seeksHigh = false
        lowest = top
      }
    } else {
      lowest = min(top, lowest)
      if (hasMeans && i > 0 && lows[i] > lowest && now > high[i - 1]) {
        isDown = false
        seeksHigh = true
        highest = bottom
      }
    }
    // A line begins where the other one ended; without another one where the extreme is.
    if (isDown) {
      const other = !wasDown && up === up
      down = other ? up : down === down ? min(lowest, down) : lowest
    } else {
      const other = wasDown && down === down
      up = other ? down : up === up ? max(highest, up) : highest
    }
    const line = isDown ? down : up
    const band = width * upper[i]
    value[i] = line
    trend[i] = isDown ? -1 : 1
    upper[i] = line + band
    lower[i] = line - band
  }
  state[1] = isDown ? -1 : 1
  state[2] = seeksHigh ? 1 : 0
  state[3] = highest
  state[4] = lowest
  state[5] = up
  state[6] = down
  state[7] = top
  state[8] = bottom
  for (let k = 0; k < 4; k++) warmup(frame.output(k), from, to, max(period, amplitude - 1))
}
