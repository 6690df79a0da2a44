import type { Timeframe } from '../../candles/timeframe.js'
import { catalogue } from '../../catalogue/index.js'
import {
  badMeasureCandles,
  expressionEmpty,
  expressionTooLong,
  inExpression,
  notOverMarkets,
  tooManyAggregates,
  unknownMeasure,
  wrongAggregate,
} from '../../contract/expression-refusals.js'
import { maxExpressionLength } from '../../contract/limits.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import { expressionOfWrongType } from '../../contract/screen-refusals.js'
import { type CompiledExpression, compileExpression } from './compile.js'
import type { Expressions } from './expressions.js'
import { functionOf } from './functions.js'
import { type CallSyntax, Fault, parse, type Syntax } from './parser.js'
import type { ValueType } from './plan.js'
import { isSource, readCall } from './reader.js'

/**
 * Aggregates of the values of all markets at one time, with the type of their argument. `breadth` is the share of
 * markets at which a condition holds, `count` their number, `total` the sum of a number. Markets with an undefined
 * value do not count.
 */
const aggregateTypes = { breadth: 'boolean', count: 'boolean', total: 'number' } as const
export type AggregateKind = keyof typeof aggregateTypes
const aggregateNames = Object.keys(aggregateTypes) as readonly AggregateKind[]

/** Names of the columns that hold the aggregates of a measure in its expression. */
export const aggregateColumns = ['open', 'high', 'low', 'close'] as const
type AggregateColumn = (typeof aggregateColumns)[number]
/** Column with the number of markets in a measure. */
export const marketsColumn = 'volume'

/** One aggregate over the values of all markets. */
export interface Aggregate {
  readonly kind: AggregateKind
  /** Index of the output of the per-market plan. */
  readonly output: number
}

/** A measure over the values of all markets at each time. */
export interface Measure {
  readonly name: string
  /** In the order of `aggregateColumns`. */
  readonly aggregates: readonly Aggregate[]
  /** An expression over these columns, with the outputs `markets` and `value`. */
  readonly compiled: CompiledExpression
}

export interface CompiledMeasures {
  /** The per-market part of the measures. Output 0 has a value for every candle. */
  readonly compiled: CompiledExpression
  readonly measures: readonly Measure[]
}

/**
 * Compiles measures: expressions in which values of single markets are arguments of `breadth`, `count` or `total`.
 * Named measures may be used, too. Each measure is split into outputs of one per-market plan and an expression over its
 * aggregates. The refusal of a fault names the measure.
 */
export function compileMeasures(
  texts: Readonly<Record<string, string>>,
  timeframe: Timeframe,
  expressions: Expressions,
): CompiledMeasures | Refusal {
  const outputs: string[] = ['0']
  const measures: Measure[] = []
  for (const [name, text] of Object.entries(texts)) {
    const measure = compileMeasure(name, text, timeframe, expressions, outputs)
    if (isRefusal(measure)) return inExpression(name, measure)
    measures.push(measure)
  }
  const named = Object.fromEntries(outputs.map((text, k) => [`value${k}`, text]))
  const compiled = expressions.compileAll(named, timeframe)
  return isRefusal(compiled) ? compiled : { compiled, measures }
}

/** `outputs` are the per-market expressions; those of the measure are appended. */
function compileMeasure(
  name: string,
  text: string,
  timeframe: Timeframe,
  expressions: Expressions,
  outputs: string[],
): Measure | Refusal {
  if (text.length > maxExpressionLength) return expressionTooLong(maxExpressionLength)
  if (text.trim() === '') return expressionEmpty()
  const cut = new MeasureText(timeframe, outputs)
  try {
    // Replacements of the same length keep the positions of faults in the text.
    const asWritten = compileExpression(cut.read(text, true), { isRepaired: false })
    if (isRefusal(asWritten)) return asWritten
    if (asWritten.type !== 'number') return expressionOfWrongType(name, 'number')
    const compiled = expressions.compileAll({ markets: marketsColumn, value: cut.read(text) }, timeframe)
    return isRefusal(compiled) ? compiled : { name, aggregates: cut.aggregates, compiled }
  } catch (error) {
    if (error instanceof Fault) return error.refusal
    throw error
  }
}

/** A replacement for a part of another text. */
interface Replacement {
  readonly at: number
  readonly to: number
  readonly text: string
}

class MeasureText {
  readonly aggregates: Aggregate[] = []

  constructor(
    private readonly timeframe: Timeframe,
    private readonly outputs: string[],
  ) {}

  /**
   * Returns the text with each aggregate replaced by a column, and each named measure by its text. With `isOutline`
   * both are replaced by columns, padded to the length of the original.
   */
  read(text: string, isOutline = false): string {
    const characters = [...text]
    const slice = (from: number, to: number) => characters.slice(from - 1, to - 1).join('')
    const found = [...this.#partsOf(parse(text), slice, isOutline)]
    let result = ''
    let from = 1
    for (const { at, to, text: replacement } of found) {
      result += slice(from, at) + (isOutline ? replacement.padEnd(to - at) : replacement)
      from = to
    }
    return result + slice(from, characters.length + 1)
  }

  /** Yields the replacements, in the order of the text. */
  *#partsOf(
    syntax: Syntax,
    slice: (from: number, to: number) => string,
    isOutline: boolean,
  ): Generator<Replacement> {
    const inner = (each: Syntax) => this.#partsOf(each, slice, isOutline)
    switch (syntax.kind) {
      case 'number':
      case 'boolean':
      case 'text':
      case 'value':
        return
      case 'name':
      case 'call': {
        const call = asCall(syntax)
        const name = call.name.toLowerCase()
        if (isAggregate(name)) {
          const { at, to } = call
          yield { at, to, text: this.#aggregate(name, call, slice) }
        } else if (Object.hasOwn(breadthDefinitions, name)) {
          const text = definitionOf(name, call)
          yield { at: call.at, to: call.to, text: isOutline ? 'open' : `(${this.read(text)})` }
        } else for (const argument of calculationsOf(call)) yield* inner(argument)
        return
      }
      case 'market':
        throw fault(notOverMarkets(syntax.marketAt, `{${syntax.market}}`, aggregateNames))
      case 'timeframe':
        throw fault(notOverMarkets(syntax.timeframeAt, `@${syntax.timeframe}`, aggregateNames))
      case 'binary':
        yield* inner(syntax.left)
        yield* inner(syntax.right)
        return
      default:
        yield* inner(syntax.of)
    }
  }

  /** Column of an aggregate. A new aggregate is added. */
  #aggregate(
    kind: AggregateKind,
    { at, args }: CallSyntax,
    slice: (from: number, to: number) => string,
  ): AggregateColumn {
    const [argument, ...others] = args
    if (!argument || argument.name !== undefined || others.length > 0) throw fault(wrongAggregate(at, kind))
    const text = slice(argument.at, argument.to).trim()
    const output = this.#outputOf(kind, text, argument.at)
    const known = this.aggregates.findIndex(each => each.kind === kind && each.output === output)
    const index = known >= 0 ? known : this.aggregates.push({ kind, output }) - 1
    const column = aggregateColumns[index]
    if (!column) throw fault(tooManyAggregates(aggregateColumns.length, aggregateNames))
    return column
  }

  /** Index of a per-market expression, which begins at character `at` of the measure. A new expression is added. */
  #outputOf(kind: AggregateKind, text: string, at: number): number {
    const known = this.outputs.indexOf(text)
    const isChecked = known > 0 && this.aggregates.some(each => each.kind === kind && each.output === known)
    if (!isChecked) {
      // The padding keeps the positions of faults in the whole text.
      const compiled = compileExpression(' '.repeat(at - 1) + text, { timeframe: this.timeframe })
      if (isRefusal(compiled)) throw fault(compiled)
      const wanted: ValueType = aggregateTypes[kind]
      if (compiled.type !== wanted) throw fault(expressionOfWrongType(kind, wanted))
    }
    return known > 0 ? known : this.outputs.push(text) - 1
  }
}

const isAggregate = (name: string): name is AggregateKind => Object.hasOwn(aggregateTypes, name)

const fault = (refusal: Refusal): Fault => new Fault(refusal)

const asCall = (syntax: CallSyntax | Extract<Syntax, { readonly kind: 'name' }>): CallSyntax =>
  syntax.kind === 'call' ? syntax : { ...syntax, kind: 'call', to: syntax.at + syntax.name.length, args: [] }

/** Text of a named measure. */
function definitionOf(name: string, { at, args }: CallSyntax): string {
  const { text, candles } = breadthDefinitions[name] as (typeof breadthDefinitions)[string]
  const [argument, ...others] = args
  const most = candles === undefined ? undefined : maxBreadthCandles
  if (!argument) return text.replaceAll('$n', String(candles))
  const { value } = argument
  const isCandles = value.kind === 'number' && Number.isInteger(value.value) && value.value >= 1
  if (most === undefined || others.length > 0 || argument.name !== undefined)
    throw fault(badMeasureCandles(at, name, most))
  if (!isCandles || value.value > most) throw fault(badMeasureCandles(at, name, most))
  return text.replaceAll('$n', String(value.value))
}

/** Arguments of a function or an indicator that are expressions. Refuses calls that read candles. */
function calculationsOf(call: CallSyntax): readonly Syntax[] {
  const { at, args } = call
  const name = call.name.toLowerCase()
  if (isSource(name)) throw fault(notOverMarkets(at, name, aggregateNames))
  const known = functionOf(call)
  if (known && known.kind !== 'indicator') return args.map(({ value }) => value)
  const indicator = known?.indicator ?? catalogue.get(name)
  if (!indicator)
    throw fault(unknownMeasure(at, call.name, [...aggregateNames, ...Object.keys(breadthDefinitions)]))
  const { inputs } = readCall(indicator, call)
  const given = inputs.filter(input => input !== undefined)
  if (given.length < inputs.length) throw fault(notOverMarkets(at, call.name, aggregateNames))
  return given
}

export interface BreadthDefinition {
  /** Definition over the values of all markets: see `compileMeasures`. `$n` stands for the parameter. */
  readonly text: string
  /** Default of the only parameter, a number of candles. */
  readonly candles?: number
  readonly about: string
  /** Publication of the definition. */
  readonly source: string
}

/** Maximum of a measure's parameter, in candles. */
export const maxBreadthCandles = 500

const advanceDecline = 'Leonard P. Ayres and James F. Hughes, 1926'
const mcclellan = 'Sherman and Marian McClellan, "Patterns for Profit", 1970'
const miekka = 'James R. Miekka, as in Steven B. Achelis, "Technical Analysis from A to Z", 2nd edition, 2001'
const ratioAdjusted = 'Tom McClellan, "The McClellan Market Report"'
const highsAndLows = 'Steven B. Achelis, "Technical Analysis from A to Z", 2nd edition, 2001'

export const breadthDefinitions: Readonly<Record<string, BreadthDefinition>> = {
  advances: {
    text: 'count(close > close[1])',
    about: 'Markets whose close is above the one before',
    source: advanceDecline,
  },
  declines: {
    text: 'count(close < close[1])',
    about: 'Markets whose close is below the one before',
    source: advanceDecline,
  },
  netadvances: {
    text: 'advances - declines',
    about: 'Advances less declines',
    source: advanceDecline,
  },
  advancedecline: {
    text: 'cumsum(netadvances)',
    about: 'The advance/decline line: net advances summed up from the first candle in memory on',
    source: advanceDecline,
  },
  mcclellan: {
    text: 'ema(netadvances, 19) - ema(netadvances, 39)',
    about:
      'The McClellan oscillator: the averages of net advances that take a tenth and a twentieth of each new value',
    source: mcclellan,
  },
  mcclellansummation: {
    text: '1000 + 19 * ema(netadvances, 39) - 9 * ema(netadvances, 19)',
    about:
      'The McClellan summation index, which changes by the oscillator at each candle. This form is 1,000 where net advances are 0 for long, wherever the candles begin',
    source: miekka,
  },
  rationetadvances: {
    text: '1000 * (advances - declines) / (advances + declines)',
    about: 'Net advances for each 1,000 markets that advance or decline',
    source: ratioAdjusted,
  },
  ratiomcclellan: {
    text: 'ema(rationetadvances, 19) - ema(rationetadvances, 39)',
    about: 'The ratio-adjusted McClellan oscillator, which numbers of markets do not change',
    source: ratioAdjusted,
  },
  ratiomcclellansummation: {
    text: '19 * ema(rationetadvances, 39) - 9 * ema(rationetadvances, 19)',
    about: 'The ratio-adjusted summation index, which is 0 where net advances are 0 for long',
    source: ratioAdjusted,
  },
  newhighs: {
    text: 'count(high > highest(high, $n)[1])',
    candles: 252,
    about: 'Markets whose high is above those of the n candles before',
    source: highsAndLows,
  },
  newlows: {
    text: 'count(low < lowest(low, $n)[1])',
    candles: 252,
    about: 'Markets whose low is below those of the n candles before',
    source: highsAndLows,
  },
  highslows: {
    text: 'newhighs($n) - newlows($n)',
    candles: 252,
    about: 'New highs less new lows',
    source: highsAndLows,
  },
  trin: {
    text: '(advances / declines) / (total(if(close > close[1], volume, 0)) / total(if(close < close[1], volume, 0)))',
    about:
      'The Arms index: advances for each decline over their volume for each volume of declines. Undefined where nothing declines or no volume does',
    source: 'Richard W. Arms, Barron\'s, 1967; "The Arms Index", 1989',
  },
}
