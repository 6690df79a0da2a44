import { Frame } from '../../frame'
import { addMeanRate } from '../../parts/mean-rates'
import { movingMean } from '../../parts/sums'
import { warmup } from '../../parts/warmup'

/**
 * Know Sure Thing: the means of four rates of change in per cent, weighted 1, 2, 3 and 4; `signal` is the mean of the
 * value.
 * The weights are not divided by 10; no value after a price of 0.
 * Source: Pring, Stocks & Commodities (1992); Lean KnowSureThing.
 */
export function kst(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const value = frame.output(0)
  const signal = frame.output(1)
  const tail = frame.integer(8) - 1
  let lookback = 0
  for (let k = 0; k < 4; k++) lookback = max(lookback, frame.integer(k) + frame.integer(4 + k) - 1)
  const first = warmup(value, from, to, lookback)
  const signalFrom = warmup(signal, from, to, lookback + tail)
  if (first >= to) return
  // The signal reads values before the first one of this call.
  const oldest = max(lookback, from - tail)
  const values = frame.scratch(0).from(-oldest)
  const means = frame.scratch(1).from(-oldest)
  for (let i = oldest; i < to; i++) values[i] = 0
  for (let k = 0; k < 4; k++) {
    const suffixes = frame.scratch(3)
    const rates = frame.scratch(2)
    addMeanRate(
      x,
      frame.integer(k),
      frame.integer(4 + k),
      <f64>(k + 1),
      values,
      oldest,
      to,
      rates,
      means,
      suffixes,
    )
  }
  for (let i = first; i < to; i++) value[i] = values[i]
  movingMean(values, lookback, signal, signalFrom, to, tail + 1, frame.scratch(3))
}
