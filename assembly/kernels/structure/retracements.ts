import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { confirmPivots, Pivots } from '../../parts/swings/pivots'

/**
 * Retracements: the part of the last leg that the price has taken back, in percent.
 * The last leg runs from a swing to the swing of the other side that followed it (`swingLeft`, `swingRight`; confirmed
 * swingRight candles later; of several swings of one side in a row the farthest counts; a swing low above the last
 * swing high, or a swing high below the last swing low, is skipped). `direction` is 100 for a leg up
 * and −100 for a leg down, 0 before the first one. `current` is the retracement of the close: 0 at the end of the leg,
 * 100 at its start, negative beyond the end. `deepest` is the largest retracement of any low (leg up) or high (leg
 * down) after the end of the leg, those before its confirmation included. Both are null before the first leg and for a
 * leg without height.
 * Source: smartmoneyconcepts, retracements; it takes the low or high for the current one too, and swings before they
 * are confirmed.
 */
export function retracements(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const direction = frame.output(0)
  const current = frame.output(1)
  const deepest = frame.output(2)
  const left = frame.integer(0)
  const right = frame.integer(1)
  const pivots = Pivots.of(frame.state.from(1))
  let farthest = from === 0 ? 0 : frame.state[0]
  if (from === 0) pivots.reset(2)
  warmup(current, from, to, left + right)
  warmup(deepest, from, to, left + right)
  for (let i = warmup(direction, from, to, left + right); i < to; i++) {
    const isChanged = confirmPivots(pivots, 2, high, low, i, left, right, 0)
    const isLeg = pivots.count === 2
    const newest = pivots.get(0)
    const side = newest.side
    const against = side > 0 ? low : high
    if (isChanged) farthest = against[i]
    for (let j = isChanged ? i - right + 1 : i; j <= i; j++) {
      if ((farthest - against[j]) * side > 0) farthest = against[j]
    }
    const height = newest.price - pivots.get(1).price
    const scale = isLeg && height !== 0 ? 100 / height : NaN
    direction[i] = isLeg ? 100 * side : 0
    current[i] = (newest.price - close[i]) * scale
    deepest[i] = (newest.price - farthest) * scale
  }
  frame.state[0] = farthest
}
