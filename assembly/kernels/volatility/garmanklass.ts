import { Frame } from '../../frame'
import { Estimator, rangeVolatility } from '../../parts/candles/range-volatility'

/**
 * Garman-Klass Volatility: the root of the mean over `period` candles of ln(high/low)²/2 − (2·ln 2 − 1)·
 * ln(close/open)².
 * A share per year of `annualPeriods` candles; with 1, per candle. No value while a price of the window is not positive
 * or the mean is negative.
 * Source: Garman and Klass, On the Estimation of Security Price Volatilities (1980); TTR volatility.
 */
export function garmanklass(frame: Frame, from: i32, to: i32): void {
  rangeVolatility(frame, from, to, Estimator.garmanKlass)
}
