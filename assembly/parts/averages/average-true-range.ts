import { Column } from '../../frame'
import { trueRanges } from '../candles/true-range'
import { exponentialAverage } from './exponential-average'

/**
 * Average true range by Wilder's smoothing: NaN before candle `period`, seeded there with the mean of the true ranges
 * of the candles 1 … period. State: `exponentialState` numbers.
 */
export function averageTrueRange(
  high: Column,
  low: Column,
  close: Column,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  state: Column,
): void {
  trueRanges(high, low, close, out, max(from, 1), to)
  exponentialAverage(out, 1, out, from, to, period, 1 / <f64>period, state)
}
