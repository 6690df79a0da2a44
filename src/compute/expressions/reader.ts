import { divides, isTimeframe, type Timeframe, timeframes } from '../../candles/timeframe.js'
import type { LabelOutput } from '../../catalogue/define.js'
import { catalogue, type Entry, type SourceName, sources, type Values } from '../../catalogue/index.js'
import {
  badCandleCount,
  badIndicatorParameter,
  badMarket,
  badOccurrence,
  differentTypes,
  dividedTimeframe,
  functionWithoutArguments,
  inputNotAccepted,
  nestedDerivative,
  nestedMarket,
  nestedTimeframe,
  noOutputs,
  outputMissing,
  outputNotNumber,
  parameterNotConstant,
  shorterTimeframe,
  timeframeUnknown,
  tooManyPositional,
  unknownExpressionName,
  unknownExpressionTimeframe,
  unknownOutput,
  writtenOtherwise,
  wrongArguments,
  wrongType,
} from '../../contract/expression-refusals.js'
import { type DerivativeKind, derivativeKinds, symbolOfSeries } from '../../contract/market.js'
import { readIndicatorSpec } from '../../contract/query.js'
import { isRefusal, type Refusal, repeatedParameter } from '../../contract/refusals.js'
import { hintFor, isNameInQuotes, nearTimeframe, ownName, pineCallFor } from './foreign.js'
import {
  type DefinedFunction,
  definitionOf,
  functionOf,
  functions,
  type HeldFunction,
  maxOccurrence,
  type PointwiseFunction,
  type WholeNumber,
} from './functions.js'
import { type ArgumentSyntax, type BinaryOperator, type CallSyntax, Fault, type Syntax } from './parser.js'
import { type Operation, type OtherMarket, readOther, type ValueType } from './plan.js'
import type { PlanBuilder } from './plan-builder.js'

/** A checked part of an expression: its node in the plan. */
export interface Value {
  readonly node: number
  readonly type: ValueType
}

/** Whether a name is a column of the candles or a mean of columns. */
export const isSource = (name: string): name is SourceName => (sources as readonly string[]).includes(name)

/**
 * Names of the data of a derivative other than its candles: series of an exchange, and the `basis` computed from them.
 */
const derivativeNames = [...(Object.keys(derivativeKinds) as DerivativeKind[]), 'basis'] as const

type DerivativeName = (typeof derivativeNames)[number]

const isDerivativeName = (name: string): name is DerivativeName =>
  (derivativeNames as readonly string[]).includes(name)

const operations = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  '%': 'remainder',
  '<': 'less',
  '<=': 'lessOrEqual',
  '>': 'less',
  '>=': 'lessOrEqual',
  '==': 'equal',
  '!=': 'notEqual',
  and: 'and',
  or: 'or',
} as const satisfies Record<BinaryOperator, Operation>

/** A call of an indicator under its name in the text, before one of its outputs is chosen. */
interface NamedCall extends IndicatorCall {
  readonly name: string
  readonly at: number
  /** Type of the only output, if it differs from the catalogue. */
  readonly type?: ValueType
}

/** Checks the parts of expressions against the catalogue and adds them to a plan. Throws a `Fault`. */
export class ExpressionReader {
  constructor(
    private readonly builder: PlanBuilder,
    private readonly timeframe: Timeframe | undefined,
  ) {}

  /** Adds a part to a timeline and returns its value. */
  read(syntax: Syntax, timeline = 0): Value {
    const { at } = syntax
    switch (syntax.kind) {
      case 'number':
        return { node: this.builder.constant(syntax.value, timeline), type: 'number' }
      case 'boolean':
        return { node: this.builder.constant(Number(syntax.value), timeline), type: 'boolean' }
      case 'text':
        throw new Fault(unknownExpressionName(at, syntax.value, hintForText(syntax.value)))
      case 'value':
        return syntax
      case 'name':
        return this.#readName(syntax.name, at, timeline)
      case 'call':
        return this.#readCall(syntax, timeline)
      case 'output':
        return this.#readOutput(syntax, timeline)
      case 'history': {
        const { node, type } = this.read(syntax.of, timeline)
        const { by, candles, candlesAt } = syntax
        if (!by) return { node: this.builder.history(node, candles, timeline, candlesAt), type }
        const wanted = this.#readAs(by, 'number', '[n]', timeline)
        return { node: this.builder.historyBy(node, wanted, candles, timeline, candlesAt), type }
      }
      case 'timeframe':
        return this.#readTimeframe(syntax, timeline)
      case 'market':
        return this.#readMarket(syntax, timeline)
      case 'unary': {
        const isNot = syntax.operator === 'not'
        const type = isNot ? 'boolean' : 'number'
        const inner = this.#readAs(syntax.of, type, isNot ? 'not' : 'a minus sign', timeline)
        return { node: this.builder.pointwise(isNot ? 'not' : 'negate', [inner], timeline, at), type }
      }
      case 'binary':
        return this.#readBinary(syntax, timeline)
    }
  }

  /** Adds a part that must have a type, which `what` requires, and returns its node. */
  #readAs(syntax: Syntax, type: ValueType, what: string, timeline: number): number {
    const value = this.read(syntax, timeline)
    if (value.type !== type) throw new Fault(wrongType(syntax.at, what, type, value.type))
    return value.node
  }

  #readBinary(
    { operator, operatorAt, left, right }: Extract<Syntax, { readonly kind: 'binary' }>,
    timeline: number,
  ): Value {
    const operation = operations[operator]
    const add = (inputs: readonly number[], type: ValueType): Value => ({
      node: this.builder.pointwise(operation, inputs, timeline, operatorAt),
      type,
    })
    if (operator === '==' || operator === '!=') {
      const [one, other] = [this.read(left, timeline), this.read(right, timeline)]
      if (one.type !== other.type) throw new Fault(differentTypes(operatorAt, operator))
      return add([one.node, other.node], 'boolean')
    }
    const isLogic = operator === 'and' || operator === 'or'
    const type = isLogic ? 'boolean' : 'number'
    const one = this.#readAs(left, type, operator, timeline)
    const other = this.#readAs(right, type, operator, timeline)
    if (operator === '>' || operator === '>=') return add([other, one], 'boolean')
    return add(
      [one, other],
      isLogic || operation === 'less' || operation === 'lessOrEqual' ? 'boolean' : 'number',
    )
  }

  #readName(name: string, at: number, timeline: number): Value {
    const lower = ownNameAt(name, at).toLowerCase()
    if (isSource(lower)) return { node: this.builder.candleValue(lower, timeline, at), type: 'number' }
    if (isDerivativeName(lower))
      return this.#readDerivative(lower, at, timeline, { exchange: undefined, symbol: '' })
    return this.#readCall({ kind: 'call', at, to: at + name.length, name, args: [] }, timeline, [
      ...sources,
      ...derivativeNames,
    ])
  }

  /** Adds a series of a derivative, or its basis. An empty symbol is the expression's own market. */
  #readDerivative(
    name: DerivativeName,
    at: number,
    timeline: number,
    { exchange, symbol }: OtherMarket,
    isStrict = false,
  ): Value {
    if (timeline !== 0) throw new Fault(nestedDerivative(at, name))
    const timeframe = this.timeframe
    if (timeframe === undefined) throw new Fault(timeframeUnknown(at))
    const builder = this.builder
    const newest = (kind: DerivativeKind): number => {
      const market = builder.market({ exchange, symbol: symbolOfSeries({ symbol, kind }) }, at)
      return builder.closed(builder.column('close', builder.timeline(timeframe, market)), at, isStrict)
    }
    if (name !== 'basis') return { node: newest(name), type: 'number' }
    const [mark, index] = [newest('markprice'), newest('indexprice')]
    const above = builder.pointwise('subtract', [mark, index], 0, at)
    return { node: builder.pointwise('divide', [above, index], 0, at), type: 'number' }
  }

  /** `otherNames` are valid names at this place other than functions and indicators. */
  #readCall(written: CallSyntax, timeline: number, otherNames: readonly string[] = []): Value {
    const call = { ...written, name: ownNameAt(written.name, written.at) }
    const known = functionOf(call)
    if (known?.kind === 'extreme') return this.#readExtreme(known.operation, call, timeline)
    if (known?.kind === 'pointwise') return this.#readFunction(known, call, timeline)
    if (known?.kind === 'defined') return this.#readDefined(known, call, timeline)
    if (known?.kind === 'held') return this.#readHeld(known, call, timeline)
    const named = this.#callOf(call, otherNames, timeline)
    const outputs = named.indicator.outputs.map(({ name }) => name)
    if (outputs.length > 1) throw new Fault(outputMissing(call.at, named.name, outputs))
    return this.#chooseOutput(named, 0, call.at, timeline)
  }

  #readOutput({ of, name, nameAt }: Extract<Syntax, { readonly kind: 'output' }>, timeline: number): Value {
    if (of.kind !== 'call' && of.kind !== 'name') throw new Fault(noOutputs(nameAt))
    const args = of.kind === 'call' ? of.args : []
    const call: CallSyntax = { kind: 'call', at: of.at, to: nameAt, name: ownNameAt(of.name, of.at), args }
    const known = functionOf(call)
    const column = of.kind === 'name' ? call.name.toLowerCase() : ''
    const isColumn = isSource(column) || isDerivativeName(column)
    if (isColumn || (known && known.kind !== 'indicator')) throw new Fault(noOutputs(nameAt))
    const named = this.#callOf(call, sources, timeline)
    const outputs = named.indicator.outputs.map(output => output.name)
    const index = outputs.indexOf(name)
    if (index < 0) throw new Fault(unknownOutput(nameAt, name, named.name, outputs))
    return this.#chooseOutput(named, index, nameAt, timeline)
  }

  /** Resolves a called indicator, under its own name or as a function. */
  #callOf(call: CallSyntax, otherNames: readonly string[], timeline: number): NamedCall {
    const { at, args } = call
    const name = call.name.toLowerCase()
    const known = functionOf(call)
    const renamed = known?.kind === 'indicator' ? known : undefined
    const entry = renamed?.indicator ?? catalogue.get(name)
    if (!entry) {
      const names = [...otherNames, ...Object.keys(functions), ...catalogue.keys()]
      throw new Fault(unknownExpressionName(at, call.name, hintFor(call.name, names)))
    }
    if (renamed && args.length === 0 && renamed.result === 'boolean')
      throw new Fault(functionWithoutArguments(at, renamed.usage))
    const read = { ...readCall(entry, call), name, at, ...(renamed ? { type: renamed.result } : {}) }
    const inputs = renamed?.anchored
    return inputs ? { ...read, inputs: this.#anchoredInputs(inputs, read, timeline) } : read
  }

  /** Inputs of an average since an anchor: see `IndicatorFunction`. */
  #anchoredInputs(
    texts: readonly (string | undefined)[],
    { inputs: [value, anchor], name, at }: NamedCall,
    timeline: number,
  ): readonly (Syntax | undefined)[] {
    const x = this.#known(value as Syntax, 'number', name, timeline)
    const y = this.#known(anchor as Syntax, 'boolean', name, timeline)
    return texts.map(text => (text === undefined ? undefined : definitionOf(text, at, x, y)))
  }

  #chooseOutput(call: NamedCall, index: number, at: number, timeline: number): Value {
    const { indicator, params } = call
    const output = indicator.outputs[index] as (typeof indicator.outputs)[number]
    if (output.kind === 'names' || (output.kind === 'label' && !isDirection(output)))
      throw new Fault(outputNotNumber(at, call.name, output.name))
    const inputs = indicator.inputs.map((column, k) => {
      const given = call.inputs[k]
      return given
        ? this.#readAs(given, 'number', call.name, timeline)
        : this.builder.column(column, timeline)
    })
    const lookback = (output.lookback ?? indicator.lookback)(params)
    const node = this.builder.output(
      { indicator, params, inputs },
      output.column,
      lookback,
      timeline,
      call.at,
    )
    return { node, type: call.type ?? (output.kind === 'flag' ? 'boolean' : 'number') }
  }

  /** Adds the minimum or maximum of two or more values. */
  #readExtreme(operation: 'min' | 'max', { at, args }: CallSyntax, timeline: number): Value {
    const [first, ...others] = args.map(({ value }) => this.#readAs(value, 'number', operation, timeline))
    let node = first as number
    for (const other of others) node = this.builder.pointwise(operation, [node, other], timeline, at)
    return { node, type: 'number' }
  }

  #readFunction(known: PointwiseFunction, { at, name, args }: CallSyntax, timeline: number): Value {
    const { parameters, required, fallback, usage, operation } = known
    if (args.length === 0) throw new Fault(functionWithoutArguments(at, usage))
    if (args.length < required || args.length > parameters.length || args.some(arg => arg.name !== undefined))
      throw new Fault(wrongArguments(at, name.toLowerCase(), usage))
    const values = args.map(({ value }) => this.read(value, timeline))
    let same: ValueType | undefined
    for (const [k, { type }] of values.entries()) {
      const wanted = parameters[k] as ValueType | 'same'
      const argument = args[k] as CallSyntax['args'][number]
      if (wanted !== 'same') {
        if (type !== wanted) throw new Fault(wrongType(argument.at, name.toLowerCase(), wanted, type))
        continue
      }
      same ??= type
      if (type !== same) throw new Fault(differentTypes(argument.at, name.toLowerCase()))
    }
    const inputs = values.map(({ node }) => node)
    if (fallback !== undefined && args.length < parameters.length)
      inputs.push(this.builder.constant(fallback, timeline))
    const type = known.result === 'same' ? (same as ValueType) : known.result
    return { node: this.builder.pointwise(operation, inputs, timeline, at), type }
  }

  /** Adds `fixnan(x)`, or `valuewhen(condition, x, n)`: the value at the n-th candle before the newest one with the condition. */
  #readHeld({ usage }: HeldFunction, call: CallSyntax, timeline: number): Value {
    const { at, args } = call
    const name = call.name.toLowerCase()
    const isFix = name === 'fixnan'
    const [first, second, third] = args
    if (!first) throw new Fault(functionWithoutArguments(at, usage))
    const isComplete = isFix ? args.length === 1 : second !== undefined && args.length <= 3
    if (!isComplete || args.some(arg => arg.name !== undefined))
      throw new Fault(wrongArguments(at, name, usage))
    const builder = this.builder
    const { node, type } = this.read((second ?? first).value, timeline)
    if (isFix) {
      const isMissing = builder.pointwise('isUndefined', [node], timeline, at)
      const isKnown = builder.pointwise('not', [isMissing], timeline, at)
      return { node: builder.held(name, [isKnown, node], timeline, at), type }
    }
    const condition = this.#readAs(first.value, 'boolean', name, timeline)
    const count = third === undefined ? 0 : third.value.kind === 'number' ? third.value.value : Number.NaN
    if (!Number.isInteger(count) || count < 0 || count > maxOccurrence)
      throw new Fault(badOccurrence(third?.at ?? at, name, maxOccurrence))
    let held = builder.held(name, [condition, node], timeline, at)
    for (let k = 0; k < count; k++)
      held = builder.held(name, [condition, builder.history(held, 1, timeline, at)], timeline, at)
    return { node: held, type }
  }

  /** Adds the definition of a function, with the arguments of a call. */
  #readDefined(known: DefinedFunction, call: CallSyntax, timeline: number): Value {
    const { usage, type, column, others } = known
    const { at } = call
    const name = call.name.toLowerCase()
    const isOfColumn = column !== undefined && call.args.length === others.length
    const value: Syntax | undefined = isOfColumn ? { kind: 'name', at, name: column } : call.args[0]?.value
    const given = isOfColumn ? call.args : call.args.slice(1)
    if (!value) throw new Fault(functionWithoutArguments(at, usage))
    if (given.length > others.length || call.args.some(arg => arg.name !== undefined))
      throw new Fault(wrongArguments(at, name, usage))
    const found = this.read(value, timeline)
    if (type !== 'same' && found.type !== type) throw new Fault(wrongType(value.at, name, type, found.type))
    const numbers: number[] = []
    let second: Syntax | undefined
    for (const [k, other] of others.entries()) {
      const argument = given[k]?.value
      if (other === 'value') {
        if (!argument) throw new Fault(wrongArguments(at, name, usage))
        second = this.#known(argument, 'number', name, timeline)
      } else numbers.push(wholeNumber(argument, other, call, usage))
    }
    const text = known.text(found.type, ...numbers)
    return this.read(definitionOf(text, at, { kind: 'value', at, ...found }, second), timeline)
  }

  /** Reads an argument of a definition once, although the definition may name it several times. */
  #known(syntax: Syntax, type: ValueType, what: string, timeline: number): Syntax {
    return { kind: 'value', at: syntax.at, node: this.#readAs(syntax, type, what, timeline), type }
  }

  #readTimeframe(
    { of, timeframe, timeframeAt }: Extract<Syntax, { readonly kind: 'timeframe' }>,
    timeline: number,
  ): Value {
    if (!isTimeframe(timeframe)) {
      const known = Object.keys(timeframes)
      const near = nearTimeframe(timeframe, known)
      throw new Fault(unknownExpressionTimeframe(timeframeAt, timeframe, near, known))
    }
    if (timeline !== 0) throw new Fault(nestedTimeframe(timeframeAt))
    if (of.kind === 'market') return this.#readMarket(of, timeline, { timeframe, timeframeAt })
    const inner = this.#madeTimeline(timeframe, timeframeAt)
    const { node, type } = this.read(of, inner)
    return { node: this.builder.closed(node, timeframeAt), type }
  }

  /** Adds the timeline of a longer timeframe, of the expression's own market or of another one. */
  #madeTimeline(timeframe: Timeframe, timeframeAt: number, market?: number): number {
    const own = this.timeframe
    if (own === undefined) throw new Fault(timeframeUnknown(timeframeAt))
    if (timeframes[timeframe] < timeframes[own])
      throw new Fault(shorterTimeframe(timeframeAt, timeframe, own))
    if (!divides(own, timeframe)) throw new Fault(dividedTimeframe(timeframeAt, timeframe, own))
    return this.builder.timeline(timeframe, market)
  }

  /**
   * Adds a value over the candles of another market, or over longer candles built from them. `x{BTCUSDT}@4h` and
   * `x@4h{BTCUSDT}` are equal.
   */
  #readMarket(
    { of, market: text, marketAt }: Extract<Syntax, { readonly kind: 'market' }>,
    timeline: number,
    chosen?: { readonly timeframe: Timeframe; readonly timeframeAt: number },
  ): Value {
    if (timeline !== 0) throw new Fault(nestedMarket(marketAt))
    const named = readOther(text)
    if (!named) throw new Fault(badMarket(marketAt))
    const { isStrict } = named
    if (this.timeframe === undefined) throw new Fault(timeframeUnknown(marketAt))
    const name = of.kind === 'name' ? of.name.toLowerCase() : ''
    if (isDerivativeName(name) && !chosen)
      return this.#readDerivative(name, marketAt, timeline, named, isStrict)
    const market = this.builder.market(named, marketAt)
    if (of.kind === 'timeframe' && chosen === undefined && isTimeframe(of.timeframe))
      return this.#readOther(
        of.of,
        this.#madeTimeline(of.timeframe, of.timeframeAt, market),
        marketAt,
        isStrict,
      )
    const inner = chosen
      ? this.#madeTimeline(chosen.timeframe, chosen.timeframeAt, market)
      : this.builder.timeline(this.timeframe, market)
    return this.#readOther(of, inner, marketAt, isStrict)
  }

  #readOther(of: Syntax, timeline: number, at: number, isStrict: boolean): Value {
    const { node, type } = this.read(of, timeline)
    return { node: this.builder.closed(node, at, isStrict), type }
  }
}

/** The name here of a name that may be of another language. Throws a `Fault` for a function that is written otherwise. */
function ownNameAt(name: string, at: number): string {
  const own = ownName(name)
  if (own !== undefined) return own
  const call = pineCallFor(name)
  if (call !== undefined) throw new Fault(writtenOtherwise(at, name, call))
  throw new Fault(unknownExpressionName(at, name, hintFor(name, catalogue.keys())))
}

const hintForText = (text: string): string =>
  isNameInQuotes(text, sources) ? `. Write ${text.toLowerCase()} without quotation marks` : ''

/** Whether the texts of an output are two directions. The kernel writes 1 and −1 for them, and 0 if there is none. */
const isDirection = ({ labels }: LabelOutput): boolean => '-1' in labels

/** A whole number among the arguments of a defined function. */
function wholeNumber(
  syntax: Syntax | undefined,
  { least, most, otherwise }: WholeNumber,
  { at, name }: CallSyntax,
  usage: string,
): number {
  if (!syntax && otherwise === undefined) throw new Fault(wrongArguments(at, name.toLowerCase(), usage))
  if (!syntax) return otherwise as number
  const value = syntax.kind === 'number' ? syntax.value : Number.NaN
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw new Fault(badCandleCount(syntax.at, name.toLowerCase(), least, most))
}

/** An indicator with its parameters, and the expressions given as its first inputs. */
export interface IndicatorCall {
  readonly indicator: Entry
  readonly params: Values
  /** Expression per input; undefined if the indicator reads a column of the candles. */
  readonly inputs: readonly (Syntax | undefined)[]
}

const sourceNames = ['source', 'source2'] as const

/** Value of a constant argument; undefined for a calculation. */
function constantOf(syntax: Syntax): number | boolean | string | undefined {
  switch (syntax.kind) {
    case 'number':
    case 'boolean':
    case 'text':
      return syntax.value
    case 'name':
      return syntax.name
    default:
      return undefined
  }
}

/** Whether an unnamed argument before the parameters is an input of the indicator. */
function isInput({ value }: ArgumentSyntax, { params }: Entry): boolean {
  if (value.kind !== 'name') return constantOf(value) === undefined
  const [first] = Object.values(params)
  return !(first?.kind === 'choice' && first.of.includes(value.name))
}

/** Number of unnamed arguments that are inputs. They come before the parameters. */
function countInputs(args: readonly ArgumentSyntax[], entry: Entry): number {
  const unnamed = args.filter(({ name }) => name === undefined)
  // Without parameters even a number can only be an input.
  if (Object.keys(entry.params).length === 0) return Math.min(unnamed.length, entry.sources)
  let count = 0
  while (count < entry.sources && count < unnamed.length && isInput(unnamed[count] as ArgumentSyntax, entry))
    count++
  return count
}

/**
 * Reads an indicator with its arguments: first the expressions it is applied to, if any, then parameters in the order
 * of the catalogue, then parameters by name. Throws a `Fault`.
 */
export function readCall(entry: Entry, { at, args }: CallSyntax): IndicatorCall {
  const names = Object.keys(entry.params)
  const inputs: (Syntax | undefined)[] = entry.inputs.map(() => undefined)
  const given = new Map<string, { readonly value: unknown; readonly at: number }>()
  const inputCount = countInputs(args, entry)
  for (const [k, arg] of args.entries()) {
    const source = sourceNames.indexOf(arg.name as 'source')
    if (k < inputCount) inputs[k] = arg.value
    else if (source >= 0 && source < entry.sources && !names.includes(arg.name as string)) {
      if (inputs[source]) throw new Fault(inputNotAccepted(arg.at, entry.name, entry.sources))
      inputs[source] = arg.value
    } else addParameter(entry, given, arg, names[k - inputCount])
  }
  if (entry.sources === 2 && (inputs[0] === undefined) !== (inputs[1] === undefined))
    throw new Fault(inputNotAccepted(at, entry.name, 2))
  const spec = readIndicatorSpec(entry, new Map([...given].map(([key, { value }]) => [key, value])), 'json')
  if (isRefusal(spec)) throw new Fault(badIndicatorParameter(faultAt(spec, given, at), entry.name, spec))
  return { indicator: entry, params: spec.params, inputs }
}

function addParameter(
  entry: Entry,
  given: Map<string, { readonly value: unknown; readonly at: number }>,
  { at, name, value }: ArgumentSyntax,
  positional: string | undefined,
): void {
  const parameter = positional === undefined ? undefined : entry.params[positional]
  const isCalculation =
    constantOf(value) === undefined || (value.kind === 'name' && parameter?.kind !== 'choice')
  // An argument that cannot be a parameter was meant as an input.
  if (name === undefined && isCalculation && (entry.sources === 0 || positional === undefined))
    throw new Fault(inputNotAccepted(at, entry.name, entry.sources))
  const key = name ?? positional
  if (key === undefined) throw new Fault(tooManyPositional(at, entry.name, Object.keys(entry.params)))
  const constant = constantOf(value)
  if (constant === undefined) throw new Fault(parameterNotConstant(at, key))
  if (given.has(key)) throw new Fault(badIndicatorParameter(at, entry.name, repeatedParameter(key)))
  given.set(key, { value: constant, at })
}

/** Position of the argument that a refusal names, or of the indicator. */
function faultAt(
  { error }: Refusal,
  given: ReadonlyMap<string, { readonly at: number }>,
  indicatorAt: number,
): number {
  for (const [name, { at }] of given)
    if (error.startsWith(`Invalid ${name}:`) || error.startsWith(`Unknown parameter: ${name}.`)) return at
  return indicatorAt
}
