import { Column, Frame } from '../../frame'
import { moneyFlow, moneyFlows } from './money-flow'

/**
 * Chaikin oscillator: an exponential average of the A/D line over `fastPeriod` candles less one over `slowPeriod`, both
 * seeded with the line's first value. NaN before candle max(fastPeriod, slowPeriod) − 1. Inputs: high, low, close,
 * volume; parameters 0 and 1: the periods. State: three numbers (the line, the fast average, the slow average).
 */
export function chaikinOscillator(frame: Frame, out: Column, from: i32, to: i32, state: Column): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const volume = frame.input(3)
  const fastPeriod = frame.integer(0)
  const slowPeriod = frame.integer(1)
  const lookback = max(fastPeriod, slowPeriod) - 1
  const fastAlpha = 2 / <f64>(fastPeriod + 1)
  const slowAlpha = 2 / <f64>(slowPeriod + 1)
  const fastKeep = 1 - fastAlpha
  const slowKeep = 1 - slowAlpha
  let line = from === 0 ? 0 : state[0]
  let fast = from === 0 ? 0 : state[1]
  let slow = from === 0 ? 0 : state[2]
  let i = from
  if (i === 0 && i < to) {
    line = moneyFlow(high, low, close, volume, 0)
    fast = line
    slow = line
    out[0] = NaN
    i = 1
  }
  for (const end = min(to, lookback); i < end; i++) {
    line += moneyFlow(high, low, close, volume, i)
    fast = fast * fastKeep + line * fastAlpha
    slow = slow * slowKeep + line * slowAlpha
    out[i] = NaN
  }
  // The flows do not wait for the averages: they are worked out two at a time. Both averages move in one vector.
  const alphas = f64x2.replace_lane(f64x2.splat(fastAlpha), 1, slowAlpha)
  const keeps = f64x2.replace_lane(f64x2.splat(fastKeep), 1, slowKeep)
  let means = f64x2.replace_lane(f64x2.splat(fast), 1, slow)
  for (; i < to; i += 2) {
    const flows = moneyFlows(high, low, close, volume, i)
    line += f64x2.extract_lane(flows, 0)
    means = f64x2.add(f64x2.mul(means, keeps), f64x2.mul(f64x2.splat(line), alphas))
    out[i] = f64x2.extract_lane(means, 0) - f64x2.extract_lane(means, 1)
    if (i + 1 === to) break
    line += f64x2.extract_lane(flows, 1)
    means = f64x2.add(f64x2.mul(means, keeps), f64x2.mul(f64x2.splat(line), alphas))
    out[i + 1] = f64x2.extract_lane(means, 0) - f64x2.extract_lane(means, 1)
  }
  fast = f64x2.extract_lane(means, 0)
  slow = f64x2.extract_lane(means, 1)
  state[0] = line
  state[1] = fast
  state[2] = slow
}
