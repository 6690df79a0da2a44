import { Column, Frame } from '../../frame'
import { decayed } from '../averages/decayed-sums'
import { weightOf } from '../averages/present-average'
import { Segments } from '../averages/segments'
import { warmup } from '../numbers/warmup'
import { moneyFlows } from './money-flow'

/** Numbers of state of a Chaikin oscillator. */
export const chaikinState = 2

/**
 * Chaikin oscillator: an exponential average of the A/D line over `fastPeriod` candles minus one over `slowPeriod`,
 * both seeded with the line's first value. NaN before candle max(fastPeriod, slowPeriod) − 1. Inputs: high, low, close,
 * volume; parameters 0 and 1: the periods. State: `chaikinState` numbers (the decayed sums of the flow).
 *
 * The flows are the changes of the line. So the averages lag behind it by decayed sums of the flows, and their
 * difference does not need the line itself, which would lose digits after a large volume long ago.
 */
export function chaikinOscillator(frame: Frame, out: Column, from: i32, to: i32, state: Column): void {
  const first = max(from, 1)
  if (from === 0) for (let k = 0; k < chaikinState; k++) state[k] = 0
  const fastAlpha = weightOf(frame.integer(0))
  const slowAlpha = weightOf(frame.integer(1))
  if (first < to) differences(frame, out, first, to, fastAlpha, slowAlpha, state)
  warmup(out, from, to, max(frame.integer(0), frame.integer(1)) - 1)
}

/** The differences of the candles after the first one. */
function differences(
  frame: Frame,
  out: Column,
  from: i32,
  to: i32,
  fastAlpha: f64,
  slowAlpha: f64,
  state: Column,
): void {
  Segments.interleave(min(fastAlpha, slowAlpha), chaikinState)
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const volume = frame.input(3)
  const fastKeep = f64x2.splat(1 - fastAlpha)
  const slowKeep = f64x2.splat(1 - slowAlpha)
  let fast = Segments.number(state, 0)
  let slow = Segments.number(state, 1)
  for (let i = from; i < to; i++) {
    const flow = Segments.lanes(moneyFlows(high, low, close, volume, i))
    fast = decayed(fast, flow, fastKeep)
    slow = decayed(slow, flow, slowKeep)
    Segments.write(out, i, f64x2.sub(f64x2.mul(slow, slowKeep), f64x2.mul(fast, fastKeep)))
  }
  Segments.setNumber(state, 0, fast)
  Segments.setNumber(state, 1, slow)
}
