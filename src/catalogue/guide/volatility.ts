import type { Guide } from './guide-line.js'

export const volatilityGuide: Guide = {
  atr: [
    'The smoothed true range: how far a candle of this market usually goes, gaps included. It sizes stops and positions. It gives no direction and follows changes of volatility with a delay.',
    'natr tr volatilitystop keltnerchannels',
  ],
  natr: [
    'The average true range in percent of the close. It allows comparing markets and times with different prices. Like the ATR it has no direction.',
    'atr tr adr',
  ],
  tr: [
    'The range of a candle including the gap from the previous close. It is the unit from which many other indicators are made. Single values jump.',
    'trange atr',
  ],
  trange: [
    "TA-Lib's name for the true range: the range of a candle with the gap to the previous close. It is the raw form of the average true range.",
    'tr atr',
  ],
  bbw: [
    'The width of the Bollinger Bands as a share of the middle line. Very low values mark a squeeze before a larger move. How low is low depends on the market.',
    'bbands squeeze keltnerwidth',
  ],
  percentb: [
    'Where the price is within the Bollinger Bands: 0 at the lower, 1 at the upper one. It turns the picture of the bands into a number for rules. In trends it stays near an end.',
    'bbands bbw',
  ],
  stddev: [
    'The dispersion of prices around their mean in the window. It is the unit of the Bollinger Bands. A trend raises it as much as noise does.',
    'var bbands closevolatility',
  ],
  volatility: [
    'The standard deviation of returns, scaled to a year. It is the common measure of risk for comparing markets. It assumes that returns do not depend on each other, but quiet and wild times come in clusters.',
    'closevolatility ewmavolatility parkinson',
  ],
  mass: [
    "Sums the ratio of two averages of the range. A rise above 27 and a fall below 26.5 was its author's sign of a turn. Direction must be taken from elsewhere.",
    'cvi atr',
  ],
  cvi: [
    'The change of the averaged range in percent. A fast rise shows candles that widen, as at climaxes; a slow fall comes with calm. It says nothing about direction.',
    'mass atr',
  ],
  ulcerindex: [
    'The depth of falls from the highest close of the window, as a root mean square. It measures only the risk that hurts: falling prices. It says nothing about sudden rises.',
    'painindex maxdrawdown drawdown',
  ],
  rvi: [
    'An RSI of standard deviations: how much of the volatility comes with rises, smoothed as Wilder does, or exponentially as TradingView does. Above 50 volatility is on the side of buyers. It was made to confirm other signals, not to give them.',
    'rvir inertia rsi',
  ],
  rogerssatchell: [
    'A volatility from open, high, low and close that is not misled by a trend. It needs fewer candles than closes alone. Gaps between candles are ignored.',
    'parkinson garmanklass yangzhang',
  ],
  parkinson: [
    'A volatility from highs and lows only. It uses more of each candle than closes do. It underestimates where trading pauses between candles and where there are gaps.',
    'garmanklass rogerssatchell closevolatility',
  ],
  garmanklass: [
    'A volatility from open, high, low and close with a small statistical error. It assumes no trend and no gaps, and is too high or too low where they occur.',
    'parkinson rogerssatchell yangzhang',
  ],
  yangzhang: [
    'A volatility that joins gaps, open to close and the range within. It is the best of its kind for daily candles. For markets without gaps a part of it is idle.',
    'rogerssatchell garmanklass',
  ],
  closevolatility: [
    'The standard deviation of returns from close to close. It is the textbook measure. It wastes what happened within the candles and needs a long window.',
    'volatility parkinson ewmavolatility',
  ],
  ewmavolatility: [
    'A volatility in which each older return counts less by a fixed share, as RiskMetrics made it known. It reacts at once to a shock and forgets it gradually. The share is a convention.',
    'closevolatility volatility',
  ],
  rvir: [
    'The form of 1995 of the Relative Volatility Index: the mean of one from highs and one from lows. It is steadier than the first form.',
    'rvi inertia',
  ],
  volofvol: [
    'The dispersion of the measured volatility itself. High values mean that risk estimates are unreliable. It is in units of the price, so markets cannot be compared.',
    'volatility hvpercentile stddev',
  ],
  hvpercentile: [
    "The share of the past year's volatilities that were below the present one, in percent. Low values often come before larger moves. After a year without a crisis the next one reaches 100 at once.",
    'volatility bbw',
  ],
  adr: [
    'The mean range of a day or candle, without gaps. Traders use it to judge how much of a usual day is left. A mean hides the wide days.',
    'atr range',
  ],
  volatilityratio: [
    'The true range of a candle compared with the usual one. Above the limit, often 2, the candle leaves its past range. Any candle with news does that.',
    'atr widerange',
  ],
  damiani: [
    'Compares short with long volatility, and with a line made of dispersions, to tell whether a market has enough life to be traded. Below that line one should stay out. It is slow to notice a start.',
    'waddahattar chop',
  ],
  waddahattar: [
    'The change of a MACD against the width of the Bollinger Bands and a dead zone. Strength above both lines means a move worth following. All three grow only once the market moves.',
    'macd bbands damiani',
  ],
  starcbands: [
    'A simple average with lines a multiple of the average true range away. Few closes lie outside. They are the Keltner Channels with another average.',
    'keltnerchannels atrbands',
  ],
  atrbands: [
    'The close with lines a multiple of the average true range above and below. They serve for stops and targets at a distance that suits the market. They move with every close.',
    'starcbands keltnerchannels',
  ],
  stddevchannel: [
    'A regression line with lines a number of deviations away. The price far from the line is stretched. With each candle the whole channel is fitted anew, so old lines are not what one saw then.',
    'linearreg bbands',
  ],
  fcb: [
    'The last fractal high and low, held until the next. They give levels of support and resistance. Each is known only some candles later.',
    'fractals donchianchannels',
  ],
  projectionbands: [
    'Extremes of the window moved along the slope of their regression to the present. The price is always within. A touch marks an extreme along the slope.',
    'projectionosc donchianchannels',
  ],
  projectionosc: [
    'Where the close lies between the projection bands, in percent. It is a stochastic that allows for the slope. Crossings of its signal line follow short turns.',
    'projectionbands stoch',
  ],
  apz: [
    'A double-smoothed average with bands from a double-smoothed range. Beyond the bands a return is expected, unless the market trends.',
    'bbands keltnerchannels',
  ],
  hurstbands: [
    "Bands at percentages around a shifted average, after Hurst's cycles. They show where cycles usually turn. Fixed percentages suit one market at one time.",
    'maenvelope',
  ],
  decaychannel: [
    'The highest and lowest prices of the window, which move towards each other with time until a new extreme is set. The channel narrows in quiet times. The speed of decay is arbitrary.',
    'donchianchannels edecay',
  ],
  keltnerwidth: [
    'The width of the Keltner Channels relative to the middle line. It shows whether the market is wide or narrow. It moves slower than the Bollinger width.',
    'keltnerchannels bbw',
  ],
  kirshenbaum: [
    'An exponential average with bands of the standard error of a regression. They widen when the price leaves a straight course. Steady trends keep them narrow.',
    'bbands stddevchannel',
  ],
  aberration: [
    'Lines an average true range above and below an average of typical prices. Breaks are entries, the middle the exit. It is close to the Keltner Channels.',
    'keltnerchannels starcbands',
  ],
  hwc: [
    'The Holt-Winters average with a channel of its own errors. The middle runs with trends. After shocks the channel needs time to narrow.',
    'hwma bbands',
  ],
  elderthermometer: [
    'How far a candle reaches beyond the previous one. Quiet stretches below its average are times to enter, very hot candles times to take profit.',
    'atr range',
  ],
  bbtrend: [
    'Compares a short with a long pair of Bollinger Bands: positive where the short band pushes up. It tells strength and direction at once. Lengths must differ much.',
    'bbands bbw',
  ],
  gapo: [
    'The logarithm of the range of a window over that of its length. High values mean an erratic market, low ones an orderly one. Its level depends on the unit of the price.',
    'chop frama',
  ],
}
