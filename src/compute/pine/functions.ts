import { parse, type Syntax } from '../expressions/parser.js'
import type { ValueType } from '../expressions/plan.js'

/** A parameter of a function of Pine. */
export interface Parameter {
  readonly name: string
  /** Whether its argument must be the same at all candles. */
  readonly isConstant: boolean
  /** The only argument for which the template holds. */
  readonly only: string | undefined
}

/** A function of Pine in the words of expressions. */
export interface Template {
  readonly parameters: readonly Parameter[]
  /** One expression, or those of a tuple, over the names of the parameters. */
  readonly results: readonly Syntax[]
  readonly type: ValueType | 'same'
  /** Whether the value may be undefined after the warm-up even if the arguments never are. */
  readonly mayBeNa: boolean
  readonly note: string | undefined
}

/**
 * Functions and variables of Pine, each with the expression of the same values. A parameter with `#` must be the same at all
 * candles, and one with a colon must have the argument behind it. `~` marks a value that may be undefined after the warm-up, `?` a
 * condition, `|` separates the parts of a tuple, and a text after `!` says what differs.
 */
const lines = `
ta.sma(source, #length) = sma(source, length)
ta.ema(source, #length) = ema(source, length)
ta.wma(source, #length) = wma(source, length)
ta.rma(source, #length) = smma(source, length)
ta.hma(source, #length) = hma(source, length)
ta.vwma(source:'close', #length) = vwma(length)
ta.vwma(source, #length) ~= sum(source * volume, length) / sum(volume, length)
ta.swma(source) = trima(source, 4)
ta.alma(series, #length, #offset, #sigma) = alma(series, length, offset, sigma)
ta.linreg(source, #length, offset:'0') = linreg(source, length)
ta.linreg(source, #length, #offset) = linreg(source, length) - offset * linregslope(source, length)
ta.vwap ~= vwap(anchorPeriod=session) ! a day begins at 00:00 UTC here, and with the session of the market in Pine
ta.vwap(source:'hlc3') ~= vwap(anchorPeriod=session) ! a day begins at 00:00 UTC here, and with the session of the market in Pine
ta.vwap(source, anchor) ~= vwap(source, anchor)
ta.vwap(source, anchor, #stdev_mult) ~= vwapbands(source, anchor, stdev_mult).value | vwapbands(source, anchor, stdev_mult).upper | vwapbands(source, anchor, stdev_mult).lower
ta.rsi(source, #length) = rsi(source, length)
ta.macd(source, #fastlen, #slowlen, #siglen) = ema(source, fastlen) - ema(source, slowlen) | ema(ema(source, fastlen) - ema(source, slowlen), siglen) | ema(source, fastlen) - ema(source, slowlen) - ema(ema(source, fastlen) - ema(source, slowlen), siglen)
ta.stoch(source, high, low, #length) ~= 100 * (source - lowest(low, length)) / (highest(high, length) - lowest(low, length))
ta.cci(source:'hlc3', #length) = cci(length)
ta.cci(source, #length) ~= (source - sma(source, length)) / (0.015 * md(source, length))
ta.mfi(series:'hlc3', #length) = mfi(length)
ta.mfi(series, #length) ~= 100 - 100 / (1 + sum(volume * if(change(series) <= 0, 0, series), length) / sum(volume * if(change(series) >= 0, 0, series), length))
ta.wpr(#length) = willr(length)
ta.mom(source, #length) = mom(source, length)
ta.roc(source, #length) = roc(source, length)
ta.tsi(source, #short_length, #long_length) = tsi(source, long_length, short_length).value / 100
ta.cog(source, #length) = cog(source, length)
ta.cmo(series, #length) = cmou(series, length)
ta.atr(#length) = smma(tr, length)
ta.tr = tr
ta.tr(handle_na:'true') = tr
ta.tr(handle_na:'false') = trange
ta.bb(series, #length, #mult) = bbands(series, length, mult).valueMiddleBand | bbands(series, length, mult).valueUpperBand | bbands(series, length, mult).valueLowerBand
ta.bbw(series, #length, #mult) = bbw(series, length, mult) * 100
ta.kc(series, #length, #mult) = ema(series, length) | ema(series, length) + mult * ema(trange, length) | ema(series, length) - mult * ema(trange, length)
ta.kc(series, #length, #mult, useTrueRange:'true') = ema(series, length) | ema(series, length) + mult * ema(trange, length) | ema(series, length) - mult * ema(trange, length)
ta.kc(series, #length, #mult, useTrueRange:'false') = ema(series, length) | ema(series, length) + mult * ema(high - low, length) | ema(series, length) - mult * ema(high - low, length)
ta.kcw(series, #length, #mult) ~= 2 * mult * ema(trange, length) / ema(series, length)
ta.kcw(series, #length, #mult, useTrueRange:'false') ~= 2 * mult * ema(high - low, length) / ema(series, length)
ta.dmi(#length, #length) = dmi(length).pdi | dmi(length).mdi | dmi(length).adx ! its averages begin with other candles than in Pine, so values are equal when they have settled
ta.dmi(#length, #smoothing) = dmi(length).pdi | dmi(length).mdi | 100 * smma(if(dmi(length).pdi + dmi(length).mdi == 0, 0, abs(dmi(length).pdi - dmi(length).mdi) / (dmi(length).pdi + dmi(length).mdi)), smoothing) ! its averages begin with other candles than in Pine, so values are equal when they have settled
ta.supertrend(#factor, #length) = supertrend(length, factor).value | -supertrend(length, factor).valueAdvice ! begins with a rising trend here and with a falling one in Pine, so values are equal when they have settled
ta.sar(#start, #inc, #max) = psar(start, inc, max) ! Pine limits the stop by the last two candles after it tests whether a candle touches the stop, and this does before
ta.obv = cumsum(sign(change(close)) * volume)
ta.accdist = ad
ta.pvt = pvt
ta.nvi = nvi / 1000
ta.pvi = pvi / 1000
ta.iii ~= (2 * close - high - low) / ((high - low) * volume) ! it has no value where the high equals the low
ta.wad = wad
ta.wvad ~= volume * (close - open) / (high - low) ! it has no value where the high equals the low
ta.stdev(source, #length) = stddev(source, length)
ta.stdev(source, #length, biased:'true') = stddev(source, length)
ta.variance(source, #length) = var(source, length)
ta.variance(source, #length, biased:'true') = var(source, length)
ta.dev(source, #length) = md(source, length)
ta.median(source, #length) = median(source, length)
ta.mode(source, #length) = mode(source, length)
ta.range(source, #length) = range(source, length)
ta.percentrank(source, #length) = percentrank(source, length)
ta.percentile_nearest_rank(source, #length, #percentage) = percentilenearest(source, length, percentage)
ta.percentile_linear_interpolation(source, #length, #percentage) = percentilelinear(source, length, percentage)
ta.highest(#length) = highest(high, length)
ta.highest(source, #length) = highest(source, length)
ta.lowest(#length) = lowest(low, length)
ta.lowest(source, #length) = lowest(source, length)
ta.highestbars(#length) = highestbars(high, length)
ta.highestbars(source, #length) = highestbars(source, length)
ta.lowestbars(#length) = lowestbars(low, length)
ta.lowestbars(source, #length) = lowestbars(source, length)
ta.max(source) = alltimehigh(source)
ta.min(source) = alltimelow(source)
ta.correlation(source1, source2, #length) = correl(source1, source2, length)
ta.rci(source, #length) = rci(source, length)
ta.crossover(source1, source2) ?= crossover(source1, source2)
ta.crossunder(source1, source2) ?= crossunder(source1, source2)
ta.cross(source1, source2) ?= cross(source1, source2)
ta.rising(source, #length) ?= rising(source, length)
ta.falling(source, #length) ?= falling(source, length)
ta.change(source) *= change(source)
ta.change(source, #length) *= change(source, length)
ta.barssince(condition) ~= barssince(condition)
ta.valuewhen(condition, source, #occurrence) *= valuewhen(condition, source, occurrence)
ta.cum(source) = cumsum(source)
ta.pivothigh(#leftbars, #rightbars) ~= pivothigh(high, leftbars, rightbars)
ta.pivothigh(source, #leftbars, #rightbars) ~= pivothigh(source, leftbars, rightbars)
ta.pivotlow(#leftbars, #rightbars) ~= pivotlow(low, leftbars, rightbars)
ta.pivotlow(source, #leftbars, #rightbars) ~= pivotlow(source, leftbars, rightbars)
math.abs(number) = abs(number)
math.acos(angle) ~= acos(angle)
math.asin(angle) ~= asin(angle)
math.atan(angle) = atan(angle)
math.ceil(number) = ceil(number)
math.cos(angle) = cos(angle)
math.exp(number) = exp(number)
math.floor(number) = floor(number)
math.log(number) ~= ln(number)
math.log10(number) ~= log10(number)
math.pow(base, exponent) ~= pow(base, exponent)
math.round(number) = round(number)
math.round(number, #precision) = round(number * pow(10, precision)) / pow(10, precision)
math.sign(number) = sign(number)
math.sin(angle) = sin(angle)
math.sqrt(number) ~= sqrt(number)
math.sum(source, #length) = sum(source, length)
math.tan(angle) = tan(angle)
math.todegrees(radians) = todeg(radians)
math.toradians(degrees) = torad(degrees)
hlcc4 = (high + low + close + close) / 4
math.pi = ${Math.PI}
math.e = ${Math.E}
math.phi = ${(1 + Math.sqrt(5)) / 2}
math.rphi = ${(Math.sqrt(5) - 1) / 2}
fixnan(source) *= fixnan(source)
int(x) = trunc(x)
float(x) = x
bool(x) ?= x != 0
`

const form = /^([\w.]+)(?:\((.*?)\))? ([~?*]?)= (.*?)(?: ! (.*))?$/

/** Templates by name, in the order in which they are tried. */
export const templates: ReadonlyMap<string, readonly Template[]> = (() => {
  const found = new Map<string, Template[]>()
  for (const line of lines.trim().split('\n')) {
    const [, name = '', list = '', mark, results = '', note] = form.exec(line) ?? []
    const parameters = list === '' ? [] : list.split(', ').map(readParameter)
    const type = mark === '?' ? 'boolean' : mark === '*' ? 'same' : 'number'
    const mayBeNa = mark === '~' || /valuewhen/.test(name)
    const template = { parameters, results: results.split(' | ').map(parse), type, mayBeNa, note } as const
    found.set(name, [...(found.get(name) ?? []), template])
  }
  return found
})()

function readParameter(text: string): Parameter {
  const [, constant, name = '', only] = /^(#?)(\w+)(?::'(.*)')?$/.exec(text) ?? []
  return { name, isConstant: constant === '#', only }
}

/** Functions that are computed at once if all arguments are constants. */
export const constantFunctions: Readonly<Record<string, (...args: readonly number[]) => number>> = {
  'math.abs': Math.abs,
  'math.avg': (...args) => args.reduce((sum, each) => sum + each, 0) / args.length,
  'math.ceil': Math.ceil,
  'math.exp': Math.exp,
  'math.floor': Math.floor,
  'math.log': Math.log,
  'math.max': Math.max,
  'math.min': Math.min,
  'math.pow': Math.pow,
  'math.round': (value, digits = 0) => Math.round(value * 10 ** digits) / 10 ** digits,
  'math.sign': Math.sign,
  'math.sqrt': Math.sqrt,
  int: Math.trunc,
}

/** Reasons why names of Pine have no expression, by their beginning. The longest beginning counts. */
const absences: Readonly<Record<string, string>> = {
  bar_index: 'the number of a candle depends on where the history begins',
  last_bar_index: 'the number of a candle depends on where the history begins',
  'barstate.':
    'an expression has the same value wherever it is computed, and does not know the newest candle',
  'chart.': 'an expression does not know the chart',
  'session.': 'an expression has no clock',
  'syminfo.': 'an expression does not know its symbol',
  'timeframe.': 'an expression does not know its timeframe',
  'strategy.': 'an expression has no positions and no account',
  ...Object.fromEntries(
    'time time_close time_tradingday timenow timestamp year month weekofyear dayofmonth dayofweek hour minute second'
      .split(' ')
      .map(name => [name, 'an expression has no clock']),
  ),
  ...Object.fromEntries('array. matrix. map.'.split(' ').map(name => [name, 'an expression has no arrays'])),
  ...Object.fromEntries(
    'label. line. linefill. box. table. polyline. label line linefill box table polyline fill hline bgcolor barcolor plotbar plotcandle'
      .split(' ')
      .map(name => [name, 'a drawing']),
  ),
  'str.': 'an expression has no texts',
  'log.': 'a message to the author of the script',
  'math.random': 'a random number is another one each time',
  'math.round_to_mintick': 'an expression does not know the tick of its symbol',
  'request.': 'only request.security is translated',
  'ta.pivot_point_levels': 'pivotpoints has a name for each level',
  'runtime.error': 'a message to the author of the script',
  max_bars_back: 'histories are as long as needed',
}

/** The reason why a name of Pine has no expression; undefined for a name that Pine does not have. */
export function reasonFor(name: string): string | undefined {
  const found = Object.keys(absences).filter(
    each => name === each || (each.endsWith('.') && name.startsWith(each)),
  )
  const longest = found.sort((a, b) => b.length - a.length)[0]
  return longest === undefined ? undefined : absences[longest]
}
