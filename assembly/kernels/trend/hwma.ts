import { Frame } from '../../frame'

/**
 * Holt-Winters Moving Average: a smoothed level, its smoothed change and the smoothed change of that, added up to a
 * forecast: level + change + half the second change.
 * Starts as the first value without change.
 * Source: pandas-ta-classic hwma.
 */
export function hwma(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const state = frame.state
  const na = frame.number(0)
  const nb = frame.number(1)
  const nc = frame.number(2)
  let level = from === 0 ? x[0] : state[0]
  let change = from === 0 ? 0 : state[1]
  let second = from === 0 ? 0 : state[2]
  for (let i = from; i < to; i++) {
    const nextLevel = (1 - na) * (level + change + 0.5 * second) + na * x[i]
    const nextChange = (1 - nb) * (change + second) + nb * (nextLevel - level)
    second = (1 - nc) * second + nc * (nextChange - change)
    level = nextLevel
    change = nextChange
    out[i] = level + change + 0.5 * second
  }
  state[0] = level
  state[1] = change
  state[2] = second
}
