import { Column, Frame } from '../../frame'
import { warmup } from '../numbers/warmup'
import { movingMean } from './sums'

/**
 * Writes `values` to output 0 and their mean over `period` candles to output 1. `values` must be filled from `start` on, or
 * from `from − period + 1` on if that is later. `suffixes` is a scratch column.
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
}
