import { Column, Frame } from '../../frame'
import { clearFirst, decayed, delayed, endPair } from '../averages/decayed-sums'
import { weightOf } from '../averages/present-average'
import { warmup } from '../numbers/warmup'
import { moneyFlows } from './money-flow'

/** Numbers of state of a Chaikin oscillator. */
export const chaikinState = 6

/**
 * Chaikin oscillator: an exponential average of the A/D line over `fastPeriod` candles minus one over `slowPeriod`,
 * both seeded with the line's first value. NaN before candle max(fastPeriod, slowPeriod) − 1. Inputs: high, low, close,
 * volume; parameters 0 and 1: the periods. State: `chaikinState` numbers, the pairs of flows and of both decayed sums.
 *
 * The flows are the changes of the line. So the averages lag behind it by decayed sums of the flows, and their
 * difference does not need the line itself, which would lose digits after a large volume long ago.
 */
export function chaikinOscillator(frame: Frame, out: Column, from: i32, to: i32, state: Column): void {
  clearFirst(from, state, chaikinState)
  const first = max(from, 1)
  if (first < to) differences(frame, out, first, to, state)
  warmup(out, from, to, max(frame.integer(0), frame.integer(1)) - 1)
}

/** The differences of the candles after the first one. */
function differences(frame: Frame, out: Column, from: i32, to: i32, state: Column): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const volume = frame.input(3)
  const fast = 1 - weightOf(frame.integer(0))
  const slow = 1 - weightOf(frame.integer(1))
  const fastKeep = f64x2.splat(fast)
  const fastSquare = f64x2.splat(fast * fast)
  const slowKeep = f64x2.splat(slow)
  const slowSquare = f64x2.splat(slow * slow)
  let flows = state.pair(0)
  let fastSums = state.pair(2)
  let slowSums = state.pair(4)
  const after = out[to]
  for (let i = from, last = to - 1; i < to; i += 2) {
    if (i === last) {
      state.setPair(0, flows)
      state.setPair(2, fastSums)
      state.setPair(4, slowSums)
    }
    const flow = moneyFlows(high, low, close, volume, i)
    const earlier = delayed(flows, flow)
    fastSums = decayed(fastSums, flow, earlier, fastKeep, fastSquare)
    slowSums = decayed(slowSums, flow, earlier, slowKeep, slowSquare)
    out.setPair(i, f64x2.sub(f64x2.mul(slowSums, slowKeep), f64x2.mul(fastSums, fastKeep)))
    flows = flow
  }
  out[to] = after
  endPair(state, 0, flows, from, to)
  endPair(state, 2, fastSums, from, to)
  endPair(state, 4, slowSums, from, to)
}
