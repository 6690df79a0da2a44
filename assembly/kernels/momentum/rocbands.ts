import { Frame } from '../../frame'
import { presentAverage, weightOf } from '../../parts/averages/present-average'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { percentAbove } from '../../parts/numbers/percent'
import { warmup } from '../../parts/numbers/warmup'
import { movingMean } from '../../parts/windows/sums'

/**
 * Rate of Change with Bands: the change over `period` candles in percent, its exponential average, and its root mean
 * square over `deviationPeriod` candles above and below 0.
 * No value after a price of 0.
 * Source: Skender.Stock.Indicators RocWb.
 */
export function rocbands(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const value = frame.output(0)
  const upper = frame.output(2)
  const lower = frame.output(3)
  const state = frame.state
  const period = frame.integer(0)
  const smoothing = frame.integer(1)
  const tail = frame.integer(2) - 1
  const first = warmup(value, from, to, period)
  percentAbove(x, x.from(-period), value, first, to, NaN)
  presentAverage(value, frame.output(1), from, to, smoothing, weightOf(smoothing), state)
  const squares = frame.scratch(0).from(tail - from)
  restoreOverlap(squares, from, tail, state.from(2), from === 0)
  for (let i = from; i < to; i++) squares[i] = i < first ? 0 : value[i] * value[i]
  saveOverlap(squares, to, tail, state.from(2))
  const bandsFrom = warmup(upper, from, to, period + tail)
  warmup(lower, from, to, period + tail)
  movingMean(squares, period, upper, bandsFrom, to, tail + 1, frame.scratch(1))
  for (let i = bandsFrom; i < to; i++) {
    upper[i] = sqrt(upper[i])
    lower[i] = -upper[i]
  }
}
