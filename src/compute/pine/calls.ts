import { timeframes } from '../../candles/timeframe.js'
import { nearTimeframe } from '../expressions/foreign.js'
import type { Syntax } from '../expressions/parser.js'
import { constantFunctions, type Parameter, reasonFor, type Template, templates } from './functions.js'
import type { Pine } from './grammar.js'
import {
  binary,
  boolean,
  call as callOf,
  constantOf,
  isNa,
  look,
  number,
  type PineValue,
  type Refused,
  refuse,
  replaceIn,
  type Series,
  series,
  write,
} from './values.js'
import type { Warmups } from './warmups.js'

/** A call of a script. `declared` is the variable that its value is given to. */
export type FunctionCall = Extract<Pine, { readonly kind: 'call' }> & { readonly declared?: string }

/** An input of a script, which has its default in the expressions. */
export interface ScriptInput {
  readonly line: number
  readonly name: string
  readonly title: string
  readonly value: string
}

/** Receiver of everything that a script has next to its values. */
export interface Remarks {
  readonly warmups: Warmups
  /** Adds a difference from Pine. */
  differs(line: number, text: string): void
  /** Adds a line that has no expression. */
  refused(value: Refused): void
  /** Handles a call that shows a value or uses a condition; undefined for another call. */
  output(call: FunctionCall, path: readonly Series[]): PineValue | undefined
}

/** Reads arguments: see `Evaluator`. */
interface Arguments {
  readonly isConditional: boolean
  value(pine: Pine): PineValue
  condition(pine: Pine): Series | Refused
  numeric(pine: Pine): Series | Refused
}

/** An argument by its name, or by its place among the given ones without a name. */
export function argumentOf({ args }: FunctionCall, name: string, place: number): Pine | undefined {
  const found = args.find(each => each.name === name)
  if (found) return found.value
  const [unnamed] = [args[place]]
  return unnamed && unnamed.name === undefined ? unnamed.value : undefined
}

/** The functions of Pine that have a value. */
export class Functions {
  readonly inputs: ScriptInput[] = []
  readonly #args: Arguments
  readonly #isV5: boolean
  readonly #remarks: Remarks

  constructor(args: Arguments, isV5: boolean, remarks: Remarks) {
    this.#args = args
    this.#isV5 = isV5
    this.#remarks = remarks
  }

  /** A variable of Pine that is computed, such as `ta.tr`; undefined if there is none. */
  variable(name: string, line: number): PineValue | undefined {
    const template = templates.get(name)?.find(({ parameters }) => parameters.length === 0)
    return template && this.#apply(template, { kind: 'call', line, name, args: [] }, [])
  }

  call(call: FunctionCall): PineValue {
    const { name, line, args } = call
    if (/^input\b/.test(name)) return this.#input(call)
    if (/^(?:color\.|str\.(?:tostring|format))/.test(name)) return look
    switch (name) {
      case 'nz':
        return this.#nz(call)
      case 'na':
        return this.#na(call)
      case 'math.max':
      case 'math.min':
      case 'math.avg':
        return this.#ofSeveral(call)
      case 'request.security':
        return this.#security(call)
    }
    const known = templates.get(name)
    if (!known) return refuse(line, `${name}: ${reasonFor(name) ?? 'an unknown function'}`)
    if (name === 'ta.bbw' && this.#isV5)
      return refuse(
        line,
        'ta.bbw: its unit is another one in version 5. Write (upper - lower) / middle with ta.bb',
      )
    const values = args.map(each => this.#args.value(each.value))
    const refused = values.find(value => value.kind === 'refused')
    if (refused) return refused
    const constant = this.#constant(name, values)
    if (constant) return constant
    for (const template of known) {
      const given = assigned(template, call, values)
      if (given) return this.#apply(template, call, given)
    }
    const usage = known.map(({ parameters }) => parameters.map(each => each.name).join(', '))
    return refuse(line, `${name}: only ${name}(${usage.at(-1)}) is translated`)
  }

  /** The value of a function of constants. */
  #constant(name: string, values: readonly PineValue[]): Series | undefined {
    const compute = Object.hasOwn(constantFunctions, name) ? constantFunctions[name] : undefined
    const constants = values.map(value => (value.kind === 'series' ? constantOf(value) : undefined))
    if (!compute || !constants.every(each => typeof each === 'number')) return undefined
    const value = compute(...constants)
    return Number.isFinite(value) ? number(value) : undefined
  }

  /** A template with its arguments instead of its parameters. */
  #apply(template: Template, { name, line, args }: FunctionCall, given: readonly PineValue[]): PineValue {
    const { parameters, results, note } = template
    const byName = new Map<string, Series>()
    for (const [k, parameter] of parameters.entries()) {
      const value = this.#argument(
        parameter,
        given[k] as PineValue,
        args[k]?.value,
        `${name} at line ${line}`,
      )
      if (value.kind === 'refused') return { ...value, line }
      byName.set(parameter.name, value)
    }
    const all = [...byName.values()]
    if (note !== undefined) this.#remarks.differs(line, `${name}: ${note}`)
    this.#note(name, line, parameters, byName)
    const type = template.type === 'same' ? (byName.get('source')?.type ?? 'number') : template.type
    const mayBeNa = template.mayBeNa || all.some(each => each.mayBeNa)
    const items = results.map(result =>
      series(
        replaceIn(result, part => (part.kind === 'name' ? byName.get(part.name)?.syntax : undefined)),
        type,
        all,
        mayBeNa,
      ),
    )
    return items.length === 1 ? (items[0] as Series) : { kind: 'tuple', items }
  }

  #argument(
    { name, isConstant }: Parameter,
    value: PineValue,
    pine: Pine | undefined,
    where: string,
  ): Series | Refused {
    if ((name === 'condition' || name === 'anchor') && pine) return this.#args.condition(pine)
    if (value.kind !== 'series') return refuse(0, `${where}: ${name} is a text or a colour`)
    if (isConstant && constantOf(value) === undefined)
      return refuse(0, `${where}: ${name} changes from candle to candle, and an expression needs a number`)
    return value
  }

  /** Notes where a function has another history than in Pine. */
  #note(
    name: string,
    line: number,
    parameters: readonly Parameter[],
    given: ReadonlyMap<string, Series>,
  ): void {
    const isOfTa = name.startsWith('ta.') || name === 'math.sum' || name === 'fixnan'
    if (isOfTa && this.#args.isConditional)
      this.#remarks.differs(
        line,
        `${name} is computed at each candle here, and in Pine only where the conditions before it hold. Write it on a line of its own`,
      )
    const source = given.get('source') ?? given.get('series')
    if (source?.mayBeNa && parameters.some(each => each.isConstant) && !/pivot|valuewhen|change/.test(name))
      this.#remarks.differs(
        line,
        `${name} restarts after a candle without a value here, and Pine has rules of its own for na`,
      )
    if (name === 'ta.cum' && source && !this.#remarks.warmups.isQuiet(source.syntax))
      this.#remarks.differs(
        line,
        'ta.cum: Pine also counts the candles at which a part of the condition has no value yet',
      )
  }

  #nz(call: FunctionCall): PineValue {
    const [of, instead] = [argumentOf(call, 'source', 0), argumentOf(call, 'replacement', 1)]
    if (!of) return refuse(call.line, 'nz: a value is missing')
    const value = this.#args.value(of)
    const other = instead && this.#args.value(instead)
    if (value.kind !== 'series') return value
    if (other && other.kind !== 'series') return other
    if (isNa(value)) return other ?? number(0)
    if (constantOf(value) !== undefined) return value
    if (other && other.type !== value.type)
      return refuse(call.line, 'nz: two values of one type are expected')
    return callOf('nz', value.type, other ? [value, other] : [value], other?.mayBeNa ?? false)
  }

  #na(call: FunctionCall): PineValue {
    const of = argumentOf(call, 'x', 0)
    const value = of && this.#args.value(of)
    if (!value) return refuse(call.line, 'na: a value is missing')
    if (value.kind !== 'series')
      return value.kind === 'refused' ? value : refuse(call.line, 'na of a text or a colour')
    if (isNa(value)) return boolean(true)
    return constantOf(value) === undefined ? callOf('na', 'boolean', [value], false) : boolean(false)
  }

  #ofSeveral({ name, args, line }: FunctionCall): PineValue {
    const values: Series[] = []
    for (const { value } of args) {
      const read = this.#args.numeric(value)
      if (read.kind === 'refused') return read
      values.push(read)
    }
    const [first, ...others] = values
    if (!first || others.length === 0) return refuse(line, `${name}: two values are expected`)
    const constant = this.#constant(name, values)
    if (constant) return constant
    if (name !== 'math.avg') return callOf(name.slice(5), 'number', values)
    return binary(
      '/',
      others.reduce((sum, each) => binary('+', sum, each), first),
      number(values.length),
    )
  }

  /** The default of an input. */
  #input(call: FunctionCall): PineValue {
    const { name, line, declared } = call
    if (name === 'input.time') return refuse(line, 'input.time: an expression has no clock')
    const given = argumentOf(call, 'defval', 0)
    const titled = argumentOf(call, 'title', 1)
    if (!given || name === 'input.color')
      return name === 'input.color' ? look : refuse(line, `${name}: its default is missing`)
    const read = this.#args.value(given)
    const { isLiteral: _, ...value } = read.kind === 'series' ? read : { ...read, isLiteral: undefined }
    const text = value.kind === 'series' ? write(value.syntax) : value.kind === 'text' ? value.text : ''
    const title = titled?.kind === 'text' ? titled.text : ''
    this.inputs.push({ line, name: declared ?? (title || name), title, value: text })
    return value as PineValue
  }

  /** A value over a longer timeframe or over another market. */
  #security(call: FunctionCall): PineValue {
    const { line } = call
    const [symbol, timeframe, expression] = ['symbol', 'timeframe', 'expression'].map((name, k) =>
      argumentOf(call, name, k),
    )
    const [gaps, lookahead] = ['gaps', 'lookahead'].map((name, k) => argumentOf(call, name, 3 + k))
    if (!symbol || !timeframe || !expression)
      return refuse(line, 'request.security: three arguments are expected')
    const textIn = (pine: Pine | undefined): string | undefined => {
      const value = pine && this.#args.value(pine)
      return value?.kind === 'text' ? value.text : value && ''
    }
    if ((textIn(lookahead) ?? 'barmerge.lookahead_off') !== 'barmerge.lookahead_off')
      return refuse(line, 'request.security: lookahead_on reads candles that have not closed')
    if ((textIn(gaps) ?? 'barmerge.gaps_off') !== 'barmerge.gaps_off')
      return refuse(line, 'request.security: an expression has no gaps between longer candles')
    if (call.args.length > 5) return refuse(line, 'request.security: only five arguments are translated')
    const market = marketOf(textIn(symbol))
    const longer = longerOf(textIn(timeframe))
    if (market === undefined) return refuse(line, 'request.security: its symbol is no plain name of a market')
    if (longer === undefined)
      return refuse(line, `request.security: its timeframe is none of ${Object.keys(timeframes).join(', ')}`)
    if (market.includes(':'))
      this.#remarks.differs(
        line,
        `${market} has the name of the exchange as in Pine: look whether the service has it under this name`,
      )
    return elsewhere(this.#args.value(expression), market, longer)
  }
}

/** The arguments in the order of the parameters; undefined if the template is for others. */
function assigned(
  { parameters }: Template,
  { args }: FunctionCall,
  values: readonly PineValue[],
): readonly PineValue[] | undefined {
  if (args.length !== parameters.length) return undefined
  const byName = new Map<string, string>()
  const found: PineValue[] = []
  for (const [k, { name, only }] of parameters.entries()) {
    const named = args.findIndex(each => each.name === name)
    const value = named >= 0 ? values[named] : args[k]?.name === undefined ? values[k] : undefined
    if (!value) return undefined
    const text = value.kind === 'series' ? write(value.syntax) : undefined
    // One name for two parameters asks for the same argument twice.
    if ((only ?? byName.get(name) ?? text) !== text) return undefined
    if (text !== undefined) byName.set(name, text)
    found.push(value)
  }
  return found
}

/** The text between braces for a symbol of Pine: empty for the own market, undefined if it is none. */
function marketOf(symbol: string | undefined): string | undefined {
  if (symbol === undefined || symbol === '' || /^syminfo\.ticker/.test(symbol)) return ''
  const [, exchange, name] = /^(?:([A-Z0-9_]+):)?([A-Z0-9_]+)$/i.exec(symbol) ?? []
  if (name === undefined) return undefined
  return exchange === undefined ? name : `${exchange.toLowerCase()}:${name}`
}

/** The timeframe of a text of Pine: empty for the own one, undefined if there is none. */
function longerOf(text: string | undefined): string | undefined {
  if (text === '' || text === 'timeframe.period') return ''
  const known = Object.keys(timeframes)
  return text === undefined ? undefined : nearTimeframe(text, known)
}

function elsewhere(value: PineValue, market: string, timeframe: string): PineValue {
  if (value.kind === 'tuple')
    return { kind: 'tuple', items: value.items.map(item => elsewhere(item, market, timeframe)) }
  if (value.kind !== 'series' || constantOf(value) !== undefined) return value
  const place = { at: 1, marketAt: 1, timeframeAt: 1 }
  const there: Syntax = market === '' ? value.syntax : { ...place, kind: 'market', of: value.syntax, market }
  const longer: Syntax = timeframe === '' ? there : { ...place, kind: 'timeframe', of: there, timeframe }
  return { ...value, syntax: longer, mayBeNa: true }
}
