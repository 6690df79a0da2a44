import { Frame } from '../../frame'
import { averageTrueRange } from '../../parts/averages/average-true-range'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'
import { weightOf } from '../../parts/averages/present-average'
import { warmup } from '../../parts/numbers/warmup'
import { deviation } from '../../parts/windows/deviation'

/**
 * Waddah Attar Explosion: `sensitivity` times the change of the difference of two exponential averages, split into
 * rises and falls; the width of the Bollinger Bands (`explosion`), and a multiple of the average true range
 * (`deadZone`) above which it counts.
 * Source: LazyBear, Waddah Attar Explosion (TradingView); trading-signals WAE.
 */
export function waddahattar(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(2)
  const up = frame.output(0)
  const down = frame.output(1)
  const explosion = frame.output(2)
  const deadZone = frame.output(3)
  const state = frame.state
  const fast = frame.integer(1)
  const slow = frame.integer(2)
  const bandPeriod = frame.integer(3)
  const atrPeriod = frame.integer(5)
  exponentialAverage(close, 0, up, from, to, fast, weightOf(fast), state)
  exponentialAverage(close, 0, down, from, to, slow, weightOf(slow), state.from(exponentialState))
  averageTrueRange(
    frame.input(0),
    frame.input(1),
    close,
    deadZone,
    from,
    to,
    atrPeriod,
    state.from(2 * exponentialState),
  )
  let before = from === 0 ? NaN : state[3 * exponentialState]
  for (let i = from; i < to; i++) {
    const distance = up[i] - down[i]
    const move = frame.number(0) * (distance - before)
    before = distance
    up[i] = move >= 0 ? move : 0
    down[i] = move < 0 ? -move : 0
    deadZone[i] *= frame.number(6)
  }
  state[3 * exponentialState] = before
  warmup(up, from, to, slow)
  warmup(down, from, to, slow)
  const first = warmup(explosion, from, to, bandPeriod - 1)
  if (first >= to) return
  deviation(close, 0, frame.scratch(0).from(-first), explosion, first, to, bandPeriod, frame.scratch(1))
  for (let i = first; i < to; i++) explosion[i] *= 2 * frame.number(4)
}
