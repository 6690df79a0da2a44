import { Frame } from '../../frame'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'
import { weightOf } from '../../parts/averages/present-average'
import { difference } from '../../parts/numbers/difference'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { warmup } from '../../parts/numbers/warmup'
import { relativeStrength, strengthState } from '../../parts/shared/rsi'
import { movingMean } from '../../parts/windows/sums'

/**
 * Derivative Oscillator: the relative strength index, smoothed exponentially twice, minus the mean of the result over
 * `signalPeriod` candles.
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
  exponentialAverage(lines, period, out, from, to, once, weightOf(once), state.from(strengthState))
  exponentialAverage(
    out,
    start,
    lines,
    from,
    to,
    twice,
    weightOf(twice),
    state.from(strengthState + exponentialState),
  )
  restoreOverlap(lines, from, tail, state.from(strengthState + 2 * exponentialState), from === 0)
  saveOverlap(lines, to, tail, state.from(strengthState + 2 * exponentialState))
  const first = warmup(out, from, to, start + twice - 1 + tail)
  movingMean(lines, start + twice - 1, out, first, to, tail + 1, frame.scratch(1))
  difference(lines, out, out, first, to)
}
