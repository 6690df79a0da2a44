import { Frame } from '../../frame'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { warmup } from '../../parts/numbers/warmup'
import { bandsAround } from '../../parts/shared/bands'
import { relativeStrength, strengthState } from '../../parts/shared/rsi'
import { deviation } from '../../parts/windows/deviation'
import { movingMean } from '../../parts/windows/sums'

/**
 * Trader's Dynamic Index: the means of the relative strength index over `pricePeriod` and over `signalPeriod` candles, and
 * its Bollinger Bands over `bandPeriod`.
 * Deviations of the population.
 * Source: Malone, Traders Dynamic Index (2006); ooples CalculateTradersDynamicIndex.
 */
export function tdi(frame: Frame, from: i32, to: i32): void {
  const value = frame.output(0)
  const signal = frame.output(1)
  const upper = frame.output(2)
  const middle = frame.output(3)
  const lower = frame.output(4)
  const state = frame.state
  const period = frame.integer(0)
  const bandPeriod = frame.integer(1)
  const pricePeriod = frame.integer(3)
  const signalPeriod = frame.integer(4)
  const tail = max(bandPeriod, max(pricePeriod, signalPeriod)) - 1
  const strengths = frame.scratch(0).from(tail - from)
  const suffixes = frame.scratch(1)
  restoreOverlap(strengths, from, tail, state.from(strengthState), from === 0)
  relativeStrength(frame.input(0), strengths, from, to, period, state)
  saveOverlap(strengths, to, tail, state.from(strengthState))
  const valueFrom = warmup(value, from, to, period + pricePeriod - 1)
  movingMean(strengths, period, value, valueFrom, to, pricePeriod, suffixes)
  const signalFrom = warmup(signal, from, to, period + signalPeriod - 1)
  movingMean(strengths, period, signal, signalFrom, to, signalPeriod, suffixes)
  const lookback = period + bandPeriod - 1
  warmup(upper, from, to, lookback)
  warmup(middle, from, to, lookback)
  const first = warmup(lower, from, to, lookback)
  deviation(strengths, period, middle, upper, first, to, bandPeriod, suffixes)
  bandsAround(middle, upper, lower, first, to, frame.number(2))
}
