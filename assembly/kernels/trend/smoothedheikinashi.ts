import { Frame } from '../../frame'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'
import { weightOf } from '../../parts/averages/present-average'

/**
 * Smoothed Heikin-Ashi Candles: Heikin-Ashi candles of the exponential averages of the four prices over `period` candles,
 * each smoothed again over `smoothPeriod`.
 * The first open is the middle of the first averages of open and close.
 * Source: jackvmk, Smoothed Heiken Ashi Candles (TradingView).
 */
export function smoothedheikinashi(frame: Frame, from: i32, to: i32): void {
  const state = frame.state
  const last = state.from(8 * exponentialState)
  const period = frame.integer(0)
  const smoothing = frame.integer(1)
  const start = period - 1
  for (let k = 0; k < 4; k++)
    exponentialAverage(
      frame.input(k),
      0,
      frame.output(k),
      from,
      to,
      period,
      weightOf(period),
      state.from(k * exponentialState),
    )
  let open = from === 0 ? 0 : last[0]
  let close = from === 0 ? 0 : last[1]
  for (let i = max(from, start); i < to; i++) {
    const opened = frame.output(0)[i]
    const top = frame.output(1)[i]
    const bottom = frame.output(2)[i]
    const closed = frame.output(3)[i]
    open = i === start ? (opened + closed) / 2 : (open + close) / 2
    close = (opened + top + bottom + closed) / 4
    frame.output(0)[i] = open
    frame.output(1)[i] = max(top, max(open, close))
    frame.output(2)[i] = min(bottom, min(open, close))
    frame.output(3)[i] = close
  }
  last[0] = open
  last[1] = close
  for (let k = 0; k < 4; k++) {
    const column = frame.output(k)
    exponentialAverage(
      column,
      start,
      column,
      from,
      to,
      smoothing,
      weightOf(smoothing),
      state.from((4 + k) * exponentialState),
    )
  }
}
