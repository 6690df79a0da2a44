import { Frame } from '../../frame'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'
import { weightOf } from '../../parts/averages/present-average'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { warmup } from '../../parts/numbers/warmup'
import { balanceVolume } from '../../parts/shared/balance-volume'

/**
 * Archer On Balance Volume: the on-balance volume, its fast and its slow exponential average; `long` is 1 where the
 * fast one is higher than `runLength` candles ago, `short` where it is lower; both are 0 while the slow one is
 * unchanged.
 * Source: Archer, in pandas-ta-classic aobv.
 */
export function aobv(frame: Frame, from: i32, to: i32): void {
  const value = frame.output(0)
  const state = frame.state
  const tails = state.from(2 + 2 * exponentialState)
  const fastPeriod = frame.integer(0)
  const slowPeriod = frame.integer(1)
  const tail = frame.integer(2)
  const fast = frame.scratch(0).from(tail - from)
  const slow = frame.scratch(1).from(tail - from)
  restoreOverlap(fast, from, tail, tails, from === 0)
  restoreOverlap(slow, from, tail, tails.from(tail), from === 0)
  balanceVolume(frame.input(0), frame.input(1), value, from, to, state)
  exponentialAverage(value, 0, fast, from, to, fastPeriod, weightOf(fastPeriod), state.from(2))
  exponentialAverage(
    value,
    0,
    slow,
    from,
    to,
    slowPeriod,
    weightOf(slowPeriod),
    state.from(2 + exponentialState),
  )
  saveOverlap(fast, to, tail, tails)
  saveOverlap(slow, to, tail, tails.from(tail))
  for (let i = from; i < to; i++) {
    frame.output(1)[i] = fast[i]
    frame.output(2)[i] = slow[i]
  }
  const first = warmup(frame.output(3), from, to, slowPeriod - 1 + tail)
  warmup(frame.output(4), from, to, slowPeriod - 1 + tail)
  for (let i = first; i < to; i++) {
    const isMoving = slow[i] !== slow[i - tail]
    frame.output(3)[i] = isMoving && fast[i] > fast[i - tail] ? 1 : 0
    frame.output(4)[i] = isMoving && fast[i] < fast[i - tail] ? 1 : 0
  }
}
