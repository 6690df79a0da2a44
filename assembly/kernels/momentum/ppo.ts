import { average, averageLookback, averageState } from '../../average-types/average'
import { Frame } from '../../frame'
import { percentAbove } from '../../parts/numbers/percent'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Percentage Price Oscillator: the fast moving average minus the slow one, in percent of the slow one.
 * A slow period below the fast one is swapped with it; 0 where the slow average is 0.
 * Source: TA-Lib 0.6 PPO.
 */
export function ppo(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const state = frame.state
  const fastPeriod = min(frame.integer(0), frame.integer(1))
  const slowPeriod = max(frame.integer(0), frame.integer(1))
  const type = frame.integer(2)
  const slow = frame.scratch(0).from(-from)
  average(type, x, 0, out, from, to, fastPeriod, state, frame, 1)
  const rest = state.from(averageState(type, fastPeriod))
  average(type, x, 0, slow, from, to, slowPeriod, rest, frame, 1)
  percentAbove(out, slow, out, warmup(out, from, to, averageLookback(type, slowPeriod)), to, 0)
}
