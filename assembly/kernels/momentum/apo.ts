import { average, averageState } from '../../average-types/average'
import { Frame } from '../../frame'
import { difference } from '../../parts/numbers/difference'
import { warmup } from '../../parts/numbers/warmup'
import { meanDifference } from '../../parts/windows/mean-difference'

/**
 * Absolute Price Oscillator: fast minus slow moving average of the kind `maType`.
 * Each average begins with the first candle; a slow period below the fast one is swapped with it.
 * Source: TA-Lib 0.6 APO.
 */
export function apo(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const state = frame.state
  const fastPeriod = min(frame.integer(0), frame.integer(1))
  const slowPeriod = max(frame.integer(0), frame.integer(1))
  const type = frame.integer(2)
  if (type === 0) {
    const first = warmup(out, from, to, slowPeriod - 1)
    meanDifference(x, 0, out, first, to, fastPeriod, slowPeriod, frame.scratch(0))
    return
  }
  const slow = frame.scratch(0).from(-from)
  average(type, x, 0, out, from, to, fastPeriod, state, frame, 1)
  average(type, x, 0, slow, from, to, slowPeriod, state.from(averageState(type, fastPeriod)), frame, 1)
  difference(out, slow, out, from, to)
}
