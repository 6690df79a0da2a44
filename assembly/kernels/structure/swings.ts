import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { isPivot } from '../../parts/swings/pivots'

/**
 * Swing highs and lows: a swing high is a high above the `swingRight` highs after it and not below any of the
 * `swingLeft` highs before it; a swing low is a low the other way round. Of equal prices within the spans the newest
 * one counts.
 * Candle i confirms the swing at i − swingRight: `value` is 100 for a high and −100 for a low there, `level` its price
 * at that candle only. Libraries that write it to candle i − swingRight itself look ahead. If one candle is both,
 * `value` has the side opposite to the last swing, or a high before the first swing.
 * Source: pivot high and low as in Pine (ta.pivothigh, ta.pivotlow).
 */
export function swings(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const value = frame.output(0)
  const level = frame.output(1)
  const left = frame.integer(0)
  const right = frame.integer(1)
  let last = from === 0 ? 0 : frame.state[0]
  warmup(level, from, to, left + right)
  for (let i = warmup(value, from, to, left + right); i < to; i++) {
    const j = i - right
    const isHigh = isPivot(high, j, left, right, 1)
    const isLow = isPivot(low, j, left, right, -1)
    const side: f64 = isHigh && isLow ? (last > 0 ? -1 : 1) : isHigh ? 1 : isLow ? -1 : 0
    if (side !== 0) last = side
    value[i] = 100 * side
    level[i] = side > 0 ? high[j] : side < 0 ? low[j] : NaN
  }
  frame.state[0] = last
}
