import { Frame } from '../../frame'
import { averageTrueRange } from '../../parts/averages/average-true-range'
import { exponentialState } from '../../parts/averages/exponential-average'
import { isAbove as isAboveMean } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { movingMax, movingMin } from '../../parts/windows/extremes'
import { movingMean } from '../../parts/windows/sums'

/** State of the line and of the extremes that it follows. */
@final
@unmanaged
class HalfTrend {
  /** 1 in a rising market, −1 in a falling one. */
  side: f64
  /** 1 while the next turn is downwards. */
  seeksHigh: f64
  /** The highest of the lows, and the lowest of the highs, since the last turn. */
  highest: f64
  lowest: f64
  /** Lines of a rising and of a falling market; NaN before the first. */
  up: f64
  down: f64
  /** Extremes of all candles, used while there are fewer candles than a window. */
  top: f64
  bottom: f64

  reset(high: f64, low: f64): void {
    this.side = 1
    this.seeksHigh = 0
    this.highest = low
    this.lowest = high
    this.up = NaN
    this.down = NaN
    this.top = -Infinity
    this.bottom = Infinity
  }

  /**
   * Processes the extremes of a candle's window, and whether the candle fell or rose enough for a turn. Returns the
   * line.
   */
  step(top: f64, bottom: f64, highMean: f64, lowMean: f64, isBelow: bool, isAbove: bool): f64 {
    const before = this.side
    if (this.seeksHigh > 0) {
      this.highest = max(bottom, this.highest)
      if (isAboveMean(this.highest, highMean) && isBelow) {
        this.side = -1
        this.seeksHigh = 0
        this.lowest = top
      }
    } else {
      this.lowest = min(top, this.lowest)
      if (isAboveMean(lowMean, this.lowest) && isAbove) {
        this.side = 1
        this.seeksHigh = 1
        this.highest = bottom
      }
    }
    // A line begins where the other one ended, or at the extreme if there is no other one.
    if (this.side < 0) {
      const hasOther = before > 0 && !isNaN(this.up)
      const last = isNaN(this.down) ? this.lowest : min(this.lowest, this.down)
      this.down = hasOther ? this.up : last
      return this.down
    }
    const hasOther = before < 0 && !isNaN(this.down)
    const last = isNaN(this.up) ? this.highest : max(this.highest, this.up)
    this.up = hasOther ? this.down : last
    return this.up
  }
}

/**
 * HalfTrend: a line at the highest of the lows (in a rising market) that only rises, or at the lowest of the highs that
 * only falls. A market turns down once the mean high of `amplitude` candles is below the highest of the lows and the
 * close below the low before, up in the mirrored case. `trend` is 1 or −1; `upper` and `lower` are `channelDeviation`
 * times half the average true range away.
 * Starts up. The first candles use the extremes of all candles so far.
 * Source: everget, HalfTrend (TradingView); VectorTA halftrend.
 */
export function halftrend(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const trend = frame.output(1)
  const upper = frame.output(2)
  const amplitude = frame.integer(0)
  const width = frame.number(1) / 2
  const period = frame.integer(2)
  const suffixes = frame.scratch(4)
  const half = changetype<HalfTrend>(frame.state.from(exponentialState))
  if (from === 0) half.reset(high[0], low[0])
  averageTrueRange(high, low, close, upper, from, to, period, frame.state)
  const first = max(from, amplitude - 1)
  const tops = frame.scratch(0).from(-from)
  const bottoms = frame.scratch(1).from(-from)
  const highs = frame.scratch(2).from(-from)
  const lows = frame.scratch(3).from(-from)
  for (let i = from; i < min(to, first); i++) {
    half.top = max(half.top, high[i])
    half.bottom = min(half.bottom, low[i])
    tops[i] = half.top
    bottoms[i] = half.bottom
    highs[i] = NaN
    lows[i] = NaN
  }
  movingMax(high, 0, tops, first, to, amplitude, suffixes)
  movingMin(low, 0, bottoms, first, to, amplitude, suffixes)
  movingMean(high, 0, highs, first, to, amplitude, suffixes)
  movingMean(low, 0, lows, first, to, amplitude, suffixes)
  for (let i = from; i < to; i++) {
    const now = close[i]
    const isBelow = i > 0 && now < low[i - 1]
    const isAbove = i > 0 && now > high[i - 1]
    const line = half.step(tops[i], bottoms[i], highs[i], lows[i], isBelow, isAbove)
    const band = width * upper[i]
    frame.output(0)[i] = line
    trend[i] = half.side
    upper[i] = line + band
    frame.output(3)[i] = line - band
  }
  for (let k = 0; k < 4; k++) warmup(frame.output(k), from, to, max(period, amplitude - 1))
}
