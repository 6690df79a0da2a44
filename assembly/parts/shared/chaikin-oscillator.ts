import { Column, Frame } from '../../frame'
import { clearFirst, decayedDifferences, differenceState } from '../averages/decayed-sums'
import { weightOf } from '../averages/present-average'
import { warmup } from '../numbers/warmup'
import { moneyFlows } from './money-flow'

/** Numbers of state of a Chaikin oscillator. */
export const chaikinState = differenceState

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
  const fast = 1 - weightOf(frame.integer(0))
  const slow = 1 - weightOf(frame.integer(1))
  decayedDifferences<Flows>(changetype<Flows>(frame), out, first, to, slow, slow, fast, fast, state)
  warmup(out, from, to, max(frame.integer(0), frame.integer(1)) - 1)
}

/** The money flows of a frame with candles. A view of it. */
@unmanaged
class Flows extends Frame {
  @inline
  pair(i: i32): v128 {
    return moneyFlows(this.input(0), this.input(1), this.input(2), this.input(3), i)
  }
}
