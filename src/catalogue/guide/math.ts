import type { Guide } from './guide-line.js'

export const mathGuide: Guide = {
  abs: [
    'The value without its sign. It turns changes into sizes, such as the distance from an average. The direction is lost.',
    'sub',
  ],
  acos: [
    'The angle in radians whose cosine the input is. It serves to turn correlations into angles. It is defined from −1 to 1 only, so prices need scaling first.',
    'cos asin',
  ],
  asin: [
    'The angle in radians whose sine the input is. It serves to turn a position in a cycle into a phase. It is defined from −1 to 1 only, so prices need scaling first.',
    'sin acos',
  ],
  atan: [
    'The angle in radians whose tangent the input is. It turns a slope into an angle and presses any number into a fixed range. The angle depends on the unit of the slope.',
    'tan tanh',
  ],
  cos: [
    'The cosine of the input as an angle in radians. It serves to build cycles of a known length. Prices as they are give meaningless swings.',
    'sin acos',
  ],
  sin: [
    'The sine of the input as an angle in radians. It serves to build cycles of a known length. Prices as they are give meaningless swings.',
    'cos asin',
  ],
  tan: [
    'The tangent of the input as an angle in radians. It turns an angle into a slope. It grows without bounds near odd quarter turns.',
    'atan sin',
  ],
  cosh: [
    "The hyperbolic cosine of the input. It appears in some filters' formulas. It grows exponentially, so prices overflow it unless they are scaled.",
    'sinh tanh',
  ],
  sinh: [
    "The hyperbolic sine of the input. It appears in some filters' formulas. It grows exponentially on both sides; scale prices first.",
    'cosh tanh',
  ],
  tanh: [
    'The hyperbolic tangent, which presses any number between −1 and 1. Prices as they are all give 1; use it on small numbers.',
    'iftrsi atan',
  ],
  exp: [
    'The exponential of the input. It turns logarithms back into prices. Prices as they are overflow it.',
    'ln',
  ],
  ln: [
    'The natural logarithm of the input. Its differences are returns, and equal ratios become equal distances, as on a logarithmic chart. It needs positive values.',
    'log10 logreturn exp',
  ],
  log10: [
    'The logarithm to base ten. It compares sizes that differ by powers of ten, such as volumes of markets. It needs positive values.',
    'ln',
  ],
  sqrt: [
    'The square root of the input. It turns variances into deviations and dampens large volumes. Negative values have none.',
    'ln',
  ],
  ceil: [
    'The smallest whole number that is not below the input. It gives round price levels. All prices below the next level look the same.',
    'floor round',
  ],
  floor: [
    'The largest whole number that is not above the input. It gives round price levels. All prices above a level look the same.',
    'ceil trunc',
  ],
  round: [
    'The nearest whole number, halves to the greater one. It removes detail that does not matter. For cheap markets it removes everything.',
    'floor ceil',
  ],
  trunc: [
    'The input without its decimals. It differs from the floor for negative values only. For cheap markets it is always 0.',
    'floor round',
  ],
  add: [
    "The sum of two columns, by default high and low. It is a step in formulas of one's own. Columns of different units should not be added.",
    'sub mult',
  ],
  sub: [
    "The difference of two columns, by default high less low, which is the range of a candle. It is a step in formulas of one's own and in units of the price.",
    'add range',
  ],
  mult: [
    'The product of two columns, by default high and low. With volume as the second column it is money traded. Products of prices mean little by themselves.',
    'div mul',
  ],
  mul: [
    'The product of two columns under the name that Tulip gives it. It serves programs that were written for that library.',
    'mult div',
  ],
  div: [
    'The quotient of two columns, by default high over low. It compares them without units. It has no value where the second is zero.',
    'mult',
  ],
  todeg: [
    'Turns radians into degrees, as people read the phases and angles of other indicators. The input must be an angle.',
    'torad',
  ],
  torad: [
    'Turns degrees into radians, as the sine and its relatives expect them. The input must be an angle.',
    'todeg',
  ],
  max: [
    'The highest value of a window. A price at it is a new high, the oldest sign of a breakout. One high candle holds the line until it leaves the window, and then it drops in a step.',
    'min maxindex donchianchannels',
  ],
  min: [
    'The lowest value of a window. A price at it is a new low. One low candle holds the line until it leaves the window, and then it rises in a step.',
    'max minindex donchianchannels',
  ],
  maxindex: [
    'The place in the history of the highest value of the window. The distance to the newest candle tells how old the high is. The number changes with where the history begins.',
    'minindex max highestbars',
  ],
  minindex: [
    'The place in the history of the lowest value of the window. The distance to the newest candle tells how old the low is. The number changes with where the history begins.',
    'maxindex min lowestbars',
  ],
  minmax: [
    'The lowest and the highest value of a window together: a channel of closes. Breaks of it are breakouts. Single candles set it.',
    'minmaxindex donchianchannels',
  ],
  minmaxindex: [
    'The places in the history of both extremes of a window. The newer of the two shows the direction of late. The numbers change with where the history begins.',
    'minmax aroon',
  ],
  sum: [
    'The sum of a window. Divided by its length it is the simple average, of volume it is the trading of a period. Its size depends on the length.',
    'sma cumsum',
  ],
  avgprice: [
    'The mean of open, high, low and close: one number for a whole candle. It is calmer than the close. A long shadow moves it as much as a move of the close.',
    'typprice medprice wclprice',
  ],
  medprice: [
    'The middle of high and low. Several indicators of Williams and Ehlers are computed from it. It says nothing about where the candle closed.',
    'avgprice typprice',
  ],
  typprice: [
    'The mean of high, low and close. It is the price in money-flow formulas and in the CCI. It weighs a shadow like the close.',
    'avgprice wclprice',
  ],
  wclprice: [
    'High, low and twice the close, divided by four. It keeps the range in view and lets the close count most. It differs little from the typical price.',
    'typprice wcprice',
  ],
  wcprice: [
    "Tulip's name for the weighted close: high, low and twice the close, divided by four. It serves programs that were written for that library.",
    'wclprice',
  ],
  price: [
    'A price column as it is, the close by default. It brings the price and indicators into one request. It is no signal.',
    'candle candles',
  ],
  candle: [
    'The newest candle with all its fields. It saves a second request for the price. The newest candle may still be forming.',
    'candles price',
  ],
  candles: [
    'Candles with all their fields, as many as are asked for. They come with indicators in one bulk request. The newest may still be forming.',
    'candle price',
  ],
  crossover: [
    '1 where the first column rises above the second on this candle. It is the event in most rules with two lines. Lines that run together cross again and again.',
    'crossunder crossany',
  ],
  crossunder: [
    '1 where the first column falls below the second on this candle. It is the event for leaving in most rules with two lines. Lines that run together cross again and again.',
    'crossover crossany',
  ],
  crossany: [
    '1 where two columns cross in either direction. It counts how often a rule would trade. It does not say which side won.',
    'crossover crossunder',
  ],
  decay: [
    'A line that falls by a fixed step and is lifted by each higher value. It marks how recent a peak is. The step is one over the period in units of the input, so it suits small numbers such as signals.',
    'edecay max',
  ],
  edecay: [
    'A line that loses a fixed share at each candle and is lifted by each higher value. It is an envelope of peaks that forgets them. A single spike stays in it for long.',
    'decay',
  ],
  lag: [
    'The value some candles ago. It lines up columns so that now can be compared with then. It contains nothing new.',
    'mom',
  ],
  cumsum: [
    'The running sum from the first candle on. It turns changes into a line. Its level depends on the start.',
    'sum cma',
  ],
  rising: [
    '1 where each of the last steps went up, else 0. It is a condition for rules. One equal or lower value in the window ends it.',
    'falling highestbars',
  ],
  falling: [
    '1 where each of the last steps went down, else 0. It is a condition for rules. One equal or higher value in the window ends it.',
    'rising lowestbars',
  ],
  highestbars: [
    'How many candles ago the highest high of the window was, as 0 or a negative number. Numbers near 0 mean fresh strength. It jumps when an old high leaves the window.',
    'lowestbars aroon maxindex',
  ],
  lowestbars: [
    'How many candles ago the lowest low of the window was, as 0 or a negative number. Numbers near 0 mean fresh weakness. It jumps when an old low leaves the window.',
    'highestbars aroon minindex',
  ],
  range: [
    'The distance between the highest and the lowest value of a window. It measures how much room the market took. Two candles decide it.',
    'atr adr donchianchannels',
  ],
  midbody: [
    'The middle between open and close: the price of a candle without its shadows. It is a calm input for averages. It ignores how far the candle went.',
    'medprice realbody',
  ],
  realbody: [
    'The distance from open to close, with its sign. Long bodies show one side in command. Gaps before the open do not appear in it.',
    'uppershadow lowershadow qstick',
  ],
  uppershadow: [
    'The part of a candle above its body: where sellers turned it back. Long ones after a rise are a warning. Thin markets make them by chance.',
    'lowershadow longuppershadow',
  ],
  lowershadow: [
    'The part of a candle below its body: where buyers turned it back. Long ones after a fall are a first sign of a turn. Thin markets make them by chance.',
    'uppershadow longlowershadow',
  ],
  jerk: [
    'The third difference of the price: the change of acceleration. It reacts before all other measures. Nearly all of it is noise.',
    'acceleration mom',
  ],
  normalize: [
    'The place of a value between the extremes of its window, from 0 to 1. It brings columns to one scale. The scale itself changes with every new extreme.',
    'percentrank stochf',
  ],
  alltimehigh: [
    'The highest value since the history began. Above it there is no earlier price to sell at. What the service keeps is not the whole history of a market.',
    'alltimelow max',
  ],
  alltimelow: [
    'The lowest value since the history began. Below it no price of the history can act as support. What the service keeps is not the whole history of a market.',
    'alltimehigh min',
  ],
  streak: [
    'How many candles in a row rose (positive) or fell (negative). Long streaks are rare and prove nothing by themselves.',
    'psl connorsrsi',
  ],
}
