import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import {
  bandsStart,
  smoothedStrength,
  smoothedStrengthState,
  strengthBands,
} from '../../parts/shared/strength-bands'

/**
 * Quantitative Qualitative Estimation: the exponential average of the relative strength index, and a trailing line at a
 * distance of `factor` times the twice smoothed changes of the average. The line changes sides when the average crosses
 * it, and starts below the average. It moves away from the average only after such a crossing.
 * Source: Glaz, QQE (TradingView); trading-signals QQE.
 */
export function qqe(frame: Frame, from: i32, to: i32): void {
  const value = frame.output(0)
  const line = frame.output(1)
  const trend = frame.output(2)
  const state = frame.state
  const rsiPeriod = frame.integer(0)
  const smoothPeriod = frame.integer(1)
  const first = bandsStart(rsiPeriod, smoothPeriod)
  const bands = state.from(smoothedStrengthState)
  smoothedStrength(frame.input(0), value, line, from, to, rsiPeriod, smoothPeriod, state)
  strengthBands(value, line, line, trend, from, to, first, frame.number(2), bands)
  warmup(line, from, to, first)
  warmup(trend, from, to, first)
}
