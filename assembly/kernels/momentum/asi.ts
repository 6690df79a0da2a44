import { Frame } from '../../frame'
import { swingIndex } from '../../parts/candles/swing-index'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Accumulative Swing Index: the running sum of the swing index.
 * Source: Wilder, New Concepts in Technical Trading Systems (1978); Lean WilderAccumulativeSwingIndex.
 */
export function asi(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  let sum = from === 0 ? 0 : frame.state[0]
  for (let i = warmup(out, from, to, 1); i < to; i++) {
    sum += swingIndex(frame, i, frame.number(0))
    out[i] = sum
  }
  frame.state[0] = sum
}
