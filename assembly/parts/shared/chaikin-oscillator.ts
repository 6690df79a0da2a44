import { Column, Frame } from '../../frame'
import { decayed, saveNewest, shifted } from '../averages/decayed-sums'
import { weightOf } from '../averages/present-average'
import { warmup } from '../numbers/warmup'
import { moneyFlows } from './money-flow'

/** Numbers of state of a Chaikin oscillator. */
export const chaikinState = 6

/**
 * Chaikin oscillator: an exponential average of the A/D line over `fastPeriod` candles minus one over `slowPeriod`,
 * both seeded with the line's first value. NaN before candle max(fastPeriod, slowPeriod) − 1. Inputs: high, low, close,
 * volume; parameters 0 and 1: the periods. State: `chaikinState` numbers; in pairs the flow and its decayed sums.
 *
 * The flows are the changes of the line. So the averages lag behind it by decayed sums of the flows, and their
 * difference does not need the line itself, which would lose digits after a large volume long ago.
 */
export function chaikinOscillator(frame: Frame, out: Column, from: i32, to: i32, state: Column): void {
  const first = max(from, 1)
  if (from === 0) for (let k = 0; k < chaikinState; k++) state[k] = 0
  const end = first + (max(to - first, 0) & ~1)
  if (first < end) differencesOfPairs(frame, out, first, end, state)
  if (end < to) differencesOfPairs(frame, out, end, to, state)
  warmup(out, from, to, max(frame.integer(0), frame.integer(1)) - 1)
}

/** The differences of whole pairs of candles, or of a single candle. */
function differencesOfPairs(frame: Frame, out: Column, from: i32, to: i32, state: Column): void {
  const isSingle = to - from === 1
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const volume = frame.input(3)
  const fastKeep = f64x2.splat(1 - weightOf(frame.integer(0)))
  const slowKeep = f64x2.splat(1 - weightOf(frame.integer(1)))
  const fastTwice = f64x2.mul(fastKeep, fastKeep)
  const slowTwice = f64x2.mul(slowKeep, slowKeep)
  const after = out[to]
  let flows = state.pair(0)
  let fast = state.pair(2)
  let slow = state.pair(4)
  for (let i = from; i < to; i += 2) {
    const flow = moneyFlows(high, low, close, volume, i)
    const previous = shifted(flows, flow)
    flows = flow
    fast = decayed(fast, flow, previous, fastKeep, fastTwice)
    slow = decayed(slow, flow, previous, slowKeep, slowTwice)
    out.setPair(i, f64x2.sub(f64x2.mul(slow, slowKeep), f64x2.mul(fast, fastKeep)))
  }
  out[to] = after
  saveNewest(state, flows, isSingle)
  saveNewest(state.from(2), fast, isSingle)
  saveNewest(state.from(4), slow, isSingle)
}
