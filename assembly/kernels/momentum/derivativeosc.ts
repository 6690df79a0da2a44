import { Frame } from '../../frame'
import { difference } from '../../parts/difference'
import { exponentialAverage } from '../../parts/exponential'
import { restoreOverlap, saveOverlap } from '../../parts/overlap'
import { weightOf } from '../../parts/present-average'
import { relativeStrength } from '../../parts/rsi'
import { movingMean } from '../../parts/sums'
import { warmup } from '../../parts/warmup'

/**
 * Derivative Oscillator: the relative strength index, smoothed exponentially twice, less its mean over `signalPeriod`
 * candles.
 * Averages are seeded with means.
 * Source: Brown, Technical Analysis for the Trading Professional (1999); Lean DerivativeOscillator.
 */
export function derivativeosc(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const once = frame.integer(1)
  const twice = frame.integer(2)
  const tail = frame.integer(3) - 1
  const lines = frame.scratch(0).from(tail - from)
  const start = period + once - 1
  relativeStrength(frame.input(0), lines, from, to, period, state)
  exponentialAverage(lines, period, lines, from, to, once, weightOf(once), state.from(3))
  exponentialAverage(lines, start, lines, from, to, twice, weightOf(twice), state.from(4))
  restoreOverlap(lines, from, tail, state.from(5), from === 0)
  saveOverlap(lines, to, tail, state.from(5))
  const first = warmup(out, from, to, start + twice - 1 + tail)
  movingMean(lines, start + twice - 1, out, first, to, tail + 1, frame.scratch(1))
  difference(lines, out, out, first, to)
}
