import type { Candle } from '../../../src/candles/candle.js'
import { catalogue, type Entry } from '../../../src/catalogue/index.js'
import { plainColumns, power, run, valuesOf } from '../kernel.js'
import { type Argument, NoExpression, parse, type Syntax } from './grammar.js'

const sourceOf = (name: string) => ({ name: 'source', value: { kind: 'call', name, args: [] } }) as const

/** A value of an expression at one candle; undefined if it is missing. */
export type Value = number | boolean | undefined

/** The values of a part of an expression. */
export interface Column {
  readonly type: 'number' | 'condition'
  /** Values by candle. */
  readonly values: readonly Value[]
  /** The first candle at which all parts have left their warm-up; Infinity if none has. */
  readonly begin: number
}

/** The candles of another market, the last one of which may be forming. */
export interface OtherCandles {
  readonly candles: readonly Candle[]
  readonly isForming: boolean
}

interface Market {
  readonly candles: readonly Candle[]
  /** Whether the last candle is forming. */
  readonly isForming: boolean
  /** Seconds of one candle. */
  readonly length: number
  /** Whether the candles belong to a timeframe that the expression chooses. */
  readonly isChosen: boolean
  /** Candles of other markets by the name between braces. */
  readonly others: Readonly<Record<string, OtherCandles>>
}

const lengths: Readonly<Record<string, number>> = {
  '1m': 60,
  '5m': 300,
  '15m': 900,
  '30m': 1_800,
  '1h': 3_600,
  '2h': 7_200,
  '4h': 14_400,
  '8h': 28_800,
  '1d': 86_400,
  '1w': 604_800,
}

const isNumber = (value: Value): value is number => typeof value === 'number'
const finite = (value: number): Value => (Number.isFinite(value) ? value : undefined)

const arithmetic: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  min: Math.min,
  max: Math.max,
  pow: power,
}
const comparisons: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
}

/**
 * The values of an expression by docs/expressions.md: slow, one whole column after another, and independent of the service
 * except for the catalogue and the kernels of single indicators. Throws `NoExpression` for an invalid text. @param length
 * seconds of a candle.
 */
export function evaluate(
  text: string,
  candles: readonly Candle[],
  length: number,
  isForming = false,
  others: Readonly<Record<string, OtherCandles>> = {},
): Column {
  return columnOf(parse(text), { candles, isForming, length, isChosen: false, others })
}

/** A column. It has no value until all of its parts have left their warm-up. */
function column(type: Column['type'], begin: number, market: Market, valueAt: (i: number) => Value): Column {
  return { type, begin, values: market.candles.map((_, i) => (i < begin ? undefined : valueAt(i))) }
}

const latest = (columns: readonly Column[]): number => Math.max(0, ...columns.map(({ begin }) => begin))

function need(isRight: boolean, what: string): void {
  if (!isRight) throw new NoExpression(what)
}

function numbers(columns: readonly Column[]): void {
  need(
    columns.every(({ type }) => type === 'number'),
    'a condition in the place of a number',
  )
}

function conditions(columns: readonly Column[]): void {
  need(
    columns.every(({ type }) => type === 'condition'),
    'a number in the place of a condition',
  )
}

function columnOf(syntax: Syntax, market: Market): Column {
  switch (syntax.kind) {
    case 'number':
      return column('number', 0, market, () => finite(syntax.value))
    case 'truth':
      return column('condition', 0, market, () => syntax.value)
    case 'call':
      return named(syntax.name, syntax.args, undefined, market)
    case 'output':
      if (syntax.of.kind !== 'call') throw new NoExpression('only an indicator has outputs')
      return named(syntax.of.name, syntax.of.args, syntax.name, market)
    case 'unary': {
      const of = columnOf(syntax.of, market)
      if (syntax.operator === 'not') conditions([of])
      else numbers([of])
      return column(of.type, of.begin, market, i => {
        const value = of.values[i]
        return value === undefined ? undefined : isNumber(value) ? -value : !value
      })
    }
    case 'binary':
      return binary(syntax.operator, columnOf(syntax.left, market), columnOf(syntax.right, market), market)
    case 'history': {
      const of = columnOf(syntax.of, market)
      if (syntax.by) {
        const by = columnOf(syntax.by, market)
        numbers([by])
        return column(of.type, latest([of, by]), market, i => {
          const candles = by.values[i] as number | undefined
          const isKnown = Number.isInteger(candles) && Number(candles) >= 0 && Number(candles) <= 500
          return isKnown ? of.values[i - Number(candles)] : undefined
        })
      }
      return column(of.type, of.begin + syntax.candles, market, i => of.values[i - syntax.candles])
    }
    case 'timeframe':
      return syntax.of.kind === 'market'
        ? ofOther(syntax.of, syntax.timeframe, market)
        : ofLongerCandles(syntax.of, syntax.timeframe, market)
    case 'market':
      return syntax.of.kind === 'timeframe'
        ? ofOther({ ...syntax, of: syntax.of.of }, syntax.of.timeframe, market)
        : ofOther(syntax, undefined, market)
  }
}

function binary(operator: string, left: Column, right: Column, market: Market): Column {
  const both = [left, right]
  if (operator === 'and' || operator === 'or') conditions(both)
  else if (operator === '==' || operator === '!=') need(left.type === right.type, 'two types are compared')
  else numbers(both)
  const isCalculation = operator in arithmetic
  return column(isCalculation ? 'number' : 'condition', latest(both), market, i =>
    combined(operator, left.values[i], right.values[i]),
  )
}

function combined(operator: string, a: Value, b: Value): Value {
  if (operator === 'and' && (a === false || b === false)) return false
  if (operator === 'or' && (a === true || b === true)) return true
  if (a === undefined || b === undefined) return undefined
  if (operator === 'and') return true
  if (operator === 'or') return false
  if (operator === '==') return a === b
  if (operator === '!=') return a !== b
  const compute = arithmetic[operator]
  if (compute) return finite(compute(a as number, b as number))
  return comparisons[operator]?.(a as number, b as number)
}

/** The column of a name with its arguments: a price, a function or an indicator. */
function named(name: string, args: readonly Argument[], output: string | undefined, market: Market): Column {
  const price = pricesOf(name)
  if (price && args.length === 0) {
    need(output === undefined, 'only an indicator has outputs')
    return column('number', 0, market, i => price(market.candles[i] as Candle))
  }
  // Without arguments they are indicators with their defaults.
  if (args.length === 0 && name === 'highest') return ofIndicator('max', [sourceOf('high')], output, market)
  if (args.length === 0 && name === 'lowest') return ofIndicator('min', [sourceOf('low')], output, market)
  const isExtreme = name === 'min' || name === 'max'
  const isOfTwo = args.length > 1 && args.every(arg => arg.name === undefined)
  const isFunction = isExtreme || name === 'vwap' ? isOfTwo : name in functions
  if (!isFunction) return ofIndicator(name, args, output, market)
  need(output === undefined && args.every(arg => arg.name === undefined), `${name} is a function`)
  const [whole] = args.slice(1).map(({ value }) => (value.kind === 'number' ? value.value : Number.NaN))
  return (functions[name] as LanguageFunction)(
    args.map(({ value }) => columnOf(value, market)),
    market,
    whole as number,
  )
}

function pricesOf(name: string): ((candle: Candle) => number) | undefined {
  switch (name) {
    case 'open':
    case 'high':
    case 'low':
    case 'close':
    case 'volume':
      return candle => candle[name]
    case 'hl2':
      return ({ high, low }) => (high + low) / 2
    case 'hlc3':
      return ({ high, low, close }) => (high + low + close) / 3
    case 'ohlc4':
      return ({ open, high, low, close }) => (open + high + low + close) / 4
    default:
      return undefined
  }
}

/** `candles` is the second argument if that is a number. */
type LanguageFunction = (args: readonly Column[], market: Market, candles: number) => Column

/** Whether the difference of two columns changes its sign to that of `direction` at a candle. */
const crossing =
  (...directions: readonly number[]): LanguageFunction =>
  (args, market) => {
    need(args.length === 2, 'two values cross')
    numbers(args)
    const [a, b] = args as [Column, Column]
    return column('condition', latest(args) + 1, market, i => {
      const four = [a.values[i - 1], b.values[i - 1], a.values[i], b.values[i]]
      if (!four.every(isNumber)) return undefined
      const [oldA, oldB, newA, newB] = four as [number, number, number, number]
      return directions.some(way => (oldA - oldB) * way <= 0 && (newA - newB) * way > 0)
    })
  }

/** A statistic of the newest values of a column, if all of them are defined. */
const ofWindow =
  (
    type: Column['type'],
    lengthOf: (candles: number) => number,
    compute: (window: readonly number[]) => Value,
  ): LanguageFunction =>
  (args, market, candles) => {
    need(args.length === 2 && Number.isInteger(candles) && candles >= 1 && candles <= 500, 'no window')
    numbers(args.slice(0, 1))
    const [x] = args as [Column]
    const length = lengthOf(candles)
    return column(type, x.begin + length - 1, market, i => {
      const window = x.values.slice(i - length + 1, i + 1)
      return window.every(isNumber) ? compute(window) : undefined
    })
  }
const steps = (window: readonly number[]) => window.slice(1).map((value, k) => value - (window[k] as number))

/** A value whose neighbours are not beyond it, the newest of equal values counting, as many candles later as newer ones count. */
const pivot =
  (price: 'high' | 'low', way: 1 | -1): LanguageFunction =>
  (args, market) => {
    need(args.length === 2 || args.length === 3, 'a pivot has two or three arguments')
    const own = column('number', 0, market, i => market.candles[i]?.[price])
    const [x, left, right] = (args.length === 2 ? [own, ...args] : args) as [Column, Column, Column]
    numbers([x])
    // A market without candles has no values.
    const [older, newer] = [left, right].map(({ values }) => Number(values[0] ?? 1)) as [number, number]
    need(Number.isInteger(older) && older >= 1 && Number.isInteger(newer) && newer >= 0, 'no numbers')
    return column('number', x.begin + older + newer, market, i => {
      const at = i - newer
      const window = x.values.slice(at - older, i + 1)
      if (!window.every(isNumber)) return undefined
      const value = window[older] as number
      const isBeaten = window.some((other, k) => {
        const distance = (other - value) * way
        return k < older ? distance > 0 : k > older && distance >= 0
      })
      return isBeaten ? undefined : value
    })
  }

const ofSeveral =
  (operator: string): LanguageFunction =>
  (args, market) => {
    numbers(args)
    return column('number', latest(args), market, i =>
      args.map(({ values }) => values[i]).reduce((a, b) => combined(operator, a, b)),
    )
  }

/** The table of functions of docs/expressions.md. */
const functions: Readonly<Record<string, LanguageFunction>> = {
  crossover: crossing(1),
  crossunder: crossing(-1),
  cross: crossing(1, -1),
  rising: ofWindow(
    'condition',
    n => n + 1,
    window => steps(window).every(step => step > 0),
  ),
  falling: ofWindow(
    'condition',
    n => n + 1,
    window => steps(window).every(step => step < 0),
  ),
  highest: ofWindow(
    'number',
    n => n,
    window => Math.max(...window),
  ),
  lowest: ofWindow(
    'number',
    n => n,
    window => Math.min(...window),
  ),
  barssince: (args, market) => {
    need(args.length === 1, 'barssince has one argument')
    const [condition] = args as [Column]
    conditions([condition])
    let since: number | undefined
    return column('number', condition.begin, market, i => {
      if (condition.values[i] === true) since = 0
      else if (since !== undefined) since++
      return since
    })
  },
  valuewhen: (args, market) => {
    need(args.length === 2 || args.length === 3, 'valuewhen has two or three arguments')
    const [
      condition,
      x,
      {
        values: [occurrence = 0],
      } = { values: [0] },
    ] = args as [Column, Column, Column?]
    conditions([condition])
    const found: Value[] = []
    const held = market.candles.map((_, i) => {
      if (condition.values[i] === true) found.push(x.values[i])
      return found.at(-1 - Number(occurrence))
    })
    return column(x.type, latest([condition, x]) + Number(occurrence), market, i => held[i])
  },
  fixnan: (args, market) => {
    need(args.length === 1, 'fixnan has one argument')
    const [x] = args as [Column]
    return column(x.type, x.begin, market, i =>
      x.values.slice(0, i + 1).findLast(value => value !== undefined),
    )
  },
  within: (args, market, n = 1) => {
    need(args.length > 0 && args.length <= 2, 'within has two arguments')
    const [condition] = args as [Column]
    need(Number.isInteger(n) && n > 0 && n <= 500, 'n is a number of candles')
    conditions([condition])
    return column('condition', condition.begin + n - 1, market, i =>
      condition.values.slice(i - n + 1, i + 1).includes(true),
    )
  },
  change: (args, market, n = 1) => {
    need(args.length > 0 && args.length <= 2, 'change has two arguments')
    const [x] = args as [Column]
    need(Number.isInteger(n) && n > 0 && n <= 500, 'n is a number of candles')
    return column(x.type, x.begin + n, market, i =>
      combined(x.type === 'number' ? '-' : '!=', x.values[i], x.values[i - n]),
    )
  },
  sign: (args, market) => {
    need(args.length === 1, 'sign has one argument')
    numbers(args)
    return column('number', latest(args), market, i => {
      const value = args[0]?.values[i]
      return value === undefined ? undefined : Math.sign(value as number)
    })
  },
  round_to: (args, market) => {
    need(args.length === 2, 'round_to has two arguments')
    numbers(args)
    const [x, step] = args as [Column, Column]
    return column('number', latest(args), market, i => {
      const steps = combined('/', x.values[i], step.values[i])
      return steps === undefined ? undefined : combined('*', Math.round(steps as number), step.values[i])
    })
  },
  pivothigh: pivot('high', 1),
  pivotlow: pivot('low', -1),
  vwap: (args, market) => {
    need(args.length === 2, 'an average has a value and an anchor')
    const [x, anchor] = args as [Column, Column]
    numbers([x])
    conditions([anchor])
    const begin = latest(args)
    const values: Value[] = market.candles.map(() => undefined)
    for (let from = begin; from < values.length; ) {
      let to = from + 1
      const isWithin = (i: number) => x.values[i] !== undefined && anchor.values[i] !== true
      while (x.values[from] !== undefined && to < values.length && isWithin(to)) to++
      // The candles of one anchor are in one week.
      const part = market.candles.slice(from, to).map(({ volume }, i) => {
        const price = x.values[from + i] as number
        return { timestamp: 0, open: price, high: price, low: price, close: price, volume }
      })
      if (x.values[from] !== undefined)
        for (const [i, value] of (run('vwap', plain(part))[0] as Float64Array).entries())
          values[from + i] = finite(value)
      from = to
    }
    return column('number', begin, market, i => values[i])
  },
  max: ofSeveral('max'),
  min: ofSeveral('min'),
  pow: (args, market) => {
    need(args.length === 2, 'pow has two arguments')
    return ofSeveral('pow')(args, market, Number.NaN)
  },
  if: (args, market) => {
    need(args.length === 3, 'if has three arguments')
    const [condition, a, b] = args as [Column, Column, Column]
    conditions([condition])
    need(a.type === b.type, 'two types')
    return column(a.type, latest(args), market, i => {
      const holds = condition.values[i]
      return holds === undefined ? undefined : (holds ? a : b).values[i]
    })
  },
  nz: (args, market) => {
    need(args.length === 1 || args.length === 2, 'nz has one or two arguments')
    const [x, y] = args as [Column, Column | undefined]
    need(y === undefined || y.type === x.type, 'two types')
    const none = x.type === 'number' ? 0 : false
    return column(x.type, latest(args), market, i => x.values[i] ?? (y ? y.values[i] : none))
  },
  na: (args, market) => {
    need(args.length === 1, 'na has one argument')
    const [x] = args as [Column]
    return column('condition', x.begin, market, i => x.values[i] === undefined)
  },
}

/** The arguments of an indicator: its input expressions, then its parameters. */
function argumentsOf(entry: Entry, args: readonly Argument[]) {
  const names = Object.keys(entry.params)
  const inputs: Syntax[] = []
  const params: Record<string, number> = {}
  let position = 0
  for (const { name, value } of args) {
    const isInput =
      name === undefined
        ? position === 0 && (value.kind !== 'number' || names.length === 0)
        : name === 'source'
    if (isInput) inputs.push(value)
    else {
      const parameter = name ?? names[position++]
      need(parameter !== undefined && value.kind === 'number' && !(parameter in params), 'no parameter')
      params[parameter as string] = (value as { readonly value: number }).value
    }
  }
  need(inputs.length === 0 || inputs.length === entry.sources, `${entry.name} is applied to something else`)
  return { inputs, params }
}

/**
 * An indicator over the candles; over expressions, separately over each run of candles at which all of them have a value.
 */
function ofIndicator(
  name: string,
  args: readonly Argument[],
  chosen: string | undefined,
  market: Market,
): Column {
  const entry = catalogue.get(name)
  if (!entry) throw new NoExpression(`${name} is nothing`)
  const place = chosen === undefined ? 0 : entry.outputs.findIndex(each => each.name === chosen)
  const output = entry.outputs[place]
  if (!output || output.kind === 'label' || output.kind === 'names') throw new NoExpression('no such output')
  need(chosen !== undefined || entry.outputs.length === 1, `${name} has several outputs`)
  const { inputs, params } = argumentsOf(entry, args)
  const columns = inputs.map(input => columnOf(input, market))
  numbers(columns)
  const lookback = (output.lookback ?? entry.lookback)(checked(entry, params))
  const values: Value[] = market.candles.map(() => undefined)
  const fill = (from: number, to: number) => {
    const part = market.candles.slice(from, to).map((candle, i) => ({
      ...candle,
      ...(columns[0] ? { close: columns[0].values[from + i] as number } : {}),
      ...(columns[1] ? { open: columns[1].values[from + i] as number } : {}),
    }))
    const sources =
      columns.length === 0 ? {} : { source: 'close', ...(columns[1] ? { source2: 'open' } : {}) }
    const [results] = run(name, plain(part), { ...params, ...sources }).slice(output.column)
    for (const [i, value] of (results as Float64Array).entries())
      if (i >= lookback)
        values[from + i] =
          output.kind === 'flag' ? (finite(value) === undefined ? undefined : value === 1) : finite(value)
  }
  for (let from = 0; from < market.candles.length; from++) {
    let to = from
    while (to < market.candles.length && columns.every(each => each.values[to] !== undefined)) to++
    if (to - from > lookback) fill(from, to)
    from = to
  }
  const type = output.kind === 'flag' ? 'condition' : 'number'
  return column(type, latest(columns) + lookback, market, i => values[i])
}

/** All parameters of an indicator, including the given ones. */
function checked(entry: Entry, params: Readonly<Record<string, number>>) {
  try {
    return valuesOf(entry, params).params
  } catch (error) {
    throw new NoExpression(String(error))
  }
}

const plain = (candles: readonly Candle[]) => plainColumns(name => candles.map(candle => candle[name]))

/** Counts the candles that have ended by a time; the times must not decrease between calls. */
function counterOf(candles: readonly Candle[], length: number): (end: number) => number {
  let count = 0
  return end => {
    while (count < candles.length && (candles[count] as Candle).timestamp + length <= end) count++
    return count
  }
}

/** Values over a longer timeframe: at each candle, the value at its newest closed candle. */
function ofLongerCandles(syntax: Syntax, timeframe: string, market: Market): Column {
  const length = lengths[timeframe] ?? 0
  need(length >= market.length && !market.isChosen, 'no timeframe')
  const longer = longerCandles(market.candles, timeframe)
  const of = columnOf(syntax, { candles: longer, isForming: false, length, isChosen: true, others: {} })
  const closedBy = counterOf(longer, length)
  const newest = market.candles.map(({ timestamp }, i) => {
    const isForming = market.isForming && i === market.candles.length - 1
    return closedBy(timestamp + (isForming ? 0 : market.length)) - 1
  })
  const begin = newest.findIndex(i => i >= of.begin)
  return column(
    of.type,
    begin < 0 ? Number.POSITIVE_INFINITY : begin,
    market,
    i => of.values[newest[i] as number],
  )
}

/**
 * Values over another market: at each candle, the value at the other market's newest candle that has closed by the end of the
 * candle. A forming candle has the value of the other market's forming one, unless that opens later.
 */
function ofOther(
  { of: syntax, name, isStrict }: Extract<Syntax, { readonly kind: 'market' }>,
  timeframe: string | undefined,
  market: Market,
): Column {
  const other = market.others[name]
  if (!other || market.isChosen) throw new NoExpression('no market')
  const { length } = market
  const longerLength = timeframe === undefined ? length : (lengths[timeframe] ?? 0)
  const made = timeframe === undefined ? other.candles : longerCandles(other.candles, timeframe)
  const of = columnOf(syntax, {
    candles: made,
    isForming: false,
    length: longerLength,
    isChosen: true,
    others: {},
  })
  const formingOne = other.isForming ? other.candles.at(-1) : undefined
  const endedBy = counterOf(formingOne ? other.candles.slice(0, -1) : other.candles, length)
  const madeBy = counterOf(made, longerLength)
  const newest = market.candles.map(({ timestamp }, i) => {
    const isForming = market.isForming && i === market.candles.length - 1
    const isLastForming = isForming && formingOne !== undefined && formingOne.timestamp < timestamp + length
    const known = endedBy(timestamp + length) + (isLastForming ? 1 : 0)
    const last = other.candles[known - 1]
    const isMissing = last === undefined || (isStrict && last.timestamp + length <= timestamp)
    if (!last || timeframe === undefined) return { closed: known, isMissing }
    return { closed: madeBy(last.timestamp + (isLastForming ? 0 : length)), isMissing }
  })
  const begin = newest.findIndex(({ closed }) => closed > of.begin)
  return column(of.type, begin < 0 ? Number.POSITIVE_INFINITY : begin, market, i => {
    const { closed, isMissing } = newest[i] as { closed: number; isMissing: boolean }
    return isMissing ? undefined : of.values[closed - 1]
  })
}

/** Monday, 5 January 1970: weeks open on Mondays. */
const firstWeek = 345_600

/** The candles of a longer timeframe. The first one is dropped if its beginning is missing. */
function longerCandles(candles: readonly Candle[], timeframe: string): readonly Candle[] {
  const length = lengths[timeframe] ?? 0
  const origin = timeframe === '1w' ? firstWeek : 0
  const openOf = ({ timestamp }: Candle) => timestamp - ((timestamp - origin) % length)
  const parts = new Map<number, Candle[]>()
  for (const candle of candles) {
    const known = parts.get(openOf(candle))
    if (known) known.push(candle)
    else parts.set(openOf(candle), [candle])
  }
  const [first] = candles
  return [...parts].flatMap(([timestamp, own]) => {
    if (first && timestamp < first.timestamp) return []
    return [
      {
        timestamp,
        open: (own[0] as Candle).open,
        high: Math.max(...own.map(({ high }) => high)),
        low: Math.min(...own.map(({ low }) => low)),
        close: (own.at(-1) as Candle).close,
        volume: own.map(({ volume }) => volume).reduce((sum, volume) => sum + volume),
      },
    ]
  })
}
