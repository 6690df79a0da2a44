import { Column } from '../frame'
import { movingSum } from './sums'

/** Changes that the weight is taken from. */
export const variablePeriod = 9

/**
 * Exponential average whose weight is 2 / (period + 1) times the share of the net change in the changes of the last nine
 * candles (the absolute Chande momentum oscillator), 0 where nothing moved. It starts as the value of candle
 * `start + 8` and is written from there on; `x` has values from `start` on. State: the average.
 * `rises`, `falls` and `suffixes` are scratch columns.
 */
export function variableAverage(
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  state: Column,
  rises: Column,
  falls: Column,
  suffixes: Column,
): void {
  const seed = start + variablePeriod - 1
  let mean = from === 0 ? 0 : state[0]
  if (from <= seed && seed < to) {
    mean = x[seed]
    out[seed] = mean
  }
  const first = max(from, seed + 1)
  if (first < to) {
    const oldest = first - variablePeriod + 1
    const up = rises.from(-oldest)
    const down = falls.from(-oldest)
    const upSums = suffixes.from(2 * variablePeriod + 2 - first)
    for (let i = oldest; i < to; i++) {
      const change = x[i] - x[i - 1]
      up[i] = (abs(change) + change) / 2
      down[i] = (abs(change) - change) / 2
    }
    const weight = 2 / <f64>(period + 1)
    movingSum(up, start + 1, upSums, first, to, variablePeriod, suffixes)
    movingSum(down, start + 1, up, first, to, variablePeriod, suffixes)
    for (let i = first; i < to; i++) {
      const total = upSums[i] + up[i]
      const share = total > 0 ? abs(upSums[i] - up[i]) / total : 0
      mean += weight * share * (x[i] - mean)
      out[i] = mean
    }
  }
  state[0] = mean
}
