import type { Guide } from './guide-line.js'

export const trendGuide: Guide = {
  psar: [
    'Points that follow a trend and come closer with each new extreme, until price touches them and they change sides. They serve as a trailing stop. In sideways markets they are touched every few candles.',
    'sar sarext supertrend volatilitystop',
  ],
  sar: [
    "TA-Lib's Parabolic SAR: points below a rise and above a fall that speed up with each new extreme. A touch ends the trend for it. It is always on one side, also where there is no trend.",
    'psar sarext supertrend',
  ],
  sarext: [
    'The Parabolic SAR with separate settings for rises and falls, a start value and an offset at a change. Negative values mean the short side. More settings can be fitted to the past too well.',
    'sar psar',
  ],
  supertrend: [
    'A line a multiple of the average true range away from the middle price that only moves with the trend. A close beyond it changes the direction. It is simple and robust in trends and loses in ranges, as all such stops do.',
    'atrtrailingstop volatilitystop halftrend psar',
  ],
  accbands: [
    "Bands that widen with the size of candles relative to their price. Two closes outside them were their author's sign of acceleration. They are asymmetric and react to single wide candles.",
    'bbands keltnerchannels',
  ],
  bbands: [
    'A moving average with lines a number of standard deviations above and below. Narrow bands show quiet before movement, touches of a band an unusual price. In trends the price walks along a band, so a touch is no reversal by itself.',
    'bbw percentb keltnerchannels squeeze',
  ],
  donchianchannels: [
    'The highest high and the lowest low of a window and their middle. A new high of the window is the classic breakout. Width and breakouts depend on single candles.',
    'midprice turtlesoup highestbars',
  ],
  ht_trendline: [
    'A line that averages the price over the measured dominant cycle, which removes that cycle. The price crossing it shows the change between cycle and trend. Its length follows a measurement that is uncertain in trends.',
    'ht_dcperiod mama itrend',
  ],
  ichimoku: [
    'Five lines in one picture: two middle lines, a cloud drawn ahead, and the close drawn back. Above the cloud the trend is up, within it undecided. The lines are middles of ranges and react in steps.',
    'midprice donchianchannels',
  ],
  keltnerchannels: [
    'An exponential average with lines a multiple of the average true range away. Closes outside show strength. They are smoother than the Bollinger Bands and slower to widen.',
    'bbands starcbands atrbands squeeze',
  ],
  vhf: [
    'The range of the closes in a window divided by the sum of their changes. High values mean a trend, low ones a range. It does not give the direction and reacts when a move is well under way.',
    'chop efficiencyratio adx',
  ],
  vortex: [
    'Two lines of movement up and down, found from the distance of each high to the low before and of each low to the high before. The higher line gives the direction, crossings the change. In ranges they cross often.',
    'dmi aroon',
  ],
  williamsalligator: [
    'Three smoothed averages of the middle price, shifted ahead: jaw, teeth and lips. Apart and in order they show a trend, entwined a sleeping market. The shift makes the picture clear and late.',
    'gator smma ao fractals',
  ],
  heikinashi: [
    'Candles from averaged prices: the open is the middle of the averaged candle before, the close the mean of all four prices. Runs of one colour without shadows on one side show a trend. The prices are not those that were traded, so no order should be based on them.',
    'smoothedheikinashi',
  ],
  smoothedheikinashi: [
    'Heikin-Ashi of smoothed candles, smoothed once more. Colours change rarely and late. The lines are far from traded prices.',
    'heikinashi ema',
  ],
  chandelierexit: [
    'A stop hung a multiple of the average true range from the highest high for rises and from the lowest low for falls. It lets trends run. A wide range in the window moves the stop away just when risk grows.',
    'volatilitystop atrtrailingstop chandekrollstop',
  ],
  chandekrollstop: [
    'Stops a multiple of the average true range below the highest high and above the lowest low, and then their extremes over a second window. They are wide and rarely hit. Two windows make them move late.',
    'chandelierexit volatilitystop',
  ],
  gannhilo: [
    'A line of mean lows under a rise and mean highs above a fall that changes when the close passes the other side. It is a simple trend stop. Ranges change it often.',
    'sslchannel supertrend',
  ],
  volatilitystop: [
    "Wilder's stop: a multiple of the average true range from the best close since the position began. Hit, it turns to the other side. It always has a position.",
    'vstop atrtrailingstop supertrend',
  ],
  vstop: [
    'The volatility stop as charts of TradingView draw it, with the extreme close since the turn. It is read as a trailing line. In ranges it turns again and again.',
    'volatilitystop supertrend',
  ],
  atrtrailingstop: [
    'A line a multiple of the average true range behind the close that never moves against the trend. A cross of the close turns it. The distance adapts to volatility with a delay.',
    'utbot supertrend chandelierexit',
  ],
  devstop: [
    "Kase's stop: the mean of a two-candle range plus a number of its standard deviations. Several lines give several degrees of caution. It assumes that ranges are distributed normally, which they are not.",
    'atrtrailingstop safezonestop',
  ],
  safezonestop: [
    "Elder's stop at a multiple of the average penetration against the trend. It sits just outside the usual noise. Noise that grows suddenly hits it.",
    'devstop kaufmanstop',
  ],
  kaufmanstop: [
    'A stop a multiple of the mean range below the low or above the high, after Kaufman. It widens with the ranges. It moves with every candle, also against the position.',
    'safezonestop devstop',
  ],
  halftrend: [
    'A trend line that changes only when both an average and the extremes of a small window agree. It is flat within a move and rarely turns. The first part of each turn is lost.',
    'supertrend alphatrend',
  ],
  ott: [
    "A trailing line at a small percentage from an adaptive average; the direction changes when the average crosses it. In its author's use the line of two candles ago is compared. Small percentages give many turns.",
    'most pmax vidya',
  ],
  otto: [
    'The Optimized Trend Tracker applied to a ratio of adaptive averages, as an oscillator with a line for comparison. It tries to ignore ranges. The correction in its ratio is a price, far above most, so the lines depend on the price of the market; `unit` percent takes that away. The many settings invite fitting.',
    'ott vidya',
  ],
  pmax: [
    'A Supertrend that follows a moving average rather than the price. Changes are fewer. It is later by the lag of the average.',
    'supertrend most ott',
  ],
  most: [
    'A stop a fixed percentage from a moving average, an exponential one by default. The average crossing it changes the side. The percentage must be chosen for each market.',
    'pmax ott maenvelope',
  ],
  trendmagic: [
    'A Supertrend-like line whose side is given by the sign of the CCI. The line holds its value until the side lets it move. It turns with every change of the CCI in ranges.',
    'cci supertrend',
  ],
  nrtr: [
    'A stop a fixed percentage from the extreme since the last turn. Nothing is simpler to follow. The percentage takes no notice of volatility.',
    'most volatilitystop',
  ],
  sslchannel: [
    'Averages of the highs and of the lows that change places when the close leaves them. While `up` is the upper line, the market rises. It is a two-line form of the Gann HiLo.',
    'gannhilo donchianchannels',
  ],
  alphatrend: [
    'A line below the lows that only rises while the money flow or RSI is 50 or more, and one above the highs that only falls otherwise. It rests in ranges better than Supertrend. The filter also lets it miss turns.',
    'supertrend mfi trendmagic',
  ],
  rangefilter: [
    'Moves only when the price goes farther than a smoothed range from it, so small moves leave it flat. The slope gives the trend. Its width is adapted with a delay.',
    'halftrend atrtrailingstop',
  ],
  utbot: [
    'An ATR trailing stop with signals at its crossings, as the popular script gives them. It is always in the market. Its many copies differ in detail.',
    'atrtrailingstop supertrend',
  ],
  nadarayawatson: [
    'A mean with bell weights over a long window and bands around it, in the form that uses past candles only. The price outside the bands is far from its smooth course. The popular version looks ahead and repaints; this one lags instead.',
    'gaussianfilter bbands alma',
  ],
  ravi: [
    'The distance between a short and a long average in percent. Beyond a small limit the market counts as trending. The limit differs from market to market.',
    'ppo adx vhf',
  ],
  trendintensity: [
    'The share of deviations above the average in all deviations of the window: 100 when all closes lie above. High and low values show a firm trend. The average lags, and so does the count.',
    'adx stiffness',
  ],
  pfe: [
    'The length of the straight line between two prices against the path between them, signed and smoothed. Near ±100 the market goes straight. It depends on how prices and candles are scaled.',
    'efficiencyratio frama',
  ],
  amat: [
    'Tells whether a fast average stands higher (long) or lower (short) than some candles ago. The slow average only has to have moved, in either direction. So the flags change with every short swing.',
    'maribbon macd',
  ],
  ttmtrend: [
    'Tells whether the close is above the mean middle price of the last candles. It removes small changes of colour. It is a very short average in another form.',
    'heikinashi sma',
  ],
  elderimpulse: [
    '1 where both an average and the MACD histogram rise, −1 where both fall, else 0. Elder forbids selling short in the first case and buying in the second. It is a filter, not a signal.',
    'macd ema elderray',
  ],
  chopzone: [
    'The angle of an average, put into nine zones from steep fall to steep rise. Middle zones mean a market without direction. The angle depends on the scale that is assumed.',
    'chop linearreg_angle',
  ],
  rainbowoscillator: [
    "How far the price is from the mean of ten nested averages, as a share of the range, with bands for the width of the rainbow. Wide bands warn of a turn. It follows the rainbow's lag.",
    'rainbow ppo',
  ],
  dti: [
    "Blau's directional trend index: moves of highs and lows smoothed three times, from −100 to 100. It is a smooth view of higher highs against lower lows. Three smoothings need a long warm-up.",
    'tsi dmi',
  ],
  gator: [
    'The distances between the lines of the Alligator, as two histograms. Both distances growing show a trend (the Alligator eats), both shrinking its end (it is sated). It adds no information to the lines.',
    'williamsalligator',
  ],
  randomwalkindex: [
    'Compares the distance made with the one that a random walk would make in the same time, for rises and for falls. Above 1 a move is more than chance. It takes the best of many lengths, which makes 1 easier to reach than it sounds.',
    'adx vhf',
  ],
  trendtriggerfactor: [
    'Buying power against selling power from extremes of two neighbouring windows, in percent. Above 100 and below −100 are trends to its author. A single extreme decides for a whole window.',
    'aroonosc donchianchannels',
  ],
}
