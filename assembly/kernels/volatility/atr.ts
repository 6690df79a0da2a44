import { Frame } from '../../frame'
import { averageTrueRange } from '../../parts/averages/average-true-range'

/**
 * Average True Range: the Wilder-smoothed distance between the higher of high and previous close and the lower of
 * low and previous close.
 * Seeded with the mean of `period` ranges beginning at the second candle (others begin at the first).
 * Source: Wilder, New Concepts in Technical Trading Systems (1978); TA-Lib 0.6 ATR.
 */
export function atr(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  averageTrueRange(high, low, close, frame.output(0), from, to, frame.integer(0), frame.state)
}
