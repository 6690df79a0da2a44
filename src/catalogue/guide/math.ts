import type { Guide } from './guide-line.js'

export const mathGuide: Guide = {
  abs: ['The value without its sign. It is a building block for expressions.', 'sub'],
  acos: [
    'The angle whose cosine the input is. It is defined from −1 to 1 only, so prices need scaling first.',
    'cos asin',
  ],
  asin: [
    'The angle whose sine the input is. It is defined from −1 to 1 only, so prices need scaling first.',
    'sin acos',
  ],
  atan: ['The angle whose tangent the input is. It compresses any number into a fixed range.', 'tan tanh'],
  cos: ['The cosine of the input as an angle in radians. It serves to build cycles.', 'sin acos'],
  sin: ['The sine of the input as an angle in radians. It serves to build cycles.', 'cos asin'],
  tan: [
    'The tangent of the input as an angle in radians. It grows without bounds near odd quarter turns.',
    'atan sin',
  ],
  cosh: [
    'The hyperbolic cosine. It grows exponentially, so prices overflow it unless they are scaled.',
    'sinh tanh',
  ],
  sinh: ['The hyperbolic sine. It grows exponentially on both sides; scale prices first.', 'cosh tanh'],
  tanh: [
    'The hyperbolic tangent, which presses any number between −1 and 1. Prices as they are all give 1; use it on small numbers.',
    'iftrsi atan',
  ],
  exp: [
    'The exponential of the input. Prices as they are overflow it; it suits logarithms and small numbers.',
    'ln',
  ],
  ln: [
    'The natural logarithm. Differences of it are returns, and equal ratios become equal distances.',
    'log10 logreturn exp',
  ],
  log10: ['The logarithm to base ten: powers of ten become whole numbers.', 'ln'],
  sqrt: ['The square root. Negative values have none.', 'ln'],
  ceil: ['The next whole number above.', 'floor round'],
  floor: ['The next whole number below.', 'ceil trunc'],
  round: ['The nearest whole number, halves away from zero.', 'floor ceil'],
  trunc: ['The number without its decimals.', 'floor round'],
  add: ['The sum of two columns, by default high and low.', 'sub mult'],
  sub: ['The difference of two columns, by default high less low: the range of a candle.', 'add range'],
  mult: ['The product of two columns, by default high and low.', 'div mul'],
  mul: ['The product of two columns under the name that Tulip gives it.', 'mult div'],
  div: [
    'The quotient of two columns, by default high over low. It has no value where the second is zero.',
    'mult',
  ],
  todeg: ['Radians to degrees.', 'torad'],
  torad: ['Degrees to radians.', 'todeg'],
  max: [
    'The highest value of a window. New highs are breakouts; old ones leave with a step.',
    'min maxindex donchianchannels',
  ],
  min: [
    'The lowest value of a window. New lows are breakdowns; old ones leave with a step.',
    'max minindex donchianchannels',
  ],
  maxindex: [
    'The place of the highest value of the window in the history. It tells how old an extreme is.',
    'minindex max highestbars',
  ],
  minindex: ['The place of the lowest value of the window in the history.', 'maxindex min lowestbars'],
  minmax: ['The lowest and the highest value of a window together.', 'minmaxindex donchianchannels'],
  minmaxindex: ['The places of both extremes of a window together.', 'minmax aroon'],
  sum: ['The sum of a window. Divided by the length it is the simple average.', 'sma cumsum'],
  avgprice: ['The mean of open, high, low and close: one number for a candle.', 'typprice medprice wclprice'],
  medprice: [
    'The middle of high and low. Several indicators of Williams are computed from it.',
    'avgprice typprice',
  ],
  typprice: [
    'The mean of high, low and close. It is the price in money-flow and CCI formulas.',
    'avgprice wclprice',
  ],
  wclprice: ['High, low and twice the close, divided by four. The close counts most.', 'typprice wcprice'],
  wcprice: ["Tulip's name for the weighted close.", 'wclprice'],
  price: [
    'A price column as it is. It makes candles available beside indicators in one request.',
    'candle candles',
  ],
  candle: [
    'The newest candle with all its fields. It saves a second request for the price.',
    'candles price',
  ],
  candles: ['Candles with all fields, as many as are asked for.', 'candle price'],
  crossover: [
    '1 where the first column rises above the second on this candle. It is the event in most rules with two lines.',
    'crossunder crossany',
  ],
  crossunder: ['1 where the first column falls below the second on this candle.', 'crossover crossany'],
  crossany: ['1 where two columns cross in either direction.', 'crossover crossunder'],
  decay: [
    'A line that falls by a fixed step and is lifted by each higher value. It marks how recent a peak is.',
    'edecay max',
  ],
  edecay: [
    'A line that falls by a fixed share and is lifted by each higher value. It is an envelope of peaks.',
    'decay',
  ],
  lag: ['The value some candles ago. It lines up columns for comparison.', 'mom'],
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
    'How many candles ago the highest high was. Small numbers mean fresh strength.',
    'lowestbars aroon maxindex',
  ],
  lowestbars: [
    'How many candles ago the lowest low was. Small numbers mean fresh weakness.',
    'highestbars aroon minindex',
  ],
  range: [
    'The distance between the highest high and the lowest low of a window.',
    'atr adr donchianchannels',
  ],
  midbody: [
    'The middle between open and close: the price of a candle without its shadows.',
    'medprice realbody',
  ],
  realbody: [
    'The distance from open to close. Long bodies show one side in command.',
    'uppershadow lowershadow qstick',
  ],
  uppershadow: [
    'The part of a candle above its body: where sellers turned it back.',
    'lowershadow longuppershadow',
  ],
  lowershadow: [
    'The part of a candle below its body: where buyers turned it back.',
    'uppershadow longlowershadow',
  ],
  jerk: [
    'The third difference of the price: the change of acceleration. It is close to noise.',
    'acceleration mom',
  ],
  normalize: [
    'The place of a value between the extremes of its window, from 0 to 1. It brings columns to one scale.',
    'percentrank stochf',
  ],
  alltimehigh: [
    'The highest value since the history began. Above it there is no earlier price to sell at. What the service keeps is not the whole history of a market.',
    'alltimelow max',
  ],
  alltimelow: [
    'The lowest value since the history began. What the service keeps is not the whole history of a market.',
    'alltimehigh min',
  ],
  streak: [
    'How many candles in a row rose (positive) or fell (negative). Long streaks are rare and prove nothing by themselves.',
    'psl connorsrsi',
  ],
}
