import { Frame } from '../../frame'
import { swingIndex } from '../../parts/swing-index'
import { warmup } from '../../parts/warmup'

/**
 * Swing Index: the change of the close with half of the body of the candle and a quarter of that before, by the largest
 * of the distances from the close before and the range, times 50, in units of the limit move.
 * 0 where nothing moved.
 * Source: Wilder, New Concepts in Technical Trading Systems (1978); Lean WilderSwingIndex.
 */
export function swingindex(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 1); i < to; i++) out[i] = swingIndex(frame, i, frame.number(0))
}
