import { Frame } from '../../frame'
import { averageTrueRange } from '../../parts/averages/average-true-range'
import { exponentialState } from '../../parts/averages/exponential-average'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { warmup } from '../../parts/numbers/warmup'
import { movingMax, movingMin } from '../../parts/windows/extremes'

/**
 * Chande Kroll Stop: a is the highest high of `period` candles minus `multiplier` average true ranges, b the lowest low
 * plus the same. `long`, the stop of a long position, is the highest a over `stopPeriod` candles, `short` the lowest b.
 * TradingView and Lean swap the names of the two lines.
 * Source: Chande and Kroll, The New Technical Trader (1994); pandas-ta-classic cksp.
 */
export function chandekrollstop(frame: Frame, from: i32, to: i32): void {
  const state = frame.state
  const period = frame.integer(0)
  const multiplier = frame.number(1)
  const tail = frame.integer(2) - 1
  const ranges = frame.scratch(0).from(-from)
  const highs = frame.scratch(1).from(tail - from)
  const lows = frame.scratch(2).from(tail - from)
  const suffixes = frame.scratch(3)
  const isFresh = from === 0
  averageTrueRange(frame.input(0), frame.input(1), frame.input(2), ranges, from, to, period, state)
  restoreOverlap(highs, from, tail, state.from(exponentialState), isFresh)
  restoreOverlap(lows, from, tail, state.from(exponentialState + tail), isFresh)
  const start = max(from, period)
  for (let i = from; i < min(to, period); i++) {
    highs[i] = 0
    lows[i] = 0
  }
  movingMax(frame.input(0), 0, highs, start, to, period, suffixes)
  movingMin(frame.input(1), 0, lows, start, to, period, suffixes)
  for (let i = start; i < to; i++) {
    const width = multiplier * ranges[i]
    highs[i] -= width
    lows[i] += width
  }
  const first = warmup(frame.output(0), from, to, period + tail)
  warmup(frame.output(1), from, to, period + tail)
  movingMax(highs, period, frame.output(0), first, to, tail + 1, suffixes)
  movingMin(lows, period, frame.output(1), first, to, tail + 1, suffixes)
  saveOverlap(highs, to, tail, state.from(exponentialState))
  saveOverlap(lows, to, tail, state.from(exponentialState + tail))
}
