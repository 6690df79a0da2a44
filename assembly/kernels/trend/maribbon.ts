import { average, averageLookback, averageState } from '../../average-types/average'
import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Moving Average Ribbon: six moving averages of the kind `maType`, over period, period + step … candles.
 * All are given from the first candle of the last one on.
 * Source: pandas-ta-classic mmar.
 */
export function maribbon(frame: Frame, from: i32, to: i32): void {
  const period = frame.integer(0)
  const step = frame.integer(1)
  const type = frame.integer(2)
  const lookback = averageLookback(type, period + 5 * step)
  let state = frame.state
  for (let k = 0; k < 6; k++) {
    const length = period + k * step
    const out = frame.output(k)
    average(type, frame.input(0), 0, out, from, to, length, state, frame, 0)
    warmup(out, from, to, lookback)
    state = state.from(averageState(type, length))
  }
}
