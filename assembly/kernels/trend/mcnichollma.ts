import { Frame } from '../../frame'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'
import { weightOf } from '../../parts/averages/present-average'

/**
 * McNicholl Moving Average: ((2 − α)·e₁ − e₂) / (1 − α), where e₁ is the exponential average with the weight α and e₂ the
 * average of that.
 * Source: McNicholl, Better Exponential Smoothing, Futures (October 1989); OoplesFinance.StockIndicators.
 */
export function mcnichollma(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const alpha = weightOf(period)
  const once = frame.scratch(0).from(-from)
  exponentialAverage(frame.input(0), 0, once, from, to, period, alpha, frame.state)
  exponentialAverage(once, period - 1, out, from, to, period, alpha, frame.state.from(exponentialState))
  for (let i = from; i < to; i++) out[i] = ((2 - alpha) * once[i] - out[i]) / (1 - alpha)
}
