import { Frame } from '../../frame'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'
import { trueRange } from '../../parts/candles/true-range'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Keltner Channels: the exponential average of the close over `period` candles, and `multiplier` average true ranges of
 * `atrLength` candles above and below it.
 * Raschke's form with Wilder's average true range (others smooth the typical price, or the range exponentially).
 * Source: Connors and Raschke, Street Smarts (1995); Skender.Stock.Indicators Keltner; ATR from TA-Lib 0.6.
 */
export function keltnerchannels(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const lower = frame.output(0)
  const middle = frame.output(1)
  const upper = frame.output(2)
  const state = frame.state
  const period = frame.integer(0)
  const multiplier = frame.number(1)
  const atrLength = frame.integer(2)
  const lookback = max(period - 1, atrLength)
  const ranges = frame.scratch(0).from(-from)
  for (let i = max(from, 1); i < to; i++) ranges[i] = trueRange(high, low, close, i)
  exponentialAverage(ranges, 1, upper, from, to, atrLength, 1 / <f64>atrLength, state)
  exponentialAverage(close, 0, middle, from, to, period, 2 / <f64>(period + 1), state.from(exponentialState))
  warmup(lower, from, to, lookback)
  const afterUpper = upper[to]
  const afterLower = lower[to]
  for (let i = warmup(upper, from, to, lookback); i < to; i += 2) {
    const centre = middle.pair(i)
    const width = f64x2.mul(upper.pair(i), f64x2.splat(multiplier))
    upper.setPair(i, f64x2.add(centre, width))
    lower.setPair(i, f64x2.sub(centre, width))
  }
  upper[to] = afterUpper
  lower[to] = afterLower
}
