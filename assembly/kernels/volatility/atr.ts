import { Frame } from '../../frame'
import { exponentialAverage } from '../../parts/averages/exponential-average'
import { trueRanges } from '../../parts/candles/true-range'

/**
 * Average True Range: the Wilder-smoothed distance between the higher of high and previous close and the lower of
 * low and previous close.
 * Seeded with the mean of `period` ranges beginning at the second candle (others begin at the first).
 * Source: Wilder, New Concepts in Technical Trading Systems (1978); TA-Lib 0.6 ATR.
 */
export function atr(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  trueRanges(frame.input(0), frame.input(1), frame.input(2), out, max(from, 1), to)
  exponentialAverage(out, 1, out, from, to, period, 1 / <f64>period, frame.state)
}
