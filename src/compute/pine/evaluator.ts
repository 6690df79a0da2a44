import { sources } from '../../catalogue/index.js'
import { finish, type Resumable } from '../../runtime/scheduler.js'
import type { BinaryOperator } from '../expressions/parser.js'
import { maxHistory } from '../expressions/parser.js'
import { type FunctionCall, Functions, type Remarks } from './calls.js'
import { reasonFor } from './functions.js'
import type { Block, Branch, Pine, Statement } from './grammar.js'
import { ScriptFault } from './tokens.js'
import {
  binary,
  boolean,
  bounded,
  certain,
  choice,
  constantOf,
  history,
  isNa,
  keptName,
  look,
  na,
  name,
  negative,
  not,
  number,
  type PineValue,
  pastName,
  type Refused,
  refuse,
  type Series,
  series,
} from './values.js'

/** A value under a name. A variable that changes has a number. */
interface Binding {
  readonly value: PineValue
  readonly variable?: number
  /** Whether the name belongs to a branch, which Pine does not compute at all candles. */
  readonly isInBranch: boolean
}

/** A variable that `:=` changes. */
export interface Variable {
  /** Its value before the first candle. */
  readonly first: Series
  readonly line: number
  /** Its value at the end of a candle. */
  final: PineValue
}

type Scopes = readonly Map<string, Binding>[]
type FunctionStatement = Extract<Statement, { readonly kind: 'function' }>

/** Maximum number of nested parts, and of nested calls. */
const [maxDepth, maxCalls] = [500, 20]

/** Names of colours, styles and other values that change a drawing alone. */
const looks =
  /^(?:color|plot|shape|location|size|display|format|text|font|xloc|yloc|extend|position|scale|hline|line|label|order|currency|alert|adjustment)\./

/** Version of a script, and how many parts may still be read, those of called functions included. */
export interface Reading {
  readonly isV5: boolean
  partsLeft: number
}

/** Computes the values of a script, each as an expression. */
export class Evaluator {
  readonly variables: Variable[] = []
  readonly #remarks: Remarks
  /** Numbers of the variables whose last values may be undefined. */
  readonly #sparse: ReadonlySet<number>
  readonly #functions: Functions
  readonly #own = new Map<string, FunctionStatement>()
  /** Names that `:=` changes anywhere. */
  readonly #assigned: ReadonlySet<string>
  #scopes: Scopes = []
  /** Conditions of the branches around a statement. */
  #path: Series[] = []
  /** Depth of operands that Pine may not compute at a candle. */
  #lazy = 0
  readonly #reading: Reading
  #depth = 0
  #calls = 0

  constructor(script: Block, reading: Reading, sparse: ReadonlySet<number>, remarks: Remarks) {
    this.#reading = reading
    this.#remarks = remarks
    this.#sparse = sparse
    this.#assigned = new Set(assignedIn(script))
    this.#functions = new Functions(this, reading.isV5, remarks)
  }

  get inputs() {
    return this.#functions.inputs
  }

  /** Whether Pine computes what is read now at some candles only. */
  get isConditional(): boolean {
    return this.#lazy > 0 || this.#path.length > 0
  }

  /** Runs statements in a scope of their own and returns the value of the last one. */
  run(block: Block): PineValue {
    return finish(this.steps(block))
  }

  /** Runs statements as `run` does, one in each step. */
  *steps(block: Block): Resumable<PineValue> {
    const outer = this.#scopes
    this.#scopes = [...outer, new Map()]
    let value: PineValue = na
    for (const statement of block) {
      value = this.#statement(statement)
      yield
    }
    this.#finish(this.#scopes.at(-1) as Map<string, Binding>)
    this.#scopes = this.#scopes.slice(0, -1)
    return value
  }

  /** Keeps the values that the variables of a scope have at the end of a candle. */
  #finish(scope: ReadonlyMap<string, Binding>): void {
    for (const { value, variable } of scope.values())
      if (variable !== undefined) (this.variables[variable] as Variable).final = value
  }

  #statement(statement: Statement): PineValue {
    const { line } = statement
    const value = this.#effect(statement)
    if (value.kind === 'refused') this.#remarks.refused(value)
    return value.kind === 'refused' && value.line !== line ? refuse(value.line, value.reason) : value
  }

  #effect(statement: Statement): PineValue {
    const { line } = statement
    switch (statement.kind) {
      case 'unsupported':
        return refuse(line, `${statement.what} has no expression`)
      case 'function':
        this.#own.set(statement.name, statement)
        return look
      case 'expression':
        return this.value(statement.value)
      case 'assign':
        return this.#assign(statement.name, this.value(statement.value), line)
      case 'declare': {
        const { names, isVar } = statement
        const value = this.value(statement.value, names[0])
        const isTuple = value.kind === 'tuple' && value.items.length === names.length
        if (names.length === 1) return this.#declare(names[0] as string, value, line, isVar)
        for (const [k, each] of names.entries()) {
          const item = isTuple ? (value.items[k] as PineValue) : value
          this.#declare(
            each,
            item.kind === 'tuple' ? refuse(line, 'it has no such value') : item,
            line,
            false,
          )
        }
        return isTuple || value.kind === 'refused' ? value : refuse(line, 'several values are expected')
      }
    }
  }

  #declare(text: string, given: PineValue, line: number, isVar: boolean): PineValue {
    const scope = this.#scopes.at(-1) as Map<string, Binding>
    const isInBranch = this.#path.length > 0
    const bind = (value: PineValue, variable?: number): PineValue => {
      scope.set(text, { value, isInBranch, ...(variable !== undefined && { variable }) })
      return value
    }
    if (given.kind !== 'series') return bind(given)
    const isConstant = constantOf(given) !== undefined || isNa(given)
    if (isVar && !isConstant) return bind(refuse(line, 'the value of the first candle of a history is kept'))
    if (!this.#assigned.has(text)) return bind(given)
    if (isVar && isInBranch) return bind(refuse(line, 'a variable that is kept within a condition'))
    const { isLiteral: _, ...value } = given
    const variable = this.variables.push({ first: isVar ? value : na, line, final: value }) - 1
    return bind(isVar ? past(variable, value, isNa(value) || this.#sparse.has(variable)) : value, variable)
  }

  #assign(text: string, given: PineValue, line: number): PineValue {
    const scope = this.#scopes.findLast(each => each.has(text))
    const binding = scope?.get(text)
    if (!scope || !binding) return refuse(line, `${text} is not declared`)
    const { value: before } = binding
    const value =
      before.kind === 'series' && given.kind === 'series' ? asType(given, before.type, line) : given
    scope.set(text, { ...binding, value: before.kind === 'refused' ? before : value })
    return value
  }

  /** Value of an expression of Pine. `declared` is the variable that it is given to. */
  value(pine: Pine, declared?: string): PineValue {
    if (--this.#reading.partsLeft < 0) throw new ScriptFault(pine.line, 'the script has too many parts')
    if (++this.#depth > maxDepth)
      throw new ScriptFault(pine.line, `more than ${maxDepth} parts within each other`)
    const value = bounded(this.#read(pine, declared), pine.line)
    this.#depth--
    return value
  }

  #read(pine: Pine, declared?: string): PineValue {
    const { line } = pine
    switch (pine.kind) {
      case 'number':
        return number(Number(pine.text), /^\d+$/.test(pine.text))
      case 'text':
        return { kind: 'text', text: pine.text }
      case 'name':
        return this.#name(pine.name, line)
      case 'tuple':
        return { kind: 'tuple', items: pine.items.map(item => this.value(item)) }
      case 'unary':
        return this.#unary(pine.operator, pine.of, line)
      case 'binary':
        return this.#binary(pine)
      case 'history':
        return this.#history(pine)
      case 'choice':
        return this.#branches(pine.branches, line)
      case 'unsupported':
        for (const each of assignedIn(pine.block))
          this.#assign(each, refuse(line, `${pine.what} has no expression`), line)
        return refuse(line, `${pine.what} has no expression`)
      case 'call':
        return this.#call({ ...pine, ...(declared !== undefined && { declared }) })
    }
  }

  #name(text: string, line: number): PineValue {
    const binding = this.#scopes.findLast(each => each.has(text))?.get(text)
    if (binding) return binding.value
    if (text === 'na') return na
    if (text === 'true' || text === 'false') return boolean(text === 'true')
    if ((sources as readonly string[]).includes(text)) return name(text)
    if (looks.test(text)) return look
    if (
      /^(?:barmerge|strategy\.(?:long|short)|syminfo\.tickerid|syminfo\.ticker|timeframe\.period)\b/.test(
        text,
      )
    )
      return { kind: 'text', text }
    if (text === 'barstate.isconfirmed') {
      this.#remarks.differs(
        line,
        'barstate.isconfirmed is true here: a forming candle is computed as though it closed now',
      )
      return boolean(true)
    }
    return (
      this.#functions.variable(text, line) ?? refuse(line, `${text}: ${reasonFor(text) ?? 'an unknown name'}`)
    )
  }

  #call(call: FunctionCall): PineValue {
    const { name: text, line, args } = call
    const own = this.#own.get(text)
    if (!own) return this.#remarks.output(call, this.#path) ?? this.#functions.call(call)
    if (++this.#calls > maxCalls) throw new ScriptFault(line, `more than ${maxCalls} calls within each other`)
    const scope = new Map<string, Binding>()
    for (const [k, { name: parameter, fallback }] of own.parameters.entries()) {
      const given =
        args.find(each => each.name === parameter) ?? (args[k]?.name === undefined ? args[k] : undefined)
      const value = given
        ? this.value(given.value)
        : fallback
          ? this.value(fallback)
          : refuse(line, `${parameter} is missing`)
      scope.set(parameter, { value, isInBranch: this.isConditional })
    }
    const outer = this.#scopes
    this.#scopes = [outer[0] as Map<string, Binding>, scope]
    const value = this.run(own.body)
    this.#scopes = outer
    this.#calls--
    return value
  }

  /** A condition. Version 5 takes a number that is not 0 for one. */
  condition(pine: Pine): Series | Refused {
    const value = this.value(pine)
    if (value.kind === 'refused' || (value.kind === 'series' && value.type === 'boolean')) return value
    if (value.kind !== 'series') return refuse(pine.line, 'a text or a colour is no condition')
    if (isNa(value)) return boolean(false)
    return this.#reading.isV5
      ? binary('!=', value, number(0))
      : refuse(pine.line, 'a number is no condition in version 6')
  }

  /** A condition that is true or false wherever it is asked, for `not` and for comparisons. */
  #decided(condition: Series, line: number): Series | Refused {
    if (!condition.mayBeNa || !this.#reading.isV5) return certain(condition)
    return refuse(line, 'in version 5 a condition may be na, and what its opposite is then is not documented')
  }

  #unary(operator: string, of: Pine, line: number): PineValue {
    if (operator === 'not') {
      const condition = this.condition(of)
      const decided = condition.kind === 'refused' ? condition : this.#decided(condition, line)
      return decided.kind === 'refused' ? decided : not(decided)
    }
    const value = this.numeric(of)
    return value.kind === 'refused' || operator === '+' ? value : negative(value)
  }

  /** A number. */
  numeric(pine: Pine): Series | Refused {
    const value = this.value(pine)
    if (value.kind === 'refused') return value
    if (value.kind !== 'series' || value.type !== 'number') return refuse(pine.line, 'a number is expected')
    return value
  }

  #binary({ operator, left, right, line }: Extract<Pine, { readonly kind: 'binary' }>): PineValue {
    if (operator === 'and' || operator === 'or') return this.#logic(operator, left, right)
    const [one, other] = [this.value(left), this.value(right)]
    if (one.kind === 'refused') return one
    if (other.kind === 'refused') return other
    const isEquality = operator === '==' || operator === '!='
    if (one.kind === 'text' && other.kind === 'text' && isEquality)
      return boolean((one.text === other.text) === (operator === '=='))
    if (one.kind !== 'series' || other.kind !== 'series')
      return operator === '+' ? look : refuse(line, 'a text or a colour is compared')
    if (isEquality) return this.#equality(operator, one, other, line)
    if (one.type !== 'number' || other.type !== 'number') return refuse(line, `${operator} needs two numbers`)
    const isWhole =
      this.#reading.isV5 && operator === '/' && one.isLiteral && other.isLiteral && constantOf(other) !== 0
    if (!isWhole) return binary(operator as BinaryOperator, one, other)
    const [a, b] = [Number(constantOf(one)), Number(constantOf(other))]
    if (a % b !== 0)
      this.#remarks.differs(
        line,
        `version 5 divides whole numbers that are written in the script without a remainder: ${a} / ${b} is ${Math.trunc(a / b)}`,
      )
    return number(Math.trunc(a / b), true)
  }

  #logic(operator: 'and' | 'or', left: Pine, right: Pine): PineValue {
    const one = this.condition(left)
    if (one.kind === 'refused') return one
    const value = constantOf(one)
    if (value === (operator === 'or')) return one
    // Version 6 does not compute an operand that decides nothing.
    const isLazy = !this.#reading.isV5 && value === undefined
    if (isLazy) this.#lazy++
    const other = this.condition(right)
    if (isLazy) this.#lazy--
    return other.kind === 'refused' ? other : binary(operator, one, other)
  }

  #equality(operator: '==' | '!=', one: Series, other: Series, line: number): PineValue {
    if (isNa(one) || isNa(other)) return refuse(line, 'a comparison with na never holds. Write na(x)')
    if (one.type !== other.type) return refuse(line, 'a number is compared with a condition')
    if (one.type === 'number') {
      if (operator === '!=' && (one.mayBeNa || other.mayBeNa))
        return refuse(
          line,
          'what Pine answers for != of a value that may be na is not documented. Write nz(x)',
        )
      return binary(operator, one, other)
    }
    const [a, b] = [this.#decided(one, line), this.#decided(other, line)]
    return a.kind === 'refused' ? a : b.kind === 'refused' ? b : binary(operator, a, b)
  }

  #history({ of, by, line }: Extract<Pine, { readonly kind: 'history' }>): PineValue {
    const binding =
      of.kind === 'name' ? this.#scopes.findLast(each => each.has(of.name))?.get(of.name) : undefined
    if (binding?.isInBranch) return refuse(line, 'the history of a variable within a condition')
    const now = this.value(of)
    const candles = this.numeric(by)
    if (now.kind === 'refused') return now
    if (candles.kind === 'refused') return candles
    if (now.kind !== 'series') return refuse(line, 'a text or a colour has no history')
    const count = constantOf(candles)
    const variable = binding?.variable
    const value =
      variable === undefined || count === 0
        ? now
        : { ...now, syntax: name(pastName(variable)).syntax, mayBeNa: this.#sparse.has(variable) }
    if (of.kind !== 'name' && this.isConditional) this.#noteConditional(line, 'a value')
    if (count === undefined) {
      const syntax = {
        kind: 'history',
        at: 1,
        of: value.syntax,
        candles: maxHistory,
        candlesAt: 1,
        by: candles.syntax,
      } as const
      return series(syntax, value.type, [], true)
    }
    if (!Number.isInteger(count) || Number(count) < 0 || Number(count) > maxHistory)
      return refuse(line, `a history of ${count} candles; an expression has 0 to ${maxHistory}`)
    return history(value, Number(count))
  }

  /** Notes that Pine computes a value at some candles only. */
  #noteConditional(line: number, what: string): void {
    this.#remarks.differs(
      line,
      `${what} with a history is computed at each candle here, and in Pine only where the conditions before it hold. Write it on a line of its own`,
    )
  }

  /** Value of the first branch whose condition holds. Variables that a branch changes keep their values elsewhere. */
  #branches([branch, ...others]: readonly Branch[], line: number): PineValue {
    if (!branch) return na
    if (!branch.condition) return this.run(branch.block)
    const condition = this.condition(branch.condition)
    if (condition.kind === 'refused') {
      for (const { block } of [branch, ...others])
        for (const each of assignedIn(block)) this.#assign(each, condition, line)
      return condition
    }
    const value = constantOf(condition)
    if (value !== undefined) return value ? this.run(branch.block) : this.#branches(others, line)
    const changed = new Set([branch, ...others].flatMap(({ block }) => assignedIn(block)))
    const before = this.#bindings(changed)
    const yes = this.#within(condition, () => this.run(branch.block))
    const after = this.#bindings(changed)
    for (const { scope, text, binding } of before) scope.set(text, binding)
    const no = this.#within(not(certain(condition)), () => this.#branches(others, line))
    for (const { scope, text, binding } of after) {
      const other = (scope.get(text) as Binding).value
      if (other !== binding.value)
        scope.set(text, { ...binding, value: bounded(either(condition, binding.value, other, line), line) })
    }
    return bounded(either(condition, yes, no, line), line)
  }

  /** The present values under some names. */
  #bindings(names: ReadonlySet<string>) {
    return this.#scopes.flatMap(scope =>
      [...names].flatMap(text => {
        const binding = scope.get(text)
        return binding ? [{ scope, text, binding }] : []
      }),
    )
  }

  #within<Result>(condition: Series, read: () => Result): Result {
    this.#path = [...this.#path, condition]
    const result = read()
    this.#path = this.#path.slice(0, -1)
    return result
  }
}

/** Value that a variable has kept from the candle before. */
const past = (variable: number, { type }: Series, mayBeNa: boolean): Series => ({
  ...name(keptName(variable), type),
  mayBeNa,
})

/** Names that `:=` changes in a block, or in the blocks within it. */
function assignedIn(block: Block): readonly string[] {
  return block.flatMap(statement => {
    if (statement.kind === 'function') return assignedIn(statement.body)
    if (statement.kind === 'unsupported') return []
    const within = blocksIn(statement.value).flatMap(assignedIn)
    return statement.kind === 'assign' ? [statement.name, ...within] : within
  })
}

const blocksIn = (pine: Pine): readonly Block[] =>
  pine.kind === 'choice'
    ? pine.branches.map(({ block }) => block)
    : pine.kind === 'unsupported'
      ? [pine.block]
      : []

/** A value in the type of a variable: `na` may be of each type. */
function asType(value: Series, type: Series['type'], line: number): Series | Refused {
  if (value.type === type) return value
  if (isNa(value)) return binary('>', value, number(0))
  return refuse(
    line,
    `a ${value.type === 'number' ? 'number' : 'condition'} where the other type is expected`,
  )
}

/** `condition ? yes : no` of all kinds of values. */
function either(condition: Series, yes: PineValue, no: PineValue, line: number): PineValue {
  if (yes === no) return yes
  if (yes.kind === 'refused') return yes
  if (no.kind === 'refused') return no
  if (yes.kind === 'series' && no.kind === 'series') {
    const type = isNa(yes) ? no.type : yes.type
    const [one, other] = [asType(yes, type, line), asType(no, type, line)]
    return one.kind === 'refused' ? one : other.kind === 'refused' ? other : choice(condition, one, other)
  }
  if (yes.kind === 'tuple' && no.kind === 'tuple' && yes.items.length === no.items.length)
    return {
      kind: 'tuple',
      items: yes.items.map((item, k) => either(condition, item, no.items[k] as PineValue, line)),
    }
  return look
}
