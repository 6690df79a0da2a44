import { catalogue } from '../../catalogue/index.js'
import { didYouMean, nearNames } from '../../contract/hints.js'
import { aliasedIndicators } from '../../contract/near-indicators.js'

/**
 * Names of other languages for columns, functions and indicators. Each has the same meaning and the same arguments as the
 * name here: Pine, MetaStock, AmiBroker and pandas.
 */
const aliases: Readonly<Record<string, string>> = {
  c: 'close',
  h: 'high',
  l: 'low',
  o: 'open',
  v: 'volume',
  accdist: 'ad',
  bb: 'bbands',
  correlation: 'correl',
  cross_above: 'crossover',
  cross_below: 'crossunder',
  crossed_above: 'crossover',
  crossed_below: 'crossunder',
  crosses_above: 'crossover',
  crosses_below: 'crossunder',
  cum: 'cumsum',
  dev: 'md',
  hhv: 'highest',
  iff: 'if',
  llv: 'lowest',
  log: 'ln',
  mean: 'sma',
  percentile_linear_interpolation: 'percentilelinear',
  percentile_nearest_rank: 'percentilenearest',
  rma: 'smma',
  stdev: 'stddev',
  variance: 'var',
  wpr: 'willr',
}

/** Functions of Pine whose call means the same here without its prefix. */
const sameInPine: Readonly<Record<string, ReadonlySet<string>>> = {
  ta: setOf(
    'accdist alma atr barssince bb change cog correlation cross crossover crossunder cum dev ema falling highest highestbars hma lowest',
    'lowestbars macd median mode mom percentile_linear_interpolation percentile_nearest_rank percentrank pivothigh pivotlow pvt range rci rising rma roc rsi sma stdev tr valuewhen variance vwma wma wpr',
  ),
  math: setOf('abs acos asin atan ceil cos exp floor log log10 max min pow round sign sin sqrt sum tan'),
}

/** Calls to write for functions of Pine with other arguments, another unit or several outputs. */
const pineCalls: Readonly<Record<string, string>> = {
  'math.avg': '(a + b) / 2',
  'math.round_to_mintick': 'round_to(x, 0.01)',
  'request.security': 'x@4h, or x{SYMBOL} for another market',
  'ta.bbw': 'bbw(20, 2) * 100',
  'ta.cci': 'cci(20)',
  'ta.cmo': 'cmou(9)',
  'ta.dmi': 'dmi(14).adx',
  'ta.iii': '(2 * close - high - low) / ((high - low) * volume)',
  'ta.kc': 'keltnerchannels(20, 1.5, 20).upper',
  'ta.linreg': 'linreg(x, 14)',
  'ta.max': 'alltimehigh(x)',
  'ta.mfi': 'mfi(14)',
  'ta.min': 'alltimelow(x)',
  'ta.nvi': 'nvi / 1000',
  'ta.obv': 'obv, which begins with the volume of the first candle',
  'ta.pvi': 'pvi / 1000',
  'ta.sar': 'psar(0.02, 0.02, 0.2)',
  'ta.stoch': 'stoch(kPeriod=14, kSmooth=1).valueK',
  'ta.supertrend': 'supertrend(10, 3).value, or -supertrend(10, 3).valueAdvice for the direction',
  'ta.swma': 'trima(x, 4)',
  'ta.tsi': 'tsi(25, 13).value / 100',
  'ta.vwap': 'vwap(anchorPeriod=session), or vwap(x, anchor)',
  'ta.wvad': 'volume * (close - open) / (high - low)',
}

/** Hints about names of other languages that have another meaning here, or other arguments. */
const nameHints: Readonly<Record<string, string>> = {
  avg: `Write ${pineCalls['math.avg']}`,
  bollinger: 'Write bbands(20, 2).valueUpperBand',
  donchian: 'Write donchianchannels(20).upper',
  bar_index: 'A candle has no number here',
  kc: `Write ${pineCalls['ta.kc']}`,
  kri: 'Write disparityindex(x, n)',
  ref: 'Write x[n]',
  shift: 'Write x[n]',
  std: 'Write stddev(x, n)',
  stochastic: 'Write stoch.valueK',
  swma: `Write ${pineCalls['ta.swma']}`,
}

function setOf(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.join(' ').split(' '))
}

const entryIn = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

/**
 * The name here of a name that may be of another language, such as `smma` for `ta.rma`. Undefined for a function of Pine
 * that must be written in another way.
 */
export function ownName(name: string): string | undefined {
  const lower = name.toLowerCase()
  const [prefix, bare] = lower.split('.') as [string, string?]
  if (bare === undefined) return entryIn(aliases, lower) ?? name
  return entryIn(sameInPine, prefix)?.has(bare) ? (entryIn(aliases, bare) ?? bare) : undefined
}

/** The call to write for a function of Pine that has other arguments or another meaning here; undefined if there is none. */
export const pineCallFor = (name: string): string | undefined => entryIn(pineCalls, name.toLowerCase())

/** End of the refusal of an unknown name: the call to write, or the names that it may mean. */
export function hintFor(name: string, names: Iterable<string>): string {
  const lower = name.toLowerCase()
  const hint = entryIn(nameHints, lower)
  if (hint !== undefined) return `. ${hint}`
  const plain = plainNumber(name)
  if (plain !== undefined) return `. Write ${plain}`
  const bare = lower.slice(lower.indexOf('.') + 1)
  const aliased = aliasedIndicators(bare)
  return didYouMean(aliased.length > 0 ? aliased : nearNames(bare, names))
}

const units: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, b: 1e9 }

/** The number that a text such as `10k`, `2.5M` or `1_000` stands for, without unit and separators. */
export function plainNumber(text: string): string | undefined {
  const [, digits, unit = ''] = /^(\d[\d_]*(?:\.\d+)?)([kmb]?)$/i.exec(text) ?? []
  if (digits === undefined) return undefined
  return String(Number(digits.replaceAll('_', '')) * (units[unit.toLowerCase()] ?? 1))
}

/** Signs of other languages, each with the operator here. */
export const foreignSigns: Readonly<Record<string, string>> = {
  '<>': '!=',
  '=<': '<=',
  '=>': '>=',
  '≠': '!=',
  '≤': '<=',
  '≥': '>=',
  '×': '*',
  '·': '*',
  '÷': '/',
  '−': '-',
  '&': 'and',
  '|': 'or',
  '=': '==',
}

/** Words of comparisons, each with its operator. */
export const foreignWords: Readonly<Record<string, string>> = {
  above: '>',
  over: '>',
  below: '<',
  under: '<',
}

/** Hints about words and signs of other languages between two values. */
const operatorHints: Readonly<Record<string, string>> = {
  '^': 'Write pow(x, y)',
  '**': 'Write pow(x, y)',
  ':=': 'An expression has no variables',
  between: 'Write a < x and x < b',
  in: 'Write a < x and x < b',
  is: 'Write a == b',
  cross: 'Write crossover(a, b)',
  crosses: 'Write crossover(a, b)',
  crossed: 'Write crossover(a, b)',
  crossing: 'Write crossover(a, b)',
}

/** End of the refusal of a sign or word of another language where an operator or a value was expected. */
export function operatorHint(text: string): string {
  const lower = text.toLowerCase()
  const own = entryIn(foreignSigns, lower) ?? entryIn(foreignWords, lower)
  if (own !== undefined) return `. Write ${own}${lower === '=' ? ' to compare' : ''}`
  const hint = entryIn(operatorHints, lower)
  return hint === undefined ? '' : `. ${hint}`
}

/** The timeframe that a spelling of another program means, such as `1d` for `D`, `1D` or `1440`; undefined if there is none. */
export function nearTimeframe(text: string, timeframes: readonly string[]): string | undefined {
  const [, count = '', unit = ''] = /^(\d*)([a-zA-Z]*)$/.exec(text) ?? []
  if (unit === '' && count === '') return undefined
  const letter = unit === '' ? 'm' : unit === 'M' ? 'M' : (unit[0] as string).toLowerCase()
  const number = Number(count === '' ? 1 : count)
  const written = `${number}${letter}`
  const longer: Readonly<Record<string, string>> = {
    m: number % 1440 === 0 ? `${number / 1440}d` : `${number / 60}h`,
    h: `${number / 24}d`,
    d: `${number / 7}w`,
  }
  return [written, longer[letter]].find(each => each !== undefined && timeframes.includes(each))
}

/** Whether a text in quotation marks is a name that stands without them. */
export const isNameInQuotes = (text: string, names: readonly string[]): boolean =>
  names.includes(text.toLowerCase()) || catalogue.has(text.toLowerCase())
