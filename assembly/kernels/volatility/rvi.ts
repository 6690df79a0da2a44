import { Frame } from '../../frame'
import { relativeVolatility, volatilityWeight } from '../../parts/shared/relative-volatility'

/**
 * Relative Volatility Index: the smoothed standard deviations of the value at candles that rose, in percent of those at
 * candles that rose or fell.
 * Deviations of the population; a candle that did neither counts as 0 for both (TradingView: as a fall), 50 where nothing
 * moved. Dorsey smooths as Wilder does (`wilder`), TradingView and pandas-ta-classic exponentially (`ema`).
 * Source: Dorsey, The Relative Volatility Index, Stocks & Commodities (June 1993); TA-Lib 0.8.3 RVI.
 */
export function rvi(frame: Frame, from: i32, to: i32): void {
  const period = frame.integer(1)
  const alpha = volatilityWeight(period, frame.integer(2))
  relativeVolatility(
    frame.input(0),
    frame.output(0),
    from,
    to,
    frame.integer(0),
    period,
    alpha,
    frame.scratch(0),
    frame.scratch(1),
    frame.scratch(2),
    frame.state,
  )
}
