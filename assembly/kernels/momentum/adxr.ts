import { Frame } from '../../frame'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { warmup } from '../../parts/numbers/warmup'
import { averageDirectionalIndex, averageIndexState } from '../../parts/shared/directional'

/**
 * Average Directional Movement Index Rating: the mean of the ADX and the ADX period − 1 candles before.
 * Wilder's own rating looks `period` candles back.
 * Movements are compared as they are rounded, as in TA-Lib: where prices tie, the same candles in cents and in dollars may
 * give different values.
 * Source: Wilder, New Concepts in Technical Trading Systems (1978); TA-Lib 0.6 ADXR.
 */
export function adxr(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const tail = period - 1
  const index = frame.scratch(0).from(tail - from)
  restoreOverlap(index, from, tail, state.from(averageIndexState), from === 0)
  const minus = frame.scratch(1).from(-from)
  averageDirectionalIndex(frame.input(0), frame.input(1), index, minus, from, to, period, state)
  saveOverlap(index, to, tail, state.from(averageIndexState))
  for (let i = warmup(out, from, to, 3 * period - 2); i < to; i++) out[i] = (index[i] + index[i - tail]) / 2
}
