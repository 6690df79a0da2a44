import { period } from '../../catalogue/define.js'
import { catalogue, type Entry } from '../../catalogue/index.js'
import type { Operation, ValueType } from './plan.js'

/** A function of the language that is computed candle by candle. */
export interface PointwiseFunction {
  readonly kind: 'pointwise'
  readonly operation: Operation
  readonly usage: string
  /** The types of its arguments; `same` is one type for all that have it. */
  readonly parameters: readonly (ValueType | 'same')[]
  /** How many of them must be given. */
  readonly required: number
  /** What stands for an argument that is left out. */
  readonly fallback?: number
  readonly result: ValueType | 'same'
}

/** `min` and `max` of two values or more. */
export interface ExtremeFunction {
  readonly kind: 'extreme'
  readonly operation: 'min' | 'max'
}

/** A function that is an indicator under another name, or one whose 1 and 0 are a condition. */
export interface IndicatorFunction {
  readonly kind: 'indicator'
  /** It has the name of the function. */
  readonly indicator: Entry
  readonly result: ValueType
  readonly usage: string
}

export type LanguageFunction = PointwiseFunction | ExtremeFunction | IndicatorFunction

const entryOf = (name: string): Entry => catalogue.get(name) as Entry

const condition = (indicator: Entry, usage: string): IndicatorFunction => ({
  kind: 'indicator',
  indicator,
  result: 'boolean',
  usage,
})

/** The extreme of a window. That of one candle is its value. */
const extreme = (name: string, indicator: string, usage: string): IndicatorFunction => ({
  kind: 'indicator',
  indicator: { ...entryOf(indicator), name, params: { period: period(30, 1) } },
  result: 'number',
  usage,
})

/** The functions of the language beside the indicators of the catalogue, by name. */
export const functions: Readonly<Record<string, LanguageFunction>> = {
  crossover: condition(entryOf('crossover'), 'crossover(a, b)'),
  crossunder: condition(entryOf('crossunder'), 'crossunder(a, b)'),
  cross: condition({ ...entryOf('crossany'), name: 'cross' }, 'cross(a, b)'),
  crossany: condition(entryOf('crossany'), 'crossany(a, b)'),
  rising: condition(entryOf('rising'), 'rising(x, candles)'),
  falling: condition(entryOf('falling'), 'falling(x, candles)'),
  highest: extreme('highest', 'max', 'highest(x, candles)'),
  lowest: extreme('lowest', 'min', 'lowest(x, candles)'),
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
