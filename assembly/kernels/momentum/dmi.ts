import { Frame } from '../../frame'
import {
  averageDirectionalIndex,
  averageIndexState,
  directionalIndicators,
} from '../../parts/shared/directional'

/**
 * Directional Movement Index: the average directional movement index, and the upward and downward movements in
 * percent of the true range.
 * All three begin with the ADX, at candle 2·period − 1.
 * Movements are compared as they are rounded, as in TA-Lib: where prices tie, the same candles in cents and in dollars may
 * give different values.
 * Source: Wilder, New Concepts in Technical Trading Systems (1978); TA-Lib 0.6 ADX, PLUS_DI and MINUS_DI.
 */
export function dmi(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const state = frame.state
  const period = frame.integer(0)
  const plus = frame.output(1)
  const minus = frame.output(2)
  averageDirectionalIndex(high, low, frame.output(0), minus, from, to, period, state)
  directionalIndicators(
    high,
    low,
    frame.input(2),
    plus,
    minus,
    from,
    to,
    period,
    2 * period - 1,
    100,
    false,
    state.from(averageIndexState),
  )
}
