import { kaufman } from '../../average-types/average'
import { Frame } from '../../frame'
import { adaptiveState } from '../../parts/averages/adaptive-average'

/**
 * Kaufman Adaptive Moving Average: an exponential average that is fast (2 candles) while prices go one way and slow
 * (30) while they alternate; its speed follows the share of the net change in the sum of the last `period` absolute
 * changes. Starts from the value before the first result, as in TA-Lib. With a period of 1 it is the value itself.
 * Source: Kaufman, Trading Systems and Methods (1998); TA-Lib 0.8.3 KAMA.
 */
export function kama(frame: Frame, from: i32, to: i32): void {
  if (frame.integer(0) === 1) {
    for (let i = from; i < to; i++) frame.output(0)[i] = frame.input(0)[i]
    for (let k = 0; k < adaptiveState; k++) frame.state[k] = 0
    return
  }
  const first = frame.scratch(0)
  const second = frame.scratch(1)
  kaufman(frame.input(0), 0, frame.output(0), from, to, frame.integer(0), frame.state, first, second)
}
