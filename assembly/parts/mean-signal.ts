import { Column, Frame } from '../frame'
import { difference } from './difference'
import { movingMean } from './sums'
import { warmup } from './warmup'

/**
 * Writes `values` to output 0, their mean over `period` candles to output 1 and what they lie above it to output 2. The
 * values are there from `start` on, and from `from − period + 1` on if that is later. `suffixes` is a scratch column.
 */
export function withMeanSignal(
  frame: Frame,
  values: Column,
  start: i32,
  from: i32,
  to: i32,
  period: i32,
  suffixes: Column,
): void {
  const value = frame.output(0)
  const signal = frame.output(1)
  for (let i = warmup(value, from, to, start); i < to; i++) value[i] = values[i]
  const first = warmup(signal, from, to, start + period - 1)
  movingMean(values, start, signal, first, to, period, suffixes)
  difference(value, signal, frame.output(2), from, to)
}
