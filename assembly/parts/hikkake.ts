import { Column } from '../frame'
import { Candles } from './anatomy'

/**
 * Hikkake: a candle inside the range of the one before, and a false breakout that leaves it with both ends on one side.
 * 100 at the false breakout when it goes down, −100 when it goes up; 200 or −200 where, within the next three candles,
 * a close leaves the inside candle on the other side, once, and no new false breakout comes in between.
 * `isModified` asks for two candles inside one another and for a close of the first of them near the end that the
 * breakout passes. `from ≥ 5`, or `from ≥ 10` when modified; that far back candles are read.
 */
export function hikkakes(candles: Candles, out: Column, from: i32, to: i32, isModified: bool): void {
  // A breakout is forgotten after three candles: what happened before needs no state, it is found again.
  let breakout = from - 4
  let direction: f64 = 0
  for (let i = from - 3; i < to; i++) {
    let value: f64 = 0
    if (isTrap(candles, i, isModified)) {
      breakout = i
      direction = candles.high(i) < candles.high(i - 1) ? 1 : -1
      value = 100 * direction
    } else if (i <= breakout + 3) {
      const inside = breakout - 1
      const isConfirmed =
        direction > 0 ? candles.close(i) > candles.high(inside) : candles.close(i) < candles.low(inside)
      if (isConfirmed) {
        breakout = from - 4
        value = 200 * direction
      }
    }
    if (i >= from) out[i] = value
  }
}

/** Whether candle `i` leaves the inside candle before it with both its ends on one side. */
function isTrap(candles: Candles, i: i32, isModified: bool): bool {
  const inside = i - 1
  const before = i - 2
  if (!candles.rangeInside(before, inside)) return false
  if (isModified && !candles.rangeInside(before - 1, before)) return false
  if (candles.stepsDown(inside, i))
    return !isModified || candles.close(before) <= candles.low(before) + candles.near(before)
  if (candles.stepsUp(inside, i))
    return !isModified || candles.close(before) >= candles.high(before) - candles.near(before)
  return false
}
