import { Frame } from '../../frame'
import { Period } from './pivotlevels'

/**
 * Writes the levels r‹outermost› … r1, p, s1 … s‹outermost› of the calendar span before each candle in [from, to): around
 * the pivot p = (H + L + C) / 3 the first ones at 2p − L and 2p − H, the second ones at p ± (H − L), the others where
 * `isClassic` at p ± (k − 1)·(H − L), else at (k − 1)·(p − L) + H and (k − 1)·(p − H) + L. NaN during the first span.
 * Inputs: high, low, close and time. Parameter: the span. State: a `Period`.
 */
export function pivotLadder(frame: Frame, from: i32, to: i32, outermost: i32, isClassic: bool): void {
  const span = frame.integer(0)
  const period = Period.of(frame.state)
  if (from === 0) period.reset()
  for (let i = from; i < to; i++) {
    period.takeAny(span, frame.input(3)[i], frame.input(0)[i], frame.input(1)[i], frame.input(2)[i])
    const high = period.highBefore
    const low = period.lowBefore
    const pivot = (high + low + period.closeBefore) / 3
    frame.output(outermost)[i] = pivot
    for (let k = 1; k <= outermost; k++) {
      const steps = <f64>(k - 1)
      const isMultiple = k === 2 || (isClassic && k > 2)
      const above = isMultiple ? pivot + steps * (high - low) : steps * (pivot - low) + high
      const below = isMultiple ? pivot - steps * (high - low) : steps * (pivot - high) + low
      frame.output(outermost - k)[i] = k === 1 ? 2 * pivot - low : above
      frame.output(outermost + k)[i] = k === 1 ? 2 * pivot - high : below
    }
  }
}
