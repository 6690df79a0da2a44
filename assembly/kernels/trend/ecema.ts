import { Frame } from '../../frame'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'
import { weightOf } from '../../parts/averages/present-average'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Error Correcting Exponential Moving Average: the exponential average plus g times the last error, where g is the gain
 * from −gainLimit / 10 to gainLimit / 10, in steps of 0.1, that comes nearest to the value. Of equally near ones, the
 * smallest gain. Starts as the average.
 * Source: Ehlers and Way, Zero Lag (Well, Almost), Stocks & Commodities (November 2010).
 */
export function ecema(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const limit = frame.integer(1)
  const alpha = weightOf(period)
  const keep = 1 - alpha
  exponentialAverage(x, 0, out, from, to, period, alpha, state)
  let mean = from === 0 ? 0 : state[exponentialState]
  for (let i = max(from, period - 1); i < to; i++) {
    const now = x[i]
    const average = out[i]
    if (i === period - 1) mean = average
    const error = now - mean
    const last = mean
    let least = Infinity
    // The average is linear in the gain, so only the gains around the one that would hit the value can be the nearest.
    const exact = (10 * ((now - keep * last) / alpha - average)) / error
    const centre = abs(exact) < <f64>limit ? <i32>floor(exact) : exact < 0 ? -limit : limit
    for (let gain = max(-limit, centre - 1); gain <= min(limit, centre + 2); gain++) {
      const candidate = alpha * (average + (<f64>gain / 10) * error) + keep * last
      const distance = abs(now - candidate)
      const isNearer = distance < least
      least = isNearer ? distance : least
      mean = isNearer ? candidate : mean
    }
    out[i] = mean
  }
  state[exponentialState] = mean
  warmup(out, from, to, period - 1)
}
