import type { Guide } from './guide-line.js'

export const rareMomentumGuide: Guide = {
  swingindex: [
    "Wilder's number for a single candle that weighs how open, high, low and close relate to those of the candle before. It is positive for strong candles and summed up in the accumulative index. The limit move of a day is a price; with `unit` percent the numbers of markets with other prices compare.",
    'asi',
  ],
  woodiescci: [
    'Two CCIs, a long one for the trend and a short turbo one for entries, as Woodie trades them without looking at the price. Patterns such as a rejection of zero give the entries. The rules leave much to the eye.',
    'cci',
  ],
  specialk: [
    "Pring's sum of many smoothed rates of change from weeks to years, meant to show the primary trend and its corrections in one line. Its first value needs 725 candles, 363 with `scale` 0.5, and its turns come late.",
    'kst coppockcurve',
  ],
  derivativeosc: [
    'A double-smoothed RSI less its average, shown as a histogram. Crossings of zero show turns of momentum with little noise. The smoothing leaves the sharp turns out.',
    'rsi macd',
  ],
  rei: [
    "DeMark's measure of moves over short spans, set to zero where a move does not overlap with earlier ones. Above 60 and below −60 for a few candles only marks exhaustion; longer stays are trends.",
    'demarker tdsequential',
  ],
  aso: [
    'Measures where buyers and sellers stand within each candle and within the range of a group of candles, as two lines that add up to about 100. The higher line leads. The two change places often in quiet markets.',
    'bop imi',
  ],
  dymi: [
    'An RSI whose length shrinks in restless markets and grows in quiet ones. It reaches its extremes sooner when something happens. The changing length makes values hard to compare over time.',
    'rsi stddev',
  ],
  rci: [
    'The rank correlation of price with time, from −100 to 100. Near 100 the closes of the window rose in order. It counts the order only, so a slow rise and a jump look alike.',
    'spearman cti kdj',
  ],
  ewo: [
    'A simple average of 5 less one of 35 candles, which Elliott traders use to tell waves apart: the largest value belongs to the third wave. Counting waves remains a matter of opinion.',
    'ao macd',
  ],
  tdi: [
    'An RSI with a fast line, a signal line and volatility bands around it. Crossings give entries, the bands the state of the market. Several lines of the same RSI agree more often than they confirm.',
    'rsi bbands',
  ],
  stiffness: [
    'The share of recent candles that closed above a slightly lowered moving average. High values mean a rise without deep setbacks. It falls only after setbacks have occurred.',
    'psl trendintensity',
  ],
  impulsemacd: [
    'Measures how far a smoothed middle price has left a channel of smoothed highs and lows; zero inside it. It is silent in ranges, where the MACD gives false crossings. Slow trends can stay within the channel unnoticed.',
    'macd dema',
  ],
  raschke310: [
    'The difference of simple averages of 3 and 10 candles with a 16-candle average of it. Divergences of the fast line and pullbacks against the slow one are its uses. It is very short and suits swing trading only.',
    'macd apo',
  ],
  qqemod: [
    'Two QQE lines joined: a candle counts as strong only where both are on one side and beyond a band. It filters out many weak signals of QQE, and misses the start of moves.',
    'qqe rsi bbands',
  ],
  dssbressert: [
    'A stochastic that is averaged, put through a second stochastic and averaged again, from 0 to 100. It swings between its limits in a smooth way. Trends end in long stays at a limit, as with every stochastic.',
    'stoch smi',
  ],
  macz: [
    'The distance to the volume-weighted average in units of its usual size, plus a MACD in units of the dispersion. It tries to join mean reversion with momentum in one line. The two ideas often contradict each other.',
    'macd zscore vwap',
  ],
  netmyrsi: [
    "Ehlers' RSI put through a noise elimination based on rank correlation. Turns are clean and early. It says how orderly a move is, not how large.",
    'rsi rci kendall',
  ],
  reversersi: [
    'The price at which the RSI would have a given value on the next candle. It turns a level of the RSI into a price for an order. It holds for one candle only.',
    'rsi',
  ],
  acceleration: [
    'The change of momentum: the second difference of the price. It turns before momentum does. Differences of differences are mostly noise on short timeframes.',
    'mom jerk accosc',
  ],
  tke: [
    'The mean of seven common oscillators. Where most agree, it is high or low. They are made of the same prices, so agreement is less proof than it seems.',
    'rsi stoch cci',
  ],
  dvdiqqe: [
    'A double-smoothed difference of rising and falling volume indices with trailing lines in the manner of QQE. It looks for moves that volume does not support. Several smoothings delay it.',
    'qqe pvi nvi',
  ],
  ccicycle: [
    'A CCI that is smoothed and put through two stochastics, from 0 to 100, as the Schaff trend cycle does with the MACD. It changes sides quickly. Small pauses are shown as large swings.',
    'stc cci',
  ],
}
