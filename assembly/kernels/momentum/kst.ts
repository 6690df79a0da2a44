import { Frame } from '../../frame'
import { addMeanRate } from '../../parts/windows/mean-rates'
import { withMeanSignal } from '../../parts/windows/mean-signal'

/**
 * Know Sure Thing: the means of four rates of change in percent, weighted 1, 2, 3 and 4; `signal` is the mean of the
 * value.
 * The weights are not divided by 10; no value after a price of 0.
 * Source: Pring, Stocks & Commodities (1992); Lean KnowSureThing.
 */
export function kst(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const tail = frame.integer(8) - 1
  const suffixes = frame.scratch(3)
  let lookback = 0
  for (let k = 0; k < 4; k++) lookback = max(lookback, frame.integer(k) + frame.integer(4 + k) - 1)
  // The signal reads values before the first one of this call.
  const oldest = max(lookback, from - tail)
  const values = frame.scratch(0).from(-oldest)
  const means = frame.scratch(1).from(-oldest)
  const rates = frame.scratch(2)
  for (let i = oldest; i < to; i++) values[i] = 0
  for (let k = 0; k < 4; k++) {
    const distance = frame.integer(k)
    const period = frame.integer(4 + k)
    addMeanRate(x, distance, period, <f64>(k + 1), values, oldest, to, rates, means, suffixes)
  }
  withMeanSignal(frame, values, lookback, from, to, tail + 1, suffixes)
}
