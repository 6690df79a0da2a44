import { Frame } from '../../frame'
import { Estimator, rangeVolatility } from '../../parts/candles/range-volatility'

/**
 * Rogers-Satchell Volatility: the root of the mean over `period` candles of ln(high/close)·ln(high/open) +
 * ln(low/close)·ln(low/open), which a trend does not change.
 * A share per year of `annualPeriods` candles; with 1, per candle. No value while a price of the window is not positive
 * or the mean is negative.
 * Source: Rogers and Satchell, Estimating Variance from High, Low and Closing Prices (1991).
 */
export function rogerssatchell(frame: Frame, from: i32, to: i32): void {
  rangeVolatility(frame, from, to, Estimator.rogersSatchell)
}
