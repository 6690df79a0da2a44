import { Frame } from '../../frame'
import { Estimator, rangeVolatility } from '../../parts/candles/range-volatility'

/**
 * Parkinson Volatility: the root of the mean over `period` candles of ln(high/low)² / (4·ln 2).
 * A share per year of `annualPeriods` candles; with 1, per candle (QuanTAlib uses Wilder's average instead of the
 * mean). No value while a price of the window is not positive.
 * Source: Parkinson, The Extreme Value Method for Estimating the Variance of the Rate of Return (1980); TTR volatility.
 */
export function parkinson(frame: Frame, from: i32, to: i32): void {
  rangeVolatility(frame, from, to, Estimator.parkinson)
}
