import { Column, Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { relativeStrength, strengthState } from '../../parts/shared/rsi'
import { streaks as streaksOf } from '../../parts/windows/runs'

/**
 * Connors RSI: the mean of the relative strength index of the value, that of its streak (how many candles in a row it
 * has risen, negative for falls), and the share of the last `rankPeriod` relative changes that were below the newest
 * one, in percent.
 * Wilder's averages; no value while one of these changes is from 0.
 * Source: Connors and Alvarez, An Introduction to ConnorsRSI (2012); Skender.Stock.Indicators ConnorsRsi.
 */
export function connorsrsi(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const state = frame.state
  const rankPeriod = frame.integer(2)
  const lookback = max(max(frame.integer(0), frame.integer(1)), rankPeriod) + 1
  const streaks = frame.scratch(0).from(1 - from)
  const strength = frame.scratch(1).from(-from)
  streaks[from - 1] = from === 0 ? 0 : state[2 * strengthState]
  streaksOf(x, streaks, from, to, state.from(2 * strengthState))
  relativeStrength(x, out, from, to, frame.integer(0), state)
  relativeStrength(streaks, strength, from, to, frame.integer(1), state.from(strengthState))
  const first = warmup(out, from, to, lookback)
  if (first >= to) return
  const oldest = first - rankPeriod
  const changes = frame.scratch(2).from(-oldest)
  for (let i = oldest; i < to; i++) changes[i] = x[i - 1] !== 0 ? (x[i] - x[i - 1]) / x[i - 1] : NaN
  for (let i = first; i < to; i++) {
    const below = countBelow(changes.from(i - rankPeriod), rankPeriod, changes[i])
    const rank = below < 0 ? NaN : (100 * <f64>below) / <f64>rankPeriod
    out[i] = (out[i] + strength[i] + rank) / 3
  }
}

/** Number of values of the first `count` of `x` that lie below `value`, which follows them; −1 if one of them is missing. */
function countBelow(x: Column, count: i32, value: f64): i32 {
  const values = f64x2.splat(value)
  let below = i64x2.splat(0)
  let missing = f64x2.ne(values, values)
  // Where their number is odd, the last lane is the value itself, which is not below itself. A mask is −1.
  for (let k = 0; k < count; k += 2) {
    const others = x.pair(k)
    below = i64x2.sub(below, f64x2.lt(others, values))
    missing = v128.or(missing, f64x2.ne(others, others))
  }
  if (v128.any_true(missing)) return -1
  return <i32>(i64x2.extract_lane(below, 0) + i64x2.extract_lane(below, 1))
}
