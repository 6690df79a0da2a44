import { Column, Frame } from '../../frame'
import { warmup } from '../numbers/warmup'

/**
 * 1 where each of the last `period` steps of input 0 went up (`sign` 1) or down (−1), 0 elsewhere. Parameter: the period.
 */
export function stepsInARow(frame: Frame, from: i32, to: i32, sign: f64): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  writeSteps(x, out, warmup(out, from, to, period), to, period, sign, 1)
}

/**
 * Writes `value` to `out[i]` for i in [from, to) where each of the last `period` steps of `x` went up (`sign` 1) or down
 * (−1), and 0 elsewhere; `from ≥ period`.
 */
export function writeSteps(
  x: Column,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  sign: f64,
  value: f64,
): void {
  let run: i32 = 0
  for (let i = from - period + 1; i < from; i++) run = (x[i] - x[i - 1]) * sign > 0 ? run + 1 : 0
  for (let i = from; i < to; i++) {
    run = (x[i] - x[i - 1]) * sign > 0 ? run + 1 : 0
    out[i] = run >= period ? value : 0
  }
}

/**
 * Writes the number of consecutive steps up of `x`, negative for steps down, to `out[i]` for i in [from, to); 0 where
 * the value did not change and at candle 0. State: one number, the last streak.
 */
export function streaks(x: Column, out: Column, from: i32, to: i32, state: Column): void {
  let streak = from === 0 ? 0 : state[0]
  for (let i = from; i < to; i++) {
    const change = i === 0 ? 0 : x[i] - x[i - 1]
    streak = change > 0 ? max(streak, 0) + 1 : change < 0 ? min(streak, 0) - 1 : 0
    out[i] = streak
  }
  state[0] = streak
}
