import { Frame } from '../../frame'
import { exponentialAverage } from '../../parts/averages/exponential-average'
import { weightOf } from '../../parts/averages/present-average'
import { trueStrength, trueStrengthState } from '../../parts/shared/true-strength'

/**
 * SMI Ergodic Indicator: the changes of the value, smoothed exponentially over `longPeriod` and again over `shortPeriod`
 * candles, by the absolute changes smoothed likewise, from −1 to 1; its exponential average, and the difference.
 * Source: Blau, Momentum, Direction and Divergence (1995); pandas-ta-classic smi.
 */
export function smiergodic(frame: Frame, from: i32, to: i32): void {
  const value = frame.output(0)
  const signal = frame.output(1)
  const oscillator = frame.output(2)
  const state = frame.state
  const longPeriod = frame.integer(0)
  const shortPeriod = frame.integer(1)
  const period = frame.integer(2)
  const start = longPeriod + shortPeriod - 1
  const rest = state.from(trueStrengthState)
  trueStrength(frame.input(0), value, from, to, longPeriod, shortPeriod, 1, state)
  exponentialAverage(value, start, signal, from, to, period, weightOf(period), rest)
  for (let i = from; i < to; i++) oscillator[i] = value[i] - signal[i]
}
