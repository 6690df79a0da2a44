import { Column } from '../../frame'
import { pairOfTrueRanges } from '../candles/true-range'
import { average } from './exponential-average'

/** The true ranges of candles. A view of their highs. */
@unmanaged
class TrueRanges extends Column {
  @inline
  pairOf(low: Column, close: Column, i: i32): v128 {
    return pairOfTrueRanges(this, low, close, i)
  }
}

/**
 * Average true range by Wilder's smoothing: NaN before candle `period`, seeded there with the mean of the true ranges
 * of the candles 1 … period. `out` must not be one of the prices. State: `exponentialState` numbers.
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
  average<TrueRanges>(high, low, close, 1, out, from, to, period, 1 / <f64>period, state)
}
