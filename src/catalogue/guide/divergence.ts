import type { Guide } from './guide-line.js'

export const divergenceGuide: Guide = {
  rsidivergence: [
    'Compares swings of the price with those of the RSI. A lower low in price with a higher one in the RSI is a regular divergence, which warns of a turn; a hidden one supports the trend. Divergences repeat several times in strong trends before a turn.',
    'rsi macddivergence stochdivergence',
  ],
  macddivergence: [
    'Looks for swings of price that the MACD histogram does not confirm. It is the classic form of divergence. The histogram fades in every slow trend, which gives many of them.',
    'macd rsidivergence',
  ],
  stochdivergence: [
    'Divergences between price and the stochastic. The stochastic is often at its limits, where small differences mean little.',
    'stoch rsidivergence',
  ],
  ccidivergence: [
    'Divergences between price and the CCI. As the CCI is unbounded, its peaks differ clearly. It is also the noisier partner.',
    'cci rsidivergence',
  ],
  mfidivergence: [
    'Divergences between price and money flow: a new extreme of price with less money behind it. Its worth is that of the volume data.',
    'mfi obvdivergence',
  ],
  obvdivergence: [
    'Divergences between price and on-balance volume. They are meant to show moves without buyers behind them. The line is a sum, so single volumes change its swings.',
    'obv adoscdivergence',
  ],
  aodivergence: [
    "Divergences between price and the Awesome Oscillator, one of Williams' own signals. The oscillator is slow, so few but late ones are found.",
    'ao macddivergence',
  ],
  momdivergence: [
    'Divergences between price and plain momentum: a new extreme that was reached more slowly than the last one. Momentum peaks early in each move, so most trends show several before they end.',
    'mom rsidivergence',
  ],
  cmfdivergence: [
    "Divergences between price and Chaikin's money flow: a new extreme of price whose candles close less well in their ranges. They are read as moves that lose support. The flow depends on closes alone, so gaps escape it.",
    'cmf adoscdivergence',
  ],
  adoscdivergence: [
    'Divergences between price and the Chaikin oscillator. They are read as a change in buying or selling before the price turns. The oscillator swings fast, so many of them announce only short moves.',
    'adosc cmfdivergence',
  ],
  willrdivergence: [
    "Divergences between price and Williams' %R: a new extreme of price that closes less near the end of the range. As %R is not smoothed, they are frequent and short-lived.",
    'willr stochdivergence',
  ],
  volumedivergence: [
    'Divergences between price and the volume of each candle: a higher high at a lower peak of volume, or a lower low at a higher trough of it. Volume has no direction, so only those at highs show a move with less trading behind it.',
    'volume obvdivergence',
  ],
}
