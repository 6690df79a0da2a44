import { choice, type Price, period } from '../../catalogue/define.js'
import { catalogue, type Entry } from '../../catalogue/index.js'
import { type CallSyntax, mapParts, maxHistory, parse, type Syntax } from './parser.js'
import type { Operation, ValueType } from './plan.js'

/**
 * Finds the function of a call. `max(20)` is the indicator of that name; `max(open, close)` is the function, and so is
 * `vwap(close, anchor)`.
 */
export function functionOf({ name, args }: CallSyntax): LanguageFunction | undefined {
  const lower = name.toLowerCase()
  const known = Object.hasOwn(functions, lower) ? functions[lower] : undefined
  const isOfTwo = args.length > 1 && args.slice(0, 2).every(arg => arg.name === undefined)
  if (known?.kind === 'extreme')
    return isOfTwo && args.every(arg => arg.name === undefined) ? known : undefined
  return known?.kind === 'indicator' && known.anchored && !isOfTwo ? undefined : known
}

/** A function of the language that is computed for each candle separately. */
export interface PointwiseFunction {
  readonly kind: 'pointwise'
  readonly operation: Operation
  readonly usage: string
  /** Types of the arguments. All arguments with `same` must have one type. */
  readonly parameters: readonly (ValueType | 'same')[]
  readonly required: number
  /** Value of an omitted argument. */
  readonly fallback?: number
  readonly result: ValueType | 'same'
}

/** `min` or `max` of two or more values. */
export interface ExtremeFunction {
  readonly kind: 'extreme'
  readonly operation: 'min' | 'max'
}

/** A function that is an indicator under another name, or an indicator whose 1 and 0 are a condition. */
export interface IndicatorFunction {
  readonly kind: 'indicator'
  /** The indicator, under the name of the function. */
  readonly indicator: Entry
  readonly result: ValueType
  readonly usage: string
  /** Inputs of the kernel if the function has a value and an anchor: `x` is the value, `y` the anchor. */
  readonly anchored?: readonly (string | undefined)[]
}

/** A function whose value stays until a condition holds again. */
export interface HeldFunction {
  readonly kind: 'held'
  readonly usage: string
}

/** Maximum occurrence of `valuewhen`, which adds two parts for each. */
export const maxOccurrence = 20

/** A whole number among the arguments of a defined function. */
export interface WholeNumber {
  readonly least: number
  readonly most: number
  readonly otherwise?: number
}

/** A function that is defined in the language itself. */
export interface DefinedFunction {
  readonly kind: 'defined'
  readonly usage: string
  /** Type of the first argument. */
  readonly type: ValueType | 'same'
  /** Column that is the first argument if only the others are given. */
  readonly column?: Price
  /** The other arguments: whole numbers, or a second value. */
  readonly others: readonly (WholeNumber | 'value')[]
  /** Definition by the type of the first argument, which it names `x`; `y` is the second value. */
  readonly text: (type: ValueType, ...numbers: readonly number[]) => string
}

/** Reads a definition. The arguments replace `x` and `y`, and all other parts are at the position of the call. */
export function definitionOf(text: string, at: number, x: Syntax, y: Syntax = x): Syntax {
  const position = { at, operatorAt: at, candlesAt: at }
  const placed = (syntax: Syntax): Syntax => {
    if (syntax.kind === 'name' && syntax.name === 'x') return x
    if (syntax.kind === 'name' && syntax.name === 'y') return y
    return { ...mapParts(syntax, placed), ...position }
  }
  return placed(parse(text))
}

/** Number of the newest candle at which `x` holds, counted from 1; 0 before the first one. */
const newestTrue = 'alltimehigh(if(nz(x, false), cumsum(1), 0))'

export type LanguageFunction =
  | PointwiseFunction
  | ExtremeFunction
  | IndicatorFunction
  | DefinedFunction
  | HeldFunction

const entryOf = (name: string): Entry => catalogue.get(name) as Entry

const condition = (indicator: Entry, usage: string): IndicatorFunction => ({
  kind: 'indicator',
  indicator,
  result: 'boolean',
  usage,
})

/**
 * The extreme of a window, of the highs or the lows if no value is given, as in Pine. A window of one candle is allowed and
 * returns the value itself.
 */
const extreme = (name: string, indicator: string, column: Price, usage: string): IndicatorFunction => ({
  kind: 'indicator',
  indicator: { ...entryOf(indicator), name, inputs: [column], params: { period: period(30, 1) } },
  result: 'number',
  usage,
})

/**
 * An average since the newest candle at which an anchor holds. Its kernel restarts with each week of its times, so the time
 * of a candle is the number of anchors in weeks.
 */
const anchored = (name: string, span: 'week' | 'session', usage: string): IndicatorFunction => ({
  kind: 'indicator',
  indicator: {
    ...entryOf(name),
    name: `anchored${name}`,
    sources: 2,
    // The project in which the tests follow docs/add-an-indicator.md has no other indicators.
    params: { ...entryOf(name)?.params, anchorPeriod: choice(span) },
  },
  result: 'number',
  usage,
  anchored: ['x', 'x', 'x', undefined, 'cumsum(if(nz(y, false), 604800, 0))'],
})

const oneCandle: WholeNumber = { least: 1, most: maxHistory, otherwise: 1 }

/**
 * The value `right` candles ago if it is the extreme of its span, the newest of equal values counting: not beyond an older one,
 * and beyond each newer one.
 */
const pivot = (name: string, column: Price, beyond: '<' | '>', extremeName: string): DefinedFunction => ({
  kind: 'defined',
  usage: `${name}(x, left, right)`,
  type: 'number',
  column,
  others: [
    { least: 1, most: maxHistory },
    { least: 0, most: maxHistory - 1 },
  ],
  text: (_, left = 1, right = 1) => {
    const isNewest = right === 0 ? '' : ` and x[${right}] ${beyond} ${extremeName}(x, ${right})`
    return `if(x[${right}] ${beyond}= ${extremeName}(x, ${left})[${right + 1}]${isNewest}, x[${right}], 0 / 0)`
  },
})

/** Functions of the language other than the indicators of the catalogue, by name. */
export const functions: Readonly<Record<string, LanguageFunction>> = {
  crossover: condition(entryOf('crossover'), 'crossover(a, b)'),
  crossunder: condition(entryOf('crossunder'), 'crossunder(a, b)'),
  cross: condition({ ...entryOf('crossany'), name: 'cross' }, 'cross(a, b)'),
  crossany: condition(entryOf('crossany'), 'crossany(a, b)'),
  rising: condition(entryOf('rising'), 'rising(x, candles)'),
  falling: condition(entryOf('falling'), 'falling(x, candles)'),
  highest: extreme('highest', 'max', 'high', 'highest(x, candles)'),
  lowest: extreme('lowest', 'min', 'low', 'lowest(x, candles)'),
  barssince: {
    kind: 'defined',
    usage: 'barssince(condition)',
    type: 'boolean',
    others: [],
    text: () => `if(${newestTrue} > 0, cumsum(1) - ${newestTrue}, 0 / 0)`,
  },
  within: {
    kind: 'defined',
    usage: 'within(condition, candles)',
    type: 'boolean',
    others: [oneCandle],
    text: (_, candles) => `highest(if(nz(x, false), 1, 0), ${candles}) > 0`,
  },
  valuewhen: { kind: 'held', usage: 'valuewhen(condition, x, occurrence)' },
  fixnan: { kind: 'held', usage: 'fixnan(x)' },
  change: {
    kind: 'defined',
    usage: 'change(x, candles)',
    type: 'same',
    others: [oneCandle],
    text: (type, candles) => `x ${type === 'number' ? '-' : '!='} x[${candles}]`,
  },
  sign: {
    kind: 'defined',
    usage: 'sign(x)',
    type: 'number',
    others: [],
    text: () => 'if(x > 0, 1, if(x < 0, 0 - 1, 0))',
  },
  round_to: {
    kind: 'defined',
    usage: 'round_to(x, step)',
    type: 'number',
    others: ['value'],
    text: () => 'round(x / y) * y',
  },
  pivothigh: pivot('pivothigh', 'high', '>', 'highest'),
  pivotlow: pivot('pivotlow', 'low', '<', 'lowest'),
  vwap: anchored('vwap', 'week', 'vwap(x, anchor)'),
  vwapbands: anchored('vwapbands', 'session', 'vwapbands(x, anchor, stddev).upper'),
  min: { kind: 'extreme', operation: 'min' },
  max: { kind: 'extreme', operation: 'max' },
  if: {
    kind: 'pointwise',
    operation: 'if',
    usage: 'if(condition, a, b)',
    parameters: ['boolean', 'same', 'same'],
    required: 3,
    result: 'same',
  },
  nz: {
    kind: 'pointwise',
    operation: 'orElse',
    usage: 'nz(x, instead)',
    parameters: ['same', 'same'],
    required: 1,
    fallback: 0,
    result: 'same',
  },
  na: {
    kind: 'pointwise',
    operation: 'isUndefined',
    usage: 'na(x)',
    parameters: ['same'],
    required: 1,
    result: 'boolean',
  },
  pow: {
    kind: 'pointwise',
    operation: 'power',
    usage: 'pow(x, y)',
    parameters: ['number', 'number'],
    required: 2,
    result: 'number',
  },
}
