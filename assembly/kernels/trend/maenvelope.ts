import { average, averageLookback } from '../../average-types/average'
import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Moving Average Envelope: a moving average of the kind `maType`, and lines `percent` percent above and below it.
 * Source: Skender.Stock.Indicators MaEnvelopes.
 */
export function maenvelope(frame: Frame, from: i32, to: i32): void {
  const upper = frame.output(0)
  const middle = frame.output(1)
  const lower = frame.output(2)
  const period = frame.integer(0)
  const share = frame.number(1) / 100
  const type = frame.integer(2)
  average(type, frame.input(0), 0, middle, from, to, period, frame.state, frame, 0)
  warmup(upper, from, to, averageLookback(type, period))
  for (let i = warmup(lower, from, to, averageLookback(type, period)); i < to; i++) {
    const mean = middle[i]
    upper[i] = mean * (1 + share)
    lower[i] = mean * (1 - share)
  }
}
