import { Frame } from '../../frame'
import { swingIndex } from '../../parts/candles/swing-index'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Accumulative Swing Index: the running sum of the swing index, with its `limitMove` and `unit`.
 * Source: Wilder, New Concepts in Technical Trading Systems (1978); TA-Lib 0.8.3 ASI.
 */
export function asi(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  let sum = from === 0 ? 0 : frame.state[0]
  for (let i = warmup(out, from, to, 1); i < to; i++) {
    sum += swingIndex(frame, i)
    out[i] = sum
  }
  frame.state[0] = sum
}
