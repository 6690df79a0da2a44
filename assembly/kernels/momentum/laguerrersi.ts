import { Frame } from '../../frame'
import { isRounding } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Laguerre RSI: the share of rises among the differences between the four stages of a Laguerre filter, 0 to 1. All
 * stages start at the first value. One half where the stages are equal but for rounding.
 * Source: Ehlers, Cybernetic Analysis for Stocks and Futures (2004), chapter 14.
 */
export function laguerrersi(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const state = frame.state
  const gamma = frame.number(0)
  if (from === 0) for (let k = 0; k < 4; k++) state[k] = x[0]
  let l0 = state[0]
  let l1 = state[1]
  let l2 = state[2]
  let l3 = state[3]
  for (let i = from; i < to; i++) {
    const value = x[i]
    const n0 = value + gamma * (l0 - value)
    const n1 = l0 + gamma * (l1 - n0)
    const n2 = l1 + gamma * (l2 - n1)
    l3 = l2 + gamma * (l3 - n2)
    l0 = n0
    l1 = n1
    l2 = n2
    const rises = max(l0 - l1, 0) + max(l1 - l2, 0) + max(l2 - l3, 0)
    const sizes = abs(l0 - l1) + abs(l1 - l2) + abs(l2 - l3)
    out[i] = isRounding(sizes, value) ? 0.5 : rises / sizes
  }
  state[0] = l0
  state[1] = l1
  state[2] = l2
  state[3] = l3
  warmup(out, from, to, 1)
}
