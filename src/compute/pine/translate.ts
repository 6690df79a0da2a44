import type { Timeframe } from '../../candles/timeframe.js'
import { isRefusal } from '../../contract/refusals.js'
import type { Resumable } from '../../runtime/scheduler.js'
import { compileExpression } from '../expressions/compile.js'
import type { Syntax } from '../expressions/parser.js'
import type { ValueType } from '../expressions/plan.js'
import { argumentOf, type FunctionCall, type ScriptInput } from './calls.js'
import { Evaluator, type Reading, type Variable } from './evaluator.js'
import { reasonFor } from './functions.js'
import { type Block, readScript } from './grammar.js'
import { solve } from './state.js'
import { ScriptFault } from './tokens.js'
import {
  allParts,
  binary,
  boolean,
  bounded,
  call,
  history,
  isNa,
  keptName,
  look,
  number,
  type PineValue,
  pastName,
  type Refused,
  refuse,
  replaceIn,
  type Series,
  variableOf,
  write,
} from './values.js'
import { Warmups } from './warmups.js'

/** An expression for one value or condition of a script. */
export interface Translated {
  readonly line: number
  /** The function of Pine that shows or uses it, such as `plot` or `alertcondition`. */
  readonly from: string
  readonly title: string
  readonly expression: string
  readonly type: ValueType
}

/** A line of a script with a remark. */
export interface LineNote {
  readonly line: number
  readonly text: string
}

/** Everything that a script has in the words of expressions. */
export interface PineTranslation {
  readonly title: string
  readonly inputs: readonly ScriptInput[]
  readonly expressions: readonly Translated[]
  /** Differences from Pine. */
  readonly differences: readonly LineNote[]
  /** Lines without an expression, with the reason. */
  readonly refused: readonly LineNote[]
}

/** Limits of one translation. */
interface Limits {
  /** Length of a script, in characters. */
  readonly characters: number
  /** Parts that are read, those of called functions and of repeated readings included. */
  readonly parts: number
  readonly expressions: number
  /** Expressions that are compiled for their warm-ups. */
  readonly warmups: number
}
/** Limits of the command line. A script of Pine may have 64 plots. */
const ofCommand: Limits = { characters: 100_000, parts: 100_000, expressions: 100, warmups: 1_000 }
/** Limits of a request, so that the event loop is free again after milliseconds. */
export const ofRequest: Limits = { characters: 20_000, parts: 5_000, expressions: 20, warmups: 30 }

/**
 * Translates a script of Pine version 5 or 6 into expressions for candles of a timeframe. Each value that it plots, and each
 * condition of an alert or an order, becomes an expression with the same values, or is refused with the line that is the reason.
 */
export function* translatePine(
  script: string,
  timeframe: Timeframe = '1m',
  limits = ofCommand,
): Resumable<PineTranslation> {
  const version = /^\/\/ ?@version ?= ?(\d+)/m.exec(script)?.[1] ?? ''
  try {
    if (script.length > limits.characters)
      throw new ScriptFault(1, `a script may have at most ${limits.characters} characters here`)
    if (version !== '5' && version !== '6')
      throw new ScriptFault(
        1,
        'only versions 5 and 6 of Pine are translated, and a line such as //@version=6 says which',
      )
    const block = readScript(script)
    // Whether a variable may be undefined is known when its last value is.
    let sparse: ReadonlySet<number> = new Set()
    const reading = { isV5: version === '5', partsLeft: limits.parts }
    for (;;) {
      const translator = new Translator(timeframe, limits)
      const found = yield* translator.read(block, reading, sparse)
      if (found.every(variable => sparse.has(variable))) return yield* translator.translation()
      sparse = new Set([...sparse, ...found])
    }
  } catch (error) {
    if (!(error instanceof ScriptFault)) throw error
    const refused = [{ line: error.line, text: error.reason }]
    return { title: '', inputs: [], expressions: [], differences: [], refused }
  }
}

/** Places of the arguments of functions that show a value or use a condition. */
const outputs: Readonly<Record<string, 'value' | 'condition' | 'order' | 'path'>> = {
  plot: 'value',
  plotshape: 'value',
  plotchar: 'value',
  plotarrow: 'value',
  alertcondition: 'condition',
  alert: 'path',
  'strategy.entry': 'order',
  'strategy.order': 'order',
  'strategy.close': 'order',
  'strategy.close_all': 'path',
}

/** Calls that say something about the script alone. */
const declarations = /^(?:indicator|strategy|library|max_bars_back|log\.\w+|runtime\.error)$/

/** A value that becomes an expression when the whole script is read. */
interface Pending extends Omit<Translated, 'expression' | 'type'> {
  readonly value: Series
}

class Translator {
  readonly #timeframe: Timeframe
  readonly #maxExpressions: number
  readonly #warmups: Warmups
  readonly #pending: Pending[] = []
  readonly #differences: LineNote[] = []
  readonly #refused: LineNote[] = []
  /** Expressions of the variables that change, by number. */
  readonly #settled = new Map<number, PineValue | 'open'>()
  #evaluator: Evaluator | undefined
  #title = ''

  constructor(timeframe: Timeframe, { expressions, warmups }: Limits) {
    this.#timeframe = timeframe
    this.#maxExpressions = expressions
    this.#warmups = new Warmups(warmups)
  }

  /** Reads a script. Returns the numbers of the variables whose last values may be undefined. */
  *read(block: Block, reading: Reading, sparse: ReadonlySet<number>): Resumable<readonly number[]> {
    const evaluator = new Evaluator(block, reading, sparse, {
      warmups: this.#warmups,
      differs: (line, text) => add(this.#differences, line, text),
      refused: ({ line, reason }) => add(this.#refused, line, reason),
      output: (given, path) => this.#output(given, path),
    })
    this.#evaluator = evaluator
    yield* evaluator.steps(block)
    const found: number[] = []
    for (const [variable, { final, first }] of evaluator.variables.entries()) {
      if (final.kind === 'series' && (final.mayBeNa || isKeptFrom(final.syntax, variable, isNa(first))))
        found.push(variable)
      yield
    }
    return found
  }

  *translation(): Resumable<PineTranslation> {
    const evaluator = this.#evaluator as Evaluator
    const expressions: Translated[] = []
    for (const each of this.#pending) {
      const found = this.#translated(each)
      if (found) expressions.push(found)
      yield
    }
    const byLine = (notes: readonly LineNote[]) => notes.toSorted((a, b) => a.line - b.line)
    return {
      title: this.#title,
      inputs: evaluator.inputs,
      expressions,
      differences: byLine(this.#differences),
      refused: byLine(this.#refused),
    }
  }

  /** Keeps a value that is shown, or a condition that is used. */
  #output(call: FunctionCall, path: readonly Series[]): PineValue | undefined {
    const { name, line } = call
    const evaluator = this.#evaluator as Evaluator
    if (declarations.test(name)) {
      if (name === 'indicator' || name === 'strategy') this.#declared(call)
      return look
    }
    const kind = Object.hasOwn(outputs, name) ? outputs[name] : undefined
    if (!kind) {
      if (reasonFor(name) !== 'a drawing') return undefined
      add(this.#refused, line, `${name}: a drawing`)
      // A plot may stand among the arguments.
      for (const { value } of call.args)
        if (value.kind === 'call' && Object.hasOwn(outputs, value.name)) evaluator.value(value)
      return look
    }
    const of = argumentOf(call, name === 'alertcondition' ? 'condition' : 'series', 0)
    const value = kind === 'value' ? of && evaluator.value(of) : this.#condition(call, kind, path)
    const title = this.#titleIn(argumentOf(call, kind === 'order' ? 'id' : 'title', kind === 'order' ? 0 : 1))
    if (argumentOf(call, 'offset', Number.POSITIVE_INFINITY))
      add(
        this.#differences,
        line,
        `${name}: its offset moves the drawing; the value belongs to its candle here`,
      )
    if (value?.kind === 'refused') this.#refuse(line, name, value)
    else if (value?.kind !== 'series') add(this.#refused, line, `${name}: no value`)
    else if (this.#pending.length >= this.#maxExpressions)
      add(this.#refused, line, `${name}: more than ${this.#maxExpressions} values`)
    else this.#pending.push({ line, from: name, title: title ?? '', value })
    return look
  }

  /** Title of the script, and what its declaration changes. */
  #declared(call: FunctionCall): void {
    this.#title = this.#titleIn(argumentOf(call, 'title', 0)) ?? ''
    if (argumentOf(call, 'timeframe', Number.POSITIVE_INFINITY))
      add(this.#differences, call.line, 'indicator: its timeframe is that of the request here')
  }

  #titleIn(pine: Parameters<Evaluator['value']>[0] | undefined): string | undefined {
    const value = pine && (this.#evaluator as Evaluator).value(pine)
    return value?.kind === 'text' ? value.text : undefined
  }

  /** The condition of an alert or an order: its own one, and those of the branches around it. */
  #condition(call: FunctionCall, kind: 'condition' | 'order' | 'path', path: readonly Series[]): PineValue {
    const { name, line } = call
    const evaluator = this.#evaluator as Evaluator
    const own =
      kind === 'path'
        ? undefined
        : argumentOf(
            call,
            kind === 'condition' ? 'condition' : 'when',
            kind === 'condition' ? 0 : Number.POSITIVE_INFINITY,
          )
    const given = own ? evaluator.condition(own) : boolean(true)
    if (given.kind === 'refused') return given
    if (kind === 'order' && ['limit', 'stop'].some(each => argumentOf(call, each, Number.POSITIVE_INFINITY)))
      add(this.#differences, line, `${name}: its limit and stop are not part of the condition`)
    const whole = [...path, given].reduce((all, each) => binary('and', all, each), boolean(true))
    return whole.syntax.kind === 'boolean' ? refuse(line, 'it has no condition') : whole
  }

  #refuse(line: number, name: string, { line: origin, reason }: Refused): void {
    add(this.#refused, line, `${name}: ${origin === line ? '' : `it uses line ${origin}: `}${reason}`)
  }

  #translated({ value, ...rest }: Pending): Translated | undefined {
    const { line, from } = rest
    const whole = this.#withVariables(value)
    if (whole.kind === 'refused') {
      this.#refuse(line, from, whole)
      return undefined
    }
    const expression = write(whole.syntax)
    const compiled = compileExpression(expression, { timeframe: this.#timeframe, isRepaired: false })
    if (!isRefusal(compiled)) return { ...rest, expression, type: compiled.type }
    add(this.#refused, line, `${from}: ${compiled.error} in ${expression.slice(0, 100)}`)
    return undefined
  }

  /** A value with the expressions of its variables instead of their numbers. */
  #withVariables(value: Series, own?: number): Series | Refused {
    const { variables } = this.#evaluator as Evaluator
    let refused: Refused | undefined
    const expressionOf = (variable: number, part: Syntax): Syntax => {
      const whole = this.#expressionOf(variable)
      const isKept = part.kind === 'name' && part.name === keptName(variable)
      const found = isKept ? keptFrom(whole, variables[variable] as Variable) : whole
      if (found.kind === 'series') return found.syntax
      refused ??= found.kind === 'refused' ? found : refuse(variables[variable]?.line ?? 1, 'it is no number')
      return part
    }
    const syntax = replaceIn(value.syntax, part => {
      const variable = variableOf(part)
      if (variable !== undefined) return variable === own ? part : expressionOf(variable, part)
      // A value that is read at the end of the candle.
      const whole = variables.findIndex(({ final }) => final.kind === 'series' && final.syntax === part)
      const isRecursive =
        whole >= 0 && whole !== own && allParts(part).some(each => variableOf(each) !== undefined)
      return isRecursive ? expressionOf(whole, part) : undefined
    })
    if (refused) return refused
    return bounded({ ...value, syntax }, variables[own ?? -1]?.line ?? 1) as Series | Refused
  }

  /** The expression of a variable at the end of a candle. */
  #expressionOf(variable: number): PineValue {
    const known = this.#settled.get(variable)
    const { final, first, line } = (this.#evaluator as Evaluator).variables[variable] as Variable
    if (known === 'open') return refuse(line, 'two variables depend on the last values of each other')
    if (known) return known
    this.#settled.set(variable, 'open')
    const next = final.kind === 'series' ? this.#withVariables(final, variable) : final
    const found =
      next.kind === 'series'
        ? solve({
            variable,
            next,
            first,
            warmups: this.#warmups,
            differs: text => add(this.#differences, line, text),
          })
        : next
    const settled = typeof found === 'string' ? refuse(line, found) : found
    this.#settled.set(variable, settled)
    return settled
  }
}

/** Value that a variable has kept from the candle before, and its first one before that. */
function keptFrom(whole: PineValue, { first, line }: Variable): PineValue {
  if (whole.kind !== 'series') return whole
  const before = history(whole, 1)
  if (isNa(first)) return before
  if (whole.mayBeNa)
    return refuse(line, 'the value that is kept may be na, which is not the value before the first one')
  return call('nz', whole.type, [before, first], false)
}

/** Whether a variable may have a missing value of the candle before: one that no `nz` replaces. */
function isKeptFrom(syntax: Syntax, variable: number, isFirstMissing: boolean): boolean {
  const isReplaced = (part: Syntax) =>
    part.kind === 'call' && part.name === 'nz' && /^(?:name|history)$/.test(part.args[0]?.value.kind ?? '')
  const bare = replaceIn(syntax, part => (isReplaced(part) ? number(0).syntax : undefined))
  return allParts(bare).some(
    part =>
      part.kind === 'name' &&
      (part.name === pastName(variable) || (isFirstMissing && part.name === keptName(variable))),
  )
}

/** Adds a remark once. */
function add(notes: LineNote[], line: number, text: string): void {
  if (!notes.some(each => each.line === line && each.text === text)) notes.push({ line, text })
}
