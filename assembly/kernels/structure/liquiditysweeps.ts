import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { Swings } from '../../parts/swings/swings'

/**
 * Liquidity Sweeps: a wick beyond the last confirmed swing by a candle that closes back inside.
 * Swings are found as in `swings` (`swingLeft`, `swingRight`) and count from their confirming candle on; a candle that
 * is both a high and a low counts on both sides, and a newer swing of a side replaces the older one. Only the first
 * candle that trades beyond a swing counts. It is a sweep if it closes below the swing high, or above the swing low. A
 * candle that sweeps both sides has no signal.
 * `value` is 100 for the sweep of a low (bullish) and −100 for that of a high, `level` the price of the swing at that
 * candle only.
 * Source: stop runs of smart money concepts; Wyckoff's spring and upthrust are the older names.
 */
export function liquiditysweeps(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const value = frame.output(0)
  const level = frame.output(1)
  const left = frame.integer(0)
  const right = frame.integer(1)
  const swings = Swings.of(frame.state)
  if (from === 0) swings.reset()
  warmup(level, from, to, left + right)
  for (let i = warmup(value, from, to, left + right); i < to; i++) {
    swings.confirm(high, low, i, left, right)
    const isAbove = swings.breaksHigh(high[i]) && close[i] < swings.high
    const isBelow = swings.breaksLow(low[i]) && close[i] > swings.low
    const isSweep = isAbove !== isBelow
    value[i] = isSweep ? (isBelow ? 100 : -100) : 0
    level[i] = isSweep ? (isBelow ? swings.low : swings.high) : NaN
  }
}
