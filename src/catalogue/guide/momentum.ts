import type { Guide } from './guide-line.js'

export const momentumGuide: Guide = {
  rsi: [
    'Compares the average rise with the average fall of the last candles, from 0 to 100. Above 70 a market is often called overbought, below 30 oversold, and 50 divides rising from falling phases. In a strong trend it stays beyond these levels for a long time, so an extreme alone is no reason to expect a turn.',
    'stochrsi cmo rsx connorsrsi rsidivergence',
  ],
  macd: [
    'The distance between a fast and a slow exponential average, with a signal line that smooths it and a histogram of the difference. Crossings of the signal line and of zero are read as changes of momentum. Its size depends on the price, so values of two markets cannot be compared, and in sideways markets it crosses often.',
    'ppo macdext macdfix apo macddivergence',
  ],
  stoch: [
    'Shows where the close lies between the lowest low and the highest high of a window, in percent, smoothed as K and once more as D. Values above 80 and below 20 mark the ends of the range, and crossings of K and D its turns. A trend keeps it at one end, where every crossing is a false alarm.',
    'stochf stochrsi kdj willr smi',
  ],
  stochf: [
    'The stochastic without the first smoothing: K is the raw place of the close in the range of the window and D its average. It reacts at once, and so it is restless; most people use the smoothed form.',
    'stoch willr stochrsi',
  ],
  stochrsi: [
    'Applies the stochastic to the values of the RSI instead of the price: where the RSI lies between its own extremes of late. It reaches 0 and 100 far more often than the RSI and finds short swings. In return it says nothing about how large a move was.',
    'rsi stoch connorsrsi',
  ],
  kdj: [
    'The stochastic with a third line J = 3K − 2D, which runs ahead of the other two and may leave the range of 0 to 100. Traders look for J beyond 100 or below 0 and for the three lines crossing. J exaggerates noise as much as it exaggerates turns.',
    'stoch stochf rci',
  ],
  adx: [
    'Measures how strong a trend is, whatever its direction, from 0 to 100. Above 25 a market is usually said to trend, below 20 not to. It is smoothed twice, so it rises late and still rises when a trend has ended.',
    'adxr dmi dx chop aroon',
  ],
  adxr: [
    'The mean of the ADX now and the ADX some candles ago, which makes it calmer still. It serves to compare markets by how much they trend, not to time an entry.',
    'adx dx dmi',
  ],
  dx: [
    'The share of the difference of the two directional indicators in their sum, before the smoothing that makes it the ADX. It shows changes of direction sooner than the ADX and jumps far more.',
    'adx plus_di minus_di',
  ],
  dmi: [
    'The whole directional movement system in one result: ADX for the strength of a trend, and the two directional indicators for its direction. The stronger of the two gives the side, and the ADX says whether that side matters. In ranges the two lines cross back and forth.',
    'adx plus_di minus_di di',
  ],
  di: [
    'The two directional indicators: how much of the true range was made by new highs and how much by new lows. The higher line names the direction. It says nothing about strength where both are low.',
    'dmi plus_di minus_di dm',
  ],
  dm: [
    'The two sums of directional movement, up and down, in units of the price. They are the raw material of the directional indicators and are hard to compare between markets.',
    'di plus_dm minus_dm',
  ],
  plus_di: [
    'The share of the true range that was made by higher highs, smoothed, in percent. Above the minus line buyers lead. It is read only together with that line and with the ADX.',
    'minus_di dmi adx',
  ],
  minus_di: [
    'The share of the true range that was made by lower lows, smoothed, in percent. Above the plus line sellers lead. It is read only together with that line and with the ADX.',
    'plus_di dmi adx',
  ],
  plus_dm: [
    'The smoothed size of the moves beyond the previous high, in units of the price. It shows how far buyers pushed; divided by the true range it becomes the plus directional indicator.',
    'minus_dm plus_di dm',
  ],
  minus_dm: [
    'The smoothed size of the moves below the previous low, in units of the price. It shows how far sellers pushed; divided by the true range it becomes the minus directional indicator.',
    'plus_dm minus_di dm',
  ],
  aroon: [
    'Counts how long ago the highest high and the lowest low of a window were, each on a scale from 0 to 100. An up line near 100 and a low down line mean a young rise. Extremes that leave the window make the lines jump without any news.',
    'aroonosc adx highestbars lowestbars',
  ],
  aroonosc: [
    'The up line of Aroon less the down line: above zero the newer extreme is a high. Its sign gives the direction of a trend in one number. Like Aroon it moves in steps as old extremes drop out.',
    'aroon adx vhf',
  ],
  cci: [
    'Shows how far the typical price is from its mean in units of its mean deviation; about three quarters of the values lie between −100 and 100. Some trade moves beyond these limits as breakouts, others as exhaustion. It has no bounds, so what is extreme must be judged for each market.',
    'woodiescci ccidivergence zscore pgo',
  ],
  cmo: [
    'Net movement as a share of all movement, from −100 to 100, smoothed as TA-Lib does it. It is the RSI on another scale: 50 and −50 correspond to 75 and 25. It shares the fault that trends keep it at an extreme.',
    'cmou rsi vidya',
  ],
  cmou: [
    'Net movement of the window as a share of all movement, without the smoothing of TA-Lib. Every candle of the window counts equally, so it turns quickly, and it also jumps when a large candle leaves the window.',
    'cmo rsi efficiencyratio',
  ],
  mom: [
    'The price now less the price some candles ago. Above zero the market is higher than then; the turn of the line often comes before that of the price. The result is in units of the price and depends as much on the old candle as on the new one.',
    'roc momdivergence acceleration',
  ],
  roc: [
    'The change over some candles in percent. It is the simplest measure of momentum and can be compared between markets. A large candle at the far end of the window moves it as much as one today.',
    'rocp rocr mom kst',
  ],
  rocp: [
    'The change over some candles as a fraction of the old price: 0.05 for five percent. It is the rate of change without the factor of one hundred.',
    'roc rocr percentreturn',
  ],
  rocr: [
    'The price divided by the price some candles ago: 1 means no change. Products of such ratios give the growth over longer times, which sums of percentages do not.',
    'roc rocr100 rocp',
  ],
  rocr100: [
    'The price divided by the price some candles ago, times one hundred: 100 means no change. It is read like the rate of change around 100 instead of zero.',
    'rocr roc',
  ],
  trix: [
    'The change in percent of an average that was smoothed three times, which removes all but the longer swings. Crossings of zero follow the trend. It is slow by design: what it shows is settled, and late.',
    'trixhistogram tema kst',
  ],
  trixhistogram: [
    'TRIX with a signal line and the difference of the two. The histogram turns before TRIX itself does, which makes up for a part of its lag. In ranges the extra line adds crossings that mean nothing.',
    'trix macd',
  ],
  ultosc: [
    'Combines buying pressure over three windows, the short one counting most, into a number from 0 to 100. Williams looked for divergences at extremes and then for a break of its own pivot. The three windows dampen false turns, and also make the parameters hard to choose.',
    'bop rsi imi',
  ],
  willr: [
    'Where the close lies between the highest high and the lowest low of a window, from −100 to 0. Above −20 it closes near the high, below −80 near the low. It is the raw stochastic turned around and just as restless.',
    'stochf stoch willrdivergence',
  ],
  mfi: [
    'An RSI of money flow: typical price times volume of rising candles against that of falling ones. Levels of 80 and 20 are read like those of the RSI, and divergences are said to show moves without volume behind them. Where volumes are unreliable it is worth no more than they are.',
    'rsi cmf mfidivergence',
  ],
  bop: [
    "How much of a candle's range lies between open and close, from −1 at a full black body to 1 at a full white one. It ignores gaps, the size of candles and what came before, so it is usually smoothed.",
    'ibs ultosc qstick',
  ],
  apo: [
    'A fast average less a slow one, in units of the price, without a signal line. Its sign gives the direction of the trend. The kind of average can be chosen; values of different markets cannot be compared.',
    'ppo macd maribbon',
  ],
  ppo: [
    'By how many percent a fast average is above a slow one. It is the MACD on a scale that allows comparing markets and decades. Sideways markets let it swing around zero.',
    'apo macd pvo',
  ],
  macdext: [
    'The MACD with any kind of moving average for each of its three lines. It lets one study how the kind of smoothing changes the signals. More freedom also means more ways to fit the past.',
    'macd ma ppo',
  ],
  macdfix: [
    'The MACD with the fixed lengths 12 and 26, smoothed with the rounded weights of its first publication. It exists for results that must match other software; otherwise the MACD is the same thing.',
    'macd ppo',
  ],
  dpo: [
    'Price less a moving average that is shifted back, so that the trend is taken out and cycles remain. Distances between its lows give the length of a cycle. It is no guide to the newest candles.',
    'cog detrendedsyntheticprice coppockcurve',
  ],
  coppockcurve: [
    "A weighted average of two long rates of change, made for monthly charts of share indices. A turn upwards below zero was Coppock's signal for a long rise. On short timeframes it has no tested meaning.",
    'kst roc specialk',
  ],
  ao: [
    'The mean of 5 less the mean of 34 median prices. Williams reads crossings of zero, two peaks on one side and the colour of the bars. It is a MACD with simple averages, and lags like one.',
    'accosc macd aodivergence ewo',
  ],
  accosc: [
    'The Awesome Oscillator less its own average of five candles: whether momentum gains or loses speed. It turns before the Awesome Oscillator, and far more often for no lasting reason.',
    'ao acceleration mom',
  ],
  fisher: [
    'Turns the place of the price in its range into values that are spread like a bell curve, so that turns become sharp peaks. A crossing of its own value one candle before marks the turn. Extremes can be followed by greater ones.',
    'iftrsi stoch rsi',
  ],
  fosc: [
    'The difference between the close and the forecast of a regression line one candle before, in percent of the close. Above zero the price is higher than its line led to expect. Long trends keep it on one side.',
    'tsf linearreg',
  ],
  imi: [
    'An RSI made of the bodies of candles: gains from open to close against losses. It shows who wins within the candles and ignores gaps between them.',
    'rsi bop qstick',
  ],
  qstick: [
    'The mean distance from open to close. Above zero candles have been rising on the whole; it is the plainest measure of colour and size of bodies. Gaps do not appear in it.',
    'bop imi realbody',
  ],
  pd: [
    'How many of the last candles closed above their open less how many closed below, from −1 to 1. It counts colours only: near 1 nearly all were white. The size of the candles and the gaps between them do not appear.',
    'roc mom',
  ],
  rvgi: [
    'Compares the move from open to close with the whole range, each smoothed over four candles and then averaged. The idea is that closes are high in rising markets. A signal line gives crossings; trends without long bodies escape it.',
    'bop stoch',
  ],
  squeeze: [
    'Shows when the Bollinger Bands lie within the Keltner Channels, a sign of unusually low volatility, and the momentum of the price meanwhile. A squeeze that ends is often followed by a larger move in the direction of momentum. It does not say how long the quiet will last.',
    'squeezepro bbw keltnerchannels',
  ],
  squeezepro: [
    'The squeeze with three widths of the Keltner Channels, so that it tells weak from strong compression. More stages give earlier notice, and more notices that lead to nothing.',
    'squeeze bbw keltnerchannels',
  ],
  stc: [
    'A MACD put through the stochastic twice, from 0 to 100. It changes sides sooner than the MACD and rests at its limits in trends. A short pause is often shown as a complete change.',
    'macd stoch',
  ],
  tdsequential: [
    'Counts closes above or below the close four candles earlier: a setup of nine and a countdown of thirteen mark moves that may be exhausted. The counts are read together with their perfection rules. In strong trends several counts complete before the turn.',
    'rei demarker tdtrap',
  ],
  vosc: [
    'The difference of a short and a long average of volume, in percent of the long one. A rise means growing activity. It has no direction: heavy selling raises it as buying does.',
    'pvo vroc relativevolume',
  ],
  chop: [
    'Compares the sum of the true ranges with the range of the whole window, from about 0 to 100. High values mean movement without progress, low ones a trend. It says nothing about direction, and changes only after the market has.',
    'adx vhf efficiencyratio',
  ],
  eom: [
    'Relates the move of the middle price to the volume per range: large values mean that the market moves on little volume. A rise above zero is read as an easy advance. It is very uneven and needs smoothing.',
    'emv marketfi forceindex',
  ],
  tsi: [
    'A double-smoothed change of the price divided by the double-smoothed absolute change, from −100 to 100, with a signal line. It is smooth and still turns early. Its two long averages need a good part of history before values settle.',
    'smiergodic dti macd',
  ],
  kst: [
    'The weighted sum of four smoothed rates of change of growing length, with a signal line. It joins short and long cycles into one line. With so many parts, its size has no meaning of its own; only direction and crossings count.',
    'specialk coppockcurve roc',
  ],
  connorsrsi: [
    'The mean of a short RSI, an RSI of the length of the current streak, and the rank of the last change. It finds pullbacks of a few days within longer trends: below 10 or above 90 are extremes. It is a tool for daily charts of shares and says little on its own about larger turns.',
    'rsi streak percentrank',
  ],
  smi: [
    'The distance of the close from the middle of the range, double-smoothed, as a share of half the range: −100 to 100. It is a calmer stochastic that is centred on zero. The smoothing costs some candles at turns.',
    'stoch tsi dssbressert',
  ],
  efficiencyratio: [
    'The net change divided by the sum of all changes, from 0 to 1 whatever the direction. Near 1 the market went straight, near 0 back and forth. A short window makes it jump from one extreme to the other.',
    'chop kama vhf',
  ],
  laguerrersi: [
    'An RSI of a four-stage Laguerre filter, which follows turns with few candles of data. It goes quickly from 0 to 1 and stays there during a trend. A single parameter sets how fast; too fast, and it flickers.',
    'rsi laguerrefilter rsx',
  ],
  qqe: [
    "A smoothed RSI with a trailing line that follows at a multiple of the RSI's own range. Crossings of the line change the direction. The RSI and the line are smoothed several times, so the change comes well after the turn.",
    'qqemod rsi dvdiqqe',
  ],
  pmo: [
    "A rate of change smoothed twice in its author's own way, with a signal line. It behaves like a percentage MACD with very long memory. Comparisons between markets are possible, exact turning points are not its strength.",
    'ppo roc trix',
  ],
  rsx: [
    'An RSI whose smoothing removes nearly all noise with little delay. It is read by the levels of the RSI and its turns are clear. Like the RSI it stays high or low as long as a trend lasts.',
    'rsi laguerrersi jma',
  ],
  disparityindex: [
    'By how many percent the price is above or below its moving average. Large distances tend to be followed by a return to the average. What is large depends on the market and must be measured there.',
    'bbands zscore pricedistance',
  ],
  wavetrend: [
    'The distance of the typical price from its average, in units of its mean distance, smoothed, with a second line. Crossings beyond ±50 or ±60 are used as turns. It resembles a smoothed CCI, and has the same trouble with trends.',
    'cci stoch tsi',
  ],
  ibs: [
    'Where the close lies in the range of its own candle: 0 at the low, 1 at the high. Share indices that close near the low have often risen on the next day. It is a statistic of single candles, useless where candles have no natural end.',
    'bop stoch willr',
  ],
  asi: [
    "The running sum of Wilder's swing index, a line that shows the real trend through open, high, low and close. Breaks of its own swings are used to confirm those of the price. Its size depends on the limit move, which is a price; with `unit` percent it is one for markets of all prices.",
    'swingindex obv',
  ],
  rmi: [
    'An RSI that compares each price with one several candles before rather than with the previous one. The longer comparison makes extremes rarer and trends clearer. It keeps the other limits of the RSI.',
    'rsi mom',
  ],
  iftrsi: [
    'Pushes a smoothed RSI through the inverse Fisher transform, so that it is nearly always close to −1 or 1. Crossings of ±0.5 are clear signals. The clarity is of the form only: it knows no more than the RSI.',
    'rsi fisher',
  ],
  pgo: [
    'The distance of the close from its average in units of an average of the true range. Its author bought above 3 and sold below −3, as breakouts. The same numbers are read by others as exhaustion.',
    'cci disparityindex atr',
  ],
  demarker: [
    'Compares new highs with new lows of the window, from 0 to 1. Above 0.7 and below 0.3 are the usual extremes. It looks at highs and lows only and does not notice where candles close.',
    'rsi rei tdsequential',
  ],
  psl: [
    'The share of rising candles in the window, in percent. It is a count of opinion rather than of size: above 75 is called too bullish, below 25 too bearish. A slow rise gives high values without any excess.',
    'streak brar rsi',
  ],
  elderray: [
    "How far the high and the low of a candle lie from an exponential average: the power of bulls and of bears. While the average rises, a bear power that is below zero and rises is an entry in Elder's system. The values are in units of the price.",
    'forceindex ema elderimpulse',
  ],
  brar: [
    'Two ratios from Japan: BR compares highs and lows with the previous close, AR with the open. High values mean excited buying, low ones despair. Both have no upper bound, and gaps distort BR.',
    'psl imi',
  ],
  inertia: [
    'The end of a regression line through the Relative Volatility Index, which its author takes as the inertia of a trend: above 50 positive. It is smooth and slow.',
    'rvi linearreg',
  ],
  premierstoch: [
    'A stochastic that is smoothed twice and then squeezed into −1 to 1. Values beyond ±0.9 and the return below them are the usual signals. Its form makes turns look sharper than they are.',
    'stoch fisher smi',
  ],
  smiergodic: [
    "The True Strength Index with Blau's shorter lengths, its signal line and the difference of both. It follows short swings closely. In quiet markets the difference changes sign nearly every candle.",
    'tsi macd',
  ],
  vwmacd: [
    'A MACD whose averages are weighted by volume. Moves with much trading count more, quiet ones hardly. Where volume comes in a few large prints, it jumps with them.',
    'macd vwma',
  ],
  rocbands: [
    'A rate of change with bands of its own dispersion around zero. Beyond the bands the change is unusual for the window. Bands adapt only after volatility has changed.',
    'roc bbands',
  ],
}
