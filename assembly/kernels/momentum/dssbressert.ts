import { Frame } from '../../frame'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'
import { weightOf } from '../../parts/averages/present-average'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { warmup } from '../../parts/numbers/warmup'
import { stochastic } from '../../parts/shared/stochastic'

/**
 * Double Smoothed Stochastic (Bressert): the stochastic of the candles, its exponential average, the stochastic of that
 * average, and the exponential average of the result.
 * Averages are seeded with means (MetaTrader starts with the first value); a stochastic without a range is 0.
 * Source: Bressert, The Power of Oscillator/Cycle Combinations (1991); QuanTAlib Dstoch.
 */
export function dssbressert(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const smoothing = frame.integer(1)
  const weight = weightOf(smoothing)
  const tail = period - 1
  const lines = frame.scratch(0).from(tail - from)
  const lows = frame.scratch(1).from(-from)
  const suffixes = frame.scratch(2)
  const high = frame.input(0)
  const low = frame.input(1)
  const first = warmup(out, from, to, tail)
  stochastic(high, low, frame.input(2), 0, out, first, to, period, lows, suffixes)
  exponentialAverage(out, tail, lines, from, to, smoothing, weight, state)
  restoreOverlap(lines, from, tail, state.from(2 * exponentialState), from === 0)
  saveOverlap(lines, to, tail, state.from(2 * exponentialState))
  const start = tail + smoothing - 1
  const second = max(from, start + tail)
  const raw = frame.scratch(3).from(-from)
  stochastic(lines, lines, lines, start, raw, second, to, period, lows, suffixes)
  exponentialAverage(raw, start + tail, out, from, to, smoothing, weight, state.from(exponentialState))
}
