import { Frame } from '../../frame'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { isAbove } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Archer Moving Averages Trends: `long` is 1 where the fast exponential average is higher than `lookback` candles ago,
 * `short` where it is lower; both are 0 while the slow one is unchanged but for rounding.
 * Source: Archer, in pandas-ta-classic amat.
 */
export function amat(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const state = frame.state
  const tails = state.from(2 * exponentialState)
  const fastPeriod = frame.integer(0)
  const slowPeriod = frame.integer(1)
  const tail = frame.integer(2)
  const fast = frame.scratch(0).from(tail - from)
  const slow = frame.scratch(1).from(tail - from)
  restoreOverlap(fast, from, tail, tails, from === 0)
  restoreOverlap(slow, from, tail, tails.from(tail), from === 0)
  exponentialAverage(x, 0, fast, from, to, fastPeriod, 2 / <f64>(fastPeriod + 1), state)
  exponentialAverage(
    x,
    0,
    slow,
    from,
    to,
    slowPeriod,
    2 / <f64>(slowPeriod + 1),
    state.from(exponentialState),
  )
  saveOverlap(fast, to, tail, tails)
  saveOverlap(slow, to, tail, tails.from(tail))
  const lookback = max(fastPeriod, slowPeriod) - 1 + tail
  const first = warmup(frame.output(0), from, to, lookback)
  warmup(frame.output(1), from, to, lookback)
  for (let i = first; i < to; i++) {
    const isMoving = isAbove(slow[i], slow[i - tail]) || isAbove(slow[i - tail], slow[i])
    frame.output(0)[i] = isMoving && isAbove(fast[i], fast[i - tail]) ? 1 : 0
    frame.output(1)[i] = isMoving && isAbove(fast[i - tail], fast[i]) ? 1 : 0
  }
}
