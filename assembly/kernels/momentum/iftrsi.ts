import { Frame } from '../../frame'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { warmup } from '../../parts/numbers/warmup'
import { relativeStrength, strengthState } from '../../parts/shared/rsi'
import { movingWeightedMean } from '../../parts/windows/weighted-means'

/**
 * Inverse Fisher Transform of RSI: a tenth of the relative strength index less 50, its weighted mean, and the hyperbolic
 * tangent of that, from −1 to 1.
 * Source: Ehlers, The Inverse Fisher Transform, Stocks & Commodities (May 2004); jesse ift_rsi.
 */
export function iftrsi(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const state = frame.state
  const rsiPeriod = frame.integer(0)
  const tail = frame.integer(1) - 1
  const values = frame.scratch(0).from(tail - from)
  restoreOverlap(values, from, tail, state.from(strengthState), from === 0)
  relativeStrength(frame.input(0), values, from, to, rsiPeriod, state)
  for (let i = from; i < to; i++) values[i] = 0.1 * (values[i] - 50)
  saveOverlap(values, to, tail, state.from(strengthState))
  const first = warmup(out, from, to, rsiPeriod + tail)
  movingWeightedMean(values, rsiPeriod, out, first, to, tail + 1, frame.scratch(1))
  for (let i = first; i < to; i++) out[i] = Math.tanh(out[i])
}
