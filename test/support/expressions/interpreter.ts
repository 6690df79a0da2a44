import type { Candle } from '../../../src/candles/candle.js'
import { entryOf, run, valuesOf } from '../kernel.js'
import type { Tree } from './tree.js'

/** A value of an expression at one candle; undefined where there is none. */
export type Value = number | boolean | undefined
type Values = readonly Value[]

const seconds = { '15m': 900, '1h': 3600, '4h': 14_400 } as const

/** Candles with what is known about the last one. */
interface Market {
  readonly candles: readonly Candle[]
  /** Whether the last candle is forming. */
  readonly isForming: boolean
}

const isNumber = (value: Value): value is number => typeof value === 'number' && Number.isFinite(value)
const finite = (value: number): Value => (Number.isFinite(value) ? value : undefined)

const arithmetic: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  min: (a, b) => Math.min(a, b),
  max: (a, b) => Math.max(a, b),
}
const comparisons: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
}

/**
 * The values of an expression over 15-minute candles by the rules of the language, one whole column after another: slow,
 * and written apart from the service, of which only the kernels are used.
 */
export function interpret(tree: Tree, candles: readonly Candle[], isForming: boolean): Values {
  const first = warmupOf(tree)
  return columnOf(tree, { candles, isForming }).map((value, i) => (i < first ? undefined : value))
}

function columnOf(tree: Tree, market: Market): Values {
  const { candles } = market
  switch (tree.kind) {
    case 'number':
    case 'truth':
      return candles.map(() => tree.value)
    case 'column':
      return candles.map(candle => priceOf(candle, tree.name))
    case 'indicator':
      return indicatorColumn(tree, market)
    case 'function': {
      const args = tree.args.map(arg => columnOf(arg, market))
      return candles.map((_, i) =>
        call(
          tree.name,
          args.map(column => column[i]),
        ),
      )
    }
    case 'unary':
      return columnOf(tree.of, market).map(value =>
        value === undefined ? undefined : tree.operator === 'not' ? !value : -(value as number),
      )
    case 'binary': {
      const [left, right] = [columnOf(tree.left, market), columnOf(tree.right, market)]
      return candles.map((_, i) => combine(tree.operator, left[i], right[i]))
    }
    case 'history': {
      const column = columnOf(tree.of, market)
      return candles.map((_, i) => column[i - tree.candles])
    }
    case 'timeframe':
      return longerColumn(tree, market)
  }
}

function priceOf({ open, high, low, close, volume }: Candle, name: string): number {
  const means = {
    hl2: (high + low) / 2,
    hlc3: (high + low + close) / 3,
    ohlc4: (open + high + low + close) / 4,
  }
  return { open, high, low, close, volume, ...means }[name] as number
}

function call(name: string, [a, b, c]: readonly Value[]): Value {
  if (name === 'na') return !isNumber(a)
  if (name === 'nz') return isNumber(a) ? a : b
  if (name === 'if') return a === undefined ? undefined : a ? b : c
  return combine(name, a, b)
}

function combine(operator: string, a: Value, b: Value): Value {
  if (operator === 'and')
    return a === false || b === false ? false : a === undefined || b === undefined ? undefined : true
  if (operator === 'or')
    return a === true || b === true ? true : a === undefined || b === undefined ? undefined : false
  if (a === undefined || b === undefined) return undefined
  const compute = arithmetic[operator]
  if (compute) return finite(compute(a as number, b as number))
  return (comparisons[operator] as (a: number, b: number) => boolean)(a as number, b as number)
}

/** An indicator over the candles, or anew over each run of candles at which all of its inputs have a value. */
function indicatorColumn(tree: Extract<Tree, { kind: 'indicator' }>, market: Market): Values {
  const { candles } = market
  const index =
    tree.output === undefined ? 0 : entryOf(tree.id).outputs.findIndex(({ name }) => name === tree.output)
  const result: Value[] = candles.map(() => undefined)
  const fill = (from: number, part: readonly Candle[], given: Readonly<Record<string, string>>) => {
    const { lookback } = entryOf(tree.id)
    if (part.length <= lookback(valuesOf(entryOf(tree.id), tree.params).params)) return
    const plain = {
      timestamp: part.map(candle => candle.timestamp),
      open: part.map(candle => candle.open),
      high: part.map(candle => candle.high),
      low: part.map(candle => candle.low),
      close: part.map(candle => candle.close),
      volume: part.map(candle => candle.volume),
    }
    const column = run(tree.id, plain, { ...tree.params, ...given })[index] as Float64Array
    for (const [i, value] of column.entries())
      result[from + i] = Number.isNaN(value) ? undefined : tree.isCondition ? value === 1 : value
  }
  if (tree.inputs.length === 0) fill(0, candles, {})
  else {
    const inputs = tree.inputs.map(input => columnOf(input, market))
    const given = inputs.length === 2 ? { source: 'close', source2: 'open' } : { source: 'close' }
    for (let from = 0; from < candles.length; from++) {
      let to = from
      while (to < candles.length && inputs.every(input => isNumber(input[to]))) to++
      const part = candles.slice(from, to).map((candle, i) => ({
        ...candle,
        close: inputs[0]?.[from + i] as number,
        open: (inputs[1]?.[from + i] ?? 0) as number,
      }))
      fill(from, part, given)
      from = to
    }
  }
  return result
}

/** An expression over the candles of a longer timeframe: at each candle the value of the newest one that has closed. */
function longerColumn(tree: Extract<Tree, { kind: 'timeframe' }>, { candles, isForming }: Market): Values {
  const length = seconds[tree.timeframe]
  const openOf = (time: number) => time - (time % length)
  const groups: Candle[][] = []
  for (const candle of candles) {
    const last = groups.at(-1)
    if (last && openOf((last[0] as Candle).timestamp) === openOf(candle.timestamp)) last.push(candle)
    else groups.push([candle])
  }
  const [first] = candles
  if (first && first.timestamp !== openOf(first.timestamp)) groups.shift()
  const longer = groups.map(group => ({
    timestamp: openOf((group[0] as Candle).timestamp),
    open: (group[0] as Candle).open,
    high: Math.max(...group.map(({ high }) => high)),
    low: Math.min(...group.map(({ low }) => low)),
    close: (group.at(-1) as Candle).close,
    volume: group.map(({ volume }) => volume).reduce((sum, volume) => sum + volume),
  }))
  const values = columnOf(tree.of, { candles: longer, isForming: false })
  return candles.map(({ timestamp }, i) => {
    const time = isForming && i === candles.length - 1 ? timestamp : timestamp + seconds['15m']
    const closed = longer.filter(candle => candle.timestamp + length <= time).length
    return values[closed - 1]
  })
}

/** The first candle at which all parts of an expression may have a value. */
function warmupOf(tree: Tree): number {
  switch (tree.kind) {
    case 'number':
    case 'truth':
    case 'column':
      return 0
    case 'indicator': {
      const entry = entryOf(tree.id)
      const { params } = valuesOf(entry, tree.params)
      const output = entry.outputs.find(({ name }) => tree.output === undefined || name === tree.output)
      const own = (output?.lookback ?? entry.lookback)(params)
      return own + Math.max(0, ...tree.inputs.map(warmupOf))
    }
    case 'function':
      return Math.max(...tree.args.map(warmupOf))
    case 'unary':
    case 'timeframe':
      return warmupOf(tree.of)
    case 'binary':
      return Math.max(warmupOf(tree.left), warmupOf(tree.right))
    case 'history':
      return warmupOf(tree.of) + tree.candles
  }
}
