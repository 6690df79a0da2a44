import type { Guide } from './guide-line.js'

export const trendAveragesGuide: Guide = {
  sma: [
    'The plain mean of the last prices. A price above it and a rising line mean a rise; the crossing of two lengths is the oldest signal there is. It lags by half its length, and a price that leaves the window moves it as much as a new one.',
    'ema wma trima ma bbands',
  ],
  ema: [
    'A mean in which each older price counts a fixed share less. It follows turns sooner than a simple mean of the same length and never jumps because of an old price. It still lags, and in ranges it is crossed again and again.',
    'sma dema tema macd smma',
  ],
  wma: [
    'A mean whose weights fall in a straight line from the newest price to the oldest. It is faster than the simple mean and forgets completely after its length. Its lag is a third of its length.',
    'sma hma cwma vwma',
  ],
  dema: [
    'Twice an exponential average less the average of that average, which takes out most of the lag. It hugs the price in trends. At turns it shoots beyond the price.',
    'ema tema zlema',
  ],
  tema: [
    'An exponential average with its lag corrected twice. It is quicker than DEMA and passes more noise on. Crossings of price and line come early and often.',
    'dema ema t3 trix',
  ],
  t3: [
    'Six exponential averages joined by a factor into a line that is both smooth and quick. The factor moves it between a plain smoothing and a DEMA. It can overshoot after sharp moves.',
    'tema dema jma',
  ],
  trima: [
    'A mean of means: the middle of the window counts most. The line is very smooth and shows the shape of past swings well. It lags by half its length and is no tool for fast decisions.',
    'sma hannma sinwma',
  ],
  hma: [
    'A weighted mean built from two others so that its lag nearly disappears. Its colour or slope is used to tell the direction. It overshoots at sharp turns and can mark a turn that the price does not make.',
    'wma ehma zlema',
  ],
  kama: [
    'An average whose speed follows the efficiency of the market: fast in a straight move, nearly still in noise. Flat phases of the line mean a market without direction. After a long range it needs some candles to wake up.',
    'efficiencyratio vidya frama maaq',
  ],
  mama: [
    "Ehlers' average that adapts to the phase of the dominant cycle, with a second line that follows it. Crossings of both are rare in trends. Where there is no cycle its speed changes at random.",
    'ht_dcperiod frama kama',
  ],
  ma: [
    "Any kind of moving average under one name: TA-Lib's by number and many others by name. It serves programs that let a user choose. Each kind keeps its own lag and its own warm-up.",
    'sma ema mavp maenvelope',
  ],
  mavp: [
    'A moving average whose length may differ from candle to candle, taken from a second column. Adaptive systems use it with a measured cycle. The result is as good as the lengths that it is given.',
    'ma vlma',
  ],
  midpoint: [
    'The middle between the highest and the lowest close of a window. It is a slow baseline that moves in steps. Only extremes matter to it, all else in the window does not.',
    'midprice donchianchannels',
  ],
  midprice: [
    'The middle between the highest high and the lowest low of a window, the building block of the Ichimoku lines. Flat stretches mark levels to which prices like to return. A single spike holds it for the whole window.',
    'midpoint ichimoku donchianchannels',
  ],
  smma: [
    "Wilder's smoothing: an exponential average with a weight of one over the length. It is about half as fast as an exponential average of that length. Indicators such as RSI and ATR use it inside.",
    'wilders ema williamsalligator',
  ],
  wilders: [
    "Wilder's own smoothing under the name that Tulip gives it: the same as the smoothed moving average. It is calm and late, about half as fast as an exponential average of its length.",
    'smma ema atr',
  ],
  vidya: [
    'An exponential average that speeds up when short-term volatility is above the long-term one. It rests in quiet markets and runs with breakouts. A quiet, steady trend leaves it behind.',
    'kama cmo ema',
  ],
  vwma: [
    'A mean of prices weighted by volume. Where it is above the simple mean, heavier trading took place at higher prices. Without reliable volume it means nothing.',
    'vwap sma evwma',
  ],
  zlema: [
    'An exponential average of a price that is pushed ahead by its own recent change. Lag is mostly gone. Noise is pushed ahead too, and the line overshoots.',
    'ema dema hma ecema',
  ],
  alma: [
    'A mean with bell-shaped weights whose centre can be moved towards the newest candle. It balances smoothness and lag with two settings that are easy to picture. It stays a filter of the past: no setting gives a smooth line without lag.',
    'gaussianfilter hannma wma',
  ],
  fwma: [
    'A mean with the Fibonacci numbers as weights: the newest few prices decide nearly everything. It is a very fast line. Lengths beyond ten hardly change it.',
    'wma pwma sqwma',
  ],
  sinwma: [
    'A mean with the first half of a sine wave as weights, so that the middle of the window counts most. It is smooth like the triangular average and lags as much.',
    'hannma trima',
  ],
  pwma: [
    "A mean with the numbers of Pascal's triangle as weights, close to a bell curve around the middle of the window. Smooth, and late by half its length.",
    'sinwma gaussianfilter',
  ],
  cwma: [
    'A mean whose weights grow with the third power of the place in the window: the newest prices dominate. It is close to the price and lets noise through.',
    'sqwma wma srwma',
  ],
  sqwma: [
    'A mean whose weights grow with the square of the place in the window. It is faster than the weighted average, calmer than the cubed one.',
    'cwma wma srwma',
  ],
  srwma: [
    'A mean whose weights grow with the square root of the place in the window. It lies between the simple and the weighted average in speed and in smoothness. The difference from either is small.',
    'sqwma wma',
  ],
  hannma: [
    'A mean with the weights of a Hann window, a bell that ends in zero on both sides. New prices enter and old ones leave without a jump. The lag is half the length.',
    'sinwma trima alma',
  ],
  vpwma: [
    'A mean whose weights grow with a power that can be chosen, so one setting moves it from the simple average to a very fast one. It repeats what the square and cubic averages do at fixed powers.',
    'wma sqwma cwma',
  ],
  henderson: [
    'A smoothing that statisticians use to show the trend of economic series: it keeps curves and removes noise. Centred on past candles its line is excellent. Here, where it may not look ahead, it lags by half its window.',
    'savitzkygolay linearreg',
  ],
  savitzkygolay: [
    'Fits a polynomial to the window and takes its middle, so peaks keep their height. It comes from chemistry and smooths well. As it must not look ahead, its line is half a window late.',
    'henderson polyfit',
  ],
  jsa: [
    'The mean of two prices only: the newest and one some candles ago. It is a curiosity that shows how much a mean depends on its ends.',
    'midpoint mom',
  ],
  dwma: [
    'A weighted average of a weighted average. The line is smoother than one pass and follows well. It needs twice the candles and lags more.',
    'wma dema trima',
  ],
  zlsma: [
    'Twice the end of a regression line less the end of a line through such ends, which takes out what lag is left. It follows price closely. Like all corrected lines it overshoots at turns.',
    'linearreg zlema hma',
  ],
  pma: [
    "Ehlers' predictive average: a weighted mean corrected by its own lag, with a trigger line. Crossings of both come early. The prediction is an extension of the last slope, no more.",
    'wma zlema',
  ],
  mcginleydynamic: [
    'An average that follows fast when prices fall away from it and slowly when they run above it. It was made to avoid separation from the price. It depends on where it began, so two histories give two lines.',
    'kama ema',
  ],
  jma: [
    "The known form of Jurik's average: little lag, little overshoot. The phase setting trades one for the other. Jurik's own code is secret, and other copies give other numbers.",
    't3 rsx ultimatesmoother',
  ],
  hwma: [
    "Holt and Winters' smoothing with level, slope and acceleration, which predicts and corrects itself. It runs with trends without lag. At turns it swings past the price.",
    'holt kalman',
  ],
  holt: [
    'An exponential average with a slope of its own. In a steady trend it has no lag. After a turn it goes on in the old direction for a while.',
    'hwma ema linearreg',
  ],
  coral: [
    'A smoothing of six exponential stages shown as a trend line whose slope gives the direction. It looks like T3. Its slope changes sign rarely, and late.',
    't3 ema',
  ],
  kalman: [
    'A filter that weighs each new price by how uncertain its own estimate is. Two variances set its speed. With constant settings it soon becomes an exponential average of fixed weight.',
    'ema hwma',
  ],
  frama: [
    'An exponential average whose speed follows the fractal dimension of the window: fast in straight moves, slow in noise. It flattens in ranges like KAMA. The estimated dimension itself jumps.',
    'kama hurst vidya',
  ],
  edcf: [
    'Weights prices by how far they have moved from their neighbours, so fast moves pull the line at once. It is a filter for breakouts from quiet phases. In noise large single candles pull it as well.',
    'kama frama',
  ],
  dsma: [
    'An average whose weight is the size of the smoothed change in units of its usual size. It runs when the market makes an unusual move and rests otherwise. A single spike counts as such a move.',
    'kama supersmoother',
  ],
  naturalma: [
    "Sloman's average gives weight to where in the window the movement took place. It speeds up when volatility is recent. The idea is seldom tested.",
    'kama vidya',
  ],
  maenvelope: [
    'Lines a fixed percentage above and below a moving average. Prices at the lines are far from their mean; in ranges they tend to return. The percentage does not adapt to volatility, which the Bollinger Bands do.',
    'bbands keltnerchannels ma',
  ],
  trama: [
    'An average that moves the faster, the more often new highs or lows occurred in the window. It is flat in ranges and steps up in trends. The steps come after the extremes.',
    'kama donchianchannels',
  ],
  gmma: [
    'Twelve exponential averages in a short and a long group, for traders and for investors. A wide long group shows a firm trend, and the short group compressing against it an entry. Twelve lines of the same price repeat each other.',
    'maribbon rainbow ema',
  ],
  rainbow: [
    'Ten averages, each a smoothing of the one before. The order and the width of the band show the age of a trend. The slowest lines lag far behind.',
    'rainbowoscillator gmma',
  ],
  vlma: [
    'An average that shortens when the price leaves its usual range and lengthens when it returns. It reacts to breakouts and calms afterwards. Its length depends on the whole past.',
    'mavp vidya',
  ],
  maaq: [
    'An adaptive average in the manner of KAMA with an efficiency measured as signal over noise. It rests in ranges. Its settings overlap in effect.',
    'kama efficiencyratio',
  ],
  ehma: [
    'The Hull average built from exponential means. It is nearly without lag and never jumps because of an old price. It overshoots like the original.',
    'hma ema',
  ],
  mcnichollma: [
    'A double exponential average corrected for its lag, in the form McNicholl proposed. It is close to DEMA and shares its overshoot.',
    'dema ema',
  ],
  ahrensma: [
    'An average that moves by a share of the distance between the price and the middle of two averages: the last one and the one a window ago. It is steadier than an exponential average. Its long memory delays turns.',
    'ema smma',
  ],
  maribbon: [
    'Six averages of one kind with growing lengths. Fanned out they show a trend, crossed a change or a range. It shows nothing that two of the lines would not.',
    'gmma rainbow ma',
  ],
  ecema: [
    'An exponential average with a correction whose gain is searched anew on each candle to bring the line closest to the price. It follows tightly. The search depends on the whole past.',
    'zlema ema',
  ],
  supersmoother: [
    "Ehlers' low-pass filter with two poles: it removes swings shorter than its period with less lag than an average of the same smoothness. It is often the first stage of his indicators. At the start of data it needs a period to settle.",
    'ultimatesmoother butterworth2 roofing',
  ],
  supersmoother3: [
    'The super smoother with three poles. It cuts off short swings more sharply than with two. It lags somewhat more, and swings past sharp turns.',
    'supersmoother butterworth3',
  ],
  ultimatesmoother: [
    'The price less what a high-pass filter takes out, so that slow moves pass without any lag. It follows trends exactly. Some noise around the period passes through.',
    'supersmoother highpass2',
  ],
  butterworth2: [
    'The classic electrical filter with two poles, flat for slow swings and falling off for fast ones. It is the measure by which other smoothers are judged. Its lag grows with the period.',
    'supersmoother butterworth3',
  ],
  butterworth3: [
    'The classic filter with three poles: a sharper cut than with two, so that short swings vanish more completely. It lags more.',
    'butterworth2 supersmoother3',
  ],
  gaussianfilter: [
    'One to four equal exponential stages set to a given cut-off period. More poles smooth better and lag a little more. It never overshoots, and it is never ahead.',
    'butterworth2 alma',
  ],
  decycler: [
    'The price less its short cycles, found by a high-pass filter of two poles. What is left is the trend with nearly no lag. It is only a little smoother than the price.',
    'decycleroscillator highpass2',
  ],
  itrend: [
    "Ehlers' trendline without lag for slow moves, with a trigger line that runs ahead. Crossings give the direction. In short cycles they come one after another.",
    'supersmoother pma',
  ],
  laguerrefilter: [
    'A filter of four stages that stretches a few candles into long smoothing. One setting sets how much. With high settings it lags badly.',
    'adaptivelaguerre laguerrersi',
  ],
  adaptivelaguerre: [
    'The Laguerre filter with a setting that follows how well it fits the price of late. It is quick after sudden moves and smooth in between. Its path depends on all of the past.',
    'laguerrefilter kama',
  ],
  swissarmyknife: [
    'One formula of Ehlers that becomes several filters by its settings: smoothers, a high-pass, a band-pass. It is a tool for comparing them. Filters like these are also indicators of their own here.',
    'gaussianfilter highpass bandpass butterworth2',
  ],
  volumeadjustedma: [
    'An average over a given amount of volume rather than of candles, after Arms. Busy candles count for several. In quiet hours it reaches far back.',
    'vwma evwma',
  ],
}
