import type { Syntax } from '../expressions/parser.js'
import {
  allParts,
  binary,
  boolean,
  call,
  certain,
  choice,
  constantOf,
  isNa,
  keptName,
  na,
  negative,
  not,
  number,
  pastName,
  type Series,
  series,
  write,
} from './values.js'
import type { Warmups } from './warmups.js'

/** A variable whose value at a candle depends on its value at the candle before. */
export interface Recursion {
  readonly variable: number
  /** Its value at the end of a candle, over its own past. */
  readonly next: Series
  /** Its value before the first candle. */
  readonly first: Series
  readonly warmups: Warmups
  /** Adds a difference from Pine. */
  differs(text: string): void
}

/**
 * The expression of a variable that sums up (`cumsum`), keeps a value (`valuewhen`) or counts candles (`barssince`). A text is
 * the reason why there is none.
 */
export function solve({ variable, next, first, warmups, differs }: Recursion): Series | string {
  const own = new OwnPast(variable, first)
  if (!own.isIn(next)) return next
  const step = own.step(next)
  if (step) {
    const [increment, start] = [step.value, step.first as Series]
    if (constantOf(increment) === 0) return start
    if (!warmups.isQuiet(increment.syntax))
      return 'Pine also counts the candles at which a part of a condition has no value yet'
    const warmup = warmups.of(increment.syntax)
    if (!step.isSafe && warmup > 0 && !warmups.isZeroUntil(increment.syntax, warmup))
      return 'its sum is na for ever in Pine, because it adds na at the first candles'
    if (isNa(start)) return 'its sum begins with na, and na + x is na for ever'
    if (increment.mayBeNa) return 'a sum is na for ever from the first na on'
    return binarySum(start, call('cumsum', 'number', [increment]))
  }
  const held = own.held(next)
  const since = held ? undefined : own.since(next)
  const condition = held?.condition ?? since?.condition
  const isSure = condition && warmups.isSure(condition.syntax)
  const isValueMissing = held && warmups.of(held.value.syntax) > warmups.of(held.condition.syntax)
  const holdsAtFirst = since !== undefined && !isSure && warmups.isSure(not(since.condition).syntax)
  if (condition && ((!isSure && !holdsAtFirst) || isValueMissing)) differs(early)
  if (held) return kept(held, held.first as Series, next.type)
  if (since) return counted(since.condition, since.first as Series, holdsAtFirst)
  return 'it depends on its own last value in another way than a sum, a kept value or a count of candles'
}

/** A value that is kept since a condition last held. */
function kept(
  { condition, value }: { readonly condition: Series; readonly value: Series },
  start: Series,
  type: Series['type'],
): Series | string {
  const found = call('valuewhen', type, [condition, value, number(0)], true)
  if (isNa(start)) return found
  if (value.mayBeNa) return 'the value that is kept may be na, which is not the value before the first one'
  return call('nz', type, [found, start], false)
}

/**
 * A count of the candles since a condition last held. Until all parts have a value, the condition never holds, or it holds at
 * each candle.
 */
function counted(condition: Series, start: Series, holdsAtFirst: boolean): Series {
  const step = holdsAtFirst ? choice(not(condition), number(1), number(0)) : number(1)
  const all = call('cumsum', 'number', [step])
  const before = holdsAtFirst ? all : binarySum(start, all)
  return call('nz', 'number', [call('barssince', 'number', [condition], true), before], false)
}

const early =
  'Pine looks at its condition before all parts have a value, so values may differ until the condition has held here'

const binarySum = (start: Series, sum: Series): Series =>
  constantOf(start) === 0 ? sum : binary('+', start, sum)

/** The value of the past of a variable before the first candle, if a part has that past. */
interface Found {
  readonly first?: Series
  /** Whether `nz` replaces a value that is na. */
  readonly isSafe?: boolean
}

class OwnPast {
  readonly #name: string

  readonly #kept: string
  readonly #init: Series

  /** `init` is the value of the first candle before `:=`, which `var` keeps. */
  constructor(variable: number, init: Series) {
    this.#name = pastName(variable)
    this.#kept = keptName(variable)
    this.#init = init
  }

  isIn({ syntax }: Series): boolean {
    const isOwn = (name: string) => name === this.#name || name === this.#kept
    return allParts(syntax).some(part => part.kind === 'name' && isOwn(part.name))
  }

  /** Whether a value is that of the candle before: that which `var` keeps, `x[1]`, or `nz(x[1], first)`. */
  #isPast({ syntax }: Series): Found | undefined {
    if (syntax.kind === 'name') return syntax.name === this.#kept ? { first: this.#init } : undefined
    if (syntax.kind === 'history') {
      const { of, candles } = syntax
      return candles === 1 && of.kind === 'name' && of.name === this.#name ? { first: na } : undefined
    }
    if (syntax.kind !== 'call' || syntax.name !== 'nz') return undefined
    const [past, otherwise = number(0)] = syntax.args.map(({ value }) => seriesOf(value))
    const found = past && this.#isPast(past)
    if (!found?.first || this.isIn(otherwise)) return undefined
    return { first: isNa(found.first) ? otherwise : found.first, isSafe: true }
  }

  /** The change of a sum: `x[1] + value`, or nothing in some branches. */
  step(next: Series): (Found & { readonly value: Series }) | undefined {
    const past = this.#isPast(next)
    if (past) return { ...past, value: number(0) }
    const { syntax } = next
    if (syntax.kind === 'binary' && (syntax.operator === '+' || syntax.operator === '-')) {
      const [left, right] = [seriesOf(syntax.left), seriesOf(syntax.right)]
      const [inner, other] = this.isIn(left) || syntax.operator === '-' ? [left, right] : [right, left]
      const before = this.isIn(other) ? undefined : this.step(inner)
      if (!before) return undefined
      const change = syntax.operator === '-' ? negative(other) : other
      const isFirst = constantOf(before.value) === 0
      return { ...before, value: isFirst ? change : binary('+', before.value, change) }
    }
    const branches = this.#branches(next)
    const steps = branches && [this.step(branches.yes), this.step(branches.no)]
    const [yes, no] = steps ?? []
    if (!branches || !yes || !no) return undefined
    const found = merged(yes, no)
    return found && { ...found, value: choice(branches.condition, yes.value, no.value) }
  }

  /** The value that is kept while no condition holds: `if(condition, value, x[1])`. */
  held(next: Series): (Found & { readonly condition: Series; readonly value: Series }) | undefined {
    const past = this.#isPast(next)
    if (past) return { ...past, condition: boolean(false), value: na }
    if (!this.isIn(next)) return { condition: boolean(true), value: next }
    const branches = this.#branches(next)
    if (!branches) return undefined
    const [yes, no] = [this.held(branches.yes), this.held(branches.no)]
    if (!yes || !no) return undefined
    const condition = certain(branches.condition)
    const value =
      constantOf(yes.condition) === false
        ? no.value
        : constantOf(no.condition) === false
          ? yes.value
          : choice(condition, yes.value, no.value)
    const [one, other] = [
      binary('and', condition, yes.condition),
      binary('and', not(condition), no.condition),
    ]
    // After the first condition the second one is known to fail.
    const either =
      constantOf(yes.condition) === true && constantOf(no.condition) !== true
        ? binary('or', condition, no.condition)
        : constantOf(yes.condition) === true
          ? boolean(true)
          : binary('or', one, other)
    const found = merged(yes, no)
    return found && { ...found, condition: either, value }
  }

  /** The condition that sets a count of candles to 0: `if(condition, 0, x[1] + 1)`. */
  since(next: Series): (Found & { readonly condition: Series }) | undefined {
    const branches = this.#branches(next)
    if (!branches) return undefined
    const isZero = (value: Series) => constantOf(value) === 0
    const [reset, count] = isZero(branches.yes) ? [branches.yes, branches.no] : [branches.no, branches.yes]
    const step = this.step(count)
    if (!isZero(reset) || !step || constantOf(step.value) !== 1) return undefined
    const condition = isZero(branches.yes) ? branches.condition : not(certain(branches.condition))
    return { ...step, condition }
  }

  /** The branches of `if(condition, yes, no)` whose condition does not depend on the own past. */
  #branches({ syntax }: Series) {
    if (syntax.kind !== 'call' || syntax.name !== 'if') return undefined
    const [condition, yes, no] = syntax.args.map(({ value }) => seriesOf(value)) as [Series, Series, Series]
    return this.isIn(condition)
      ? undefined
      : { condition: { ...condition, type: 'boolean' } as Series, yes, no }
  }
}

/** The past of two branches; undefined if they differ in it. */
function merged(one: Found, other: Found): Found | undefined {
  if (!one.first || !other.first) return one.first ? one : other
  const isSame = write(one.first.syntax) === write(other.first.syntax) && one.isSafe === other.isSafe
  return isSame ? one : undefined
}

/** A part of an expression as a series. Whether it may be undefined is read from its form. */
function seriesOf(syntax: Syntax): Series {
  const mayBeNa = allParts(syntax).some(
    part =>
      (part.kind === 'binary' && (part.operator === '/' || part.operator === '%')) ||
      (part.kind === 'call' && /^(?:valuewhen|barssince|pivot|ln|sqrt|pow|vwap)/.test(part.name)),
  )
  return series(syntax, 'number', [], mayBeNa && !(syntax.kind === 'call' && syntax.name === 'nz'))
}
