import { Frame } from '../../frame'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Range Filter: a line that stays while the value is within one range of it, and else follows the value at that range.
 * The range is `multiplier` times the exponential average of the changes, smoothed again over `smoothPeriod` candles;
 * `upper` and `lower` are a range away.
 * Starts as the value before the first result.
 * Source: DonovanWall, Range Filter (TradingView); VectorTA range_filter.
 */
export function rangefilter(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const value = frame.output(0)
  const upper = frame.output(1)
  const lower = frame.output(2)
  const state = frame.state
  const period = frame.integer(0)
  const multiplier = frame.number(1)
  const smoothPeriod = frame.integer(2)
  const lookback = period + smoothPeriod - 1
  const changes = frame.scratch(0).from(-from)
  for (let i = max(from, 1); i < to; i++) changes[i] = abs(x[i] - x[i - 1])
  const alpha = 2 / <f64>(period + 1)
  const smoothAlpha = 2 / <f64>(smoothPeriod + 1)
  exponentialAverage(changes, 1, lower, from, to, period, alpha, state)
  exponentialAverage(lower, period, upper, from, to, smoothPeriod, smoothAlpha, state.from(exponentialState))
  let line = from > lookback - 1 ? state[2 * exponentialState] : to >= lookback ? x[lookback - 1] : 0
  for (let i = max(from, lookback); i < to; i++) {
    const range = multiplier * upper[i]
    line = max(x[i] - range, min(x[i] + range, line))
    value[i] = line
    upper[i] = line + range
    lower[i] = line - range
  }
  state[2 * exponentialState] = line
  for (let k = 0; k < 3; k++) warmup(frame.output(k), from, to, lookback)
}
