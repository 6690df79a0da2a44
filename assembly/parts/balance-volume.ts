import { Column } from '../frame'

/**
 * On balance volume: the running sum of the volume, added when the close rose and taken away when it fell; it begins
 * with the first candle's volume. State: two numbers (the sum and the last close).
 */
export function balanceVolume(
  close: Column,
  volume: Column,
  out: Column,
  from: i32,
  to: i32,
  state: Column,
): void {
  let balance = from === 0 ? 0 : state[0]
  // The first candle counts as a rise.
  let before = from === 0 ? -Infinity : state[1]
  for (let i = from; i < to; i++) {
    const now = close[i]
    balance += <f64>(<i32>(now > before) - <i32>(now < before)) * volume[i]
    before = now
    out[i] = balance
  }
  state[0] = balance
  state[1] = before
}
