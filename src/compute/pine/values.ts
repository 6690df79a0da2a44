import { maxExpressionLength } from '../../contract/limits.js'
import { type ArgumentSyntax, type BinaryOperator, mapParts, type Syntax } from '../expressions/parser.js'
import type { ValueType } from '../expressions/plan.js'

/** A value per candle, as an expression. */
export interface Series {
  readonly kind: 'series'
  readonly syntax: Syntax
  readonly type: ValueType
  /** Whether the value may be undefined after the warm-up of its parts. */
  readonly mayBeNa: boolean
  /** Whether the value is a whole number that is written in the script. Version 5 divides such numbers without a remainder. */
  readonly isLiteral?: boolean
}

/** A value of a script. */
export type PineValue =
  | Series
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tuple'; readonly items: readonly PineValue[] }
  /** A colour or another value that changes nothing but a drawing. */
  | { readonly kind: 'look' }
  | Refused

/** A value that no expression has, with the line that is the reason. */
export interface Refused {
  readonly kind: 'refused'
  readonly line: number
  readonly reason: string
}

export const refuse = (line: number, reason: string): Refused => ({ kind: 'refused', line, reason })

export const look: PineValue = { kind: 'look' }

const at = 1

export const number = (value: number, isLiteral = false): Series => ({
  ...{ kind: 'series', syntax: { kind: 'number', at, value }, type: 'number', mayBeNa: false },
  ...(isLiteral && { isLiteral }),
})

export const boolean = (value: boolean): Series => ({
  ...{ kind: 'series', syntax: { kind: 'boolean', at, value }, type: 'boolean', mayBeNa: false },
})

/** `0 / 0`: Pine's `na`. */
export const na: Series = {
  ...number(0),
  syntax: {
    kind: 'binary',
    at,
    operator: '/',
    operatorAt: at,
    left: number(0).syntax,
    right: number(0).syntax,
  },
  mayBeNa: true,
}

export const isNa = ({ syntax }: Series): boolean => syntax === na.syntax

/** The value of a series that is the same at all candles; undefined if it may change. */
export const constantOf = ({ syntax }: Series): number | boolean | undefined =>
  syntax.kind === 'number' || syntax.kind === 'boolean' ? syntax.value : undefined

/** A series from parts. It may be undefined if one of them may. */
export const series = (
  syntax: Syntax,
  type: ValueType,
  parts: readonly Series[],
  mayBeNa = parts.some(part => part.mayBeNa),
): Series => ({ kind: 'series', syntax, type, mayBeNa })

export const name = (text: string, type: ValueType = 'number'): Series =>
  series({ kind: 'name', at, name: text }, type, [])

export function call(text: string, type: ValueType, args: readonly Series[], mayBeNa?: boolean): Series {
  const given: ArgumentSyntax[] = args.map(({ syntax }) => ({ at, to: at, value: syntax }))
  return series({ kind: 'call', at, to: at, name: text, args: given }, type, args, mayBeNa)
}

const arithmetic: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '<': (a, b) => Number(a < b),
  '<=': (a, b) => Number(a <= b),
  '>': (a, b) => Number(a > b),
  '>=': (a, b) => Number(a >= b),
  '==': (a, b) => Number(a === b),
  '!=': (a, b) => Number(a !== b),
}

/** `left operator right`, computed at once if both are constants. */
export function binary(operator: BinaryOperator, left: Series, right: Series): Series {
  const type = '+-*/%'.includes(operator) ? 'number' : 'boolean'
  const [a, b] = [constantOf(left), constantOf(right)]
  if (operator === 'and' || operator === 'or') {
    const decides = operator === 'or'
    if (a === decides || b === decides) return boolean(decides)
    if (a === !decides) return right
    if (b === !decides) return left
  }
  const compute = arithmetic[operator]
  if (compute && a !== undefined && b !== undefined) {
    const value = compute(Number(a), Number(b))
    if (type === 'boolean') return boolean(value === 1)
    if (Number.isFinite(value)) return number(value, (left.isLiteral && right.isLiteral) === true)
  }
  if (operator === '+' && typeof b === 'number' && b < 0) return binary('-', left, number(-b))
  const mayBeNa = left.mayBeNa || right.mayBeNa || ((operator === '/' || operator === '%') && !b)
  return series(
    { kind: 'binary', at, operator, operatorAt: at, left: left.syntax, right: right.syntax },
    type,
    [left, right],
    mayBeNa,
  )
}

export function not(of: Series): Series {
  const value = constantOf(of)
  if (value !== undefined) return boolean(!value)
  const { syntax } = of
  if (syntax.kind === 'unary' && syntax.operator === 'not') return { ...of, syntax: syntax.of }
  return series({ kind: 'unary', at, operator: 'not', of: syntax }, 'boolean', [of])
}

export function negative(of: Series): Series {
  const value = constantOf(of)
  if (typeof value === 'number') return number(-value, of.isLiteral)
  return series({ kind: 'unary', at, operator: '-', of: of.syntax }, 'number', [of])
}

/** `condition ? yes : no`. A condition that is undefined does not hold, as in Pine. */
export function choice(condition: Series, yes: Series, no: Series): Series {
  const value = constantOf(condition)
  if (value !== undefined) return value ? yes : no
  if (write(yes.syntax) === write(no.syntax)) return yes
  if (constantOf(yes) === true && constantOf(no) === false) return certain(condition)
  if (constantOf(yes) === false && constantOf(no) === true) return not(certain(condition))
  return call('if', yes.type, [certain(condition), yes, no], yes.mayBeNa || no.mayBeNa)
}

/** A condition that is false where it was undefined. */
export const certain = (condition: Series): Series =>
  condition.mayBeNa ? call('nz', 'boolean', [condition, boolean(false)], false) : condition

/** The value some candles ago. */
export function history(of: Series, candles: number): Series {
  const { syntax } = of
  if (candles === 0) return of
  if (syntax.kind === 'history' && !syntax.by && variableOf(syntax.of) === undefined)
    return { ...of, syntax: { ...syntax, candles: syntax.candles + candles } }
  return series({ kind: 'history', at, of: syntax, candles, candlesAt: at }, of.type, [of])
}

/** Name of a variable of the script whose value at earlier candles is not known yet. */
export const pastName = (variable: number): string => `$${variable}`
/** Name of the value that a variable with `var` has kept from the candle before. */
export const keptName = (variable: number): string => `#${variable}`
/** Number of the variable that a part stands for; undefined for another part. */
export const variableOf = (syntax: Syntax): number | undefined =>
  syntax.kind === 'name' && /^[$#]/.test(syntax.name) ? Number(syntax.name.slice(1)) : undefined

const strengths: Readonly<Record<BinaryOperator, number>> = {
  ...{ or: 1, and: 2, '<': 4, '<=': 4, '>': 4, '>=': 4, '==': 4, '!=': 4 },
  ...{ '+': 5, '-': 5, '*': 6, '/': 6, '%': 6 },
}
/** Strengths of `not`, of a sign, and of a value. */
const [ofNot, ofSign, ofValue] = [3, 7, 9]

function strengthOf(syntax: Syntax): number {
  if (syntax.kind === 'binary') return strengths[syntax.operator]
  if (syntax.kind === 'unary') return syntax.operator === 'not' ? ofNot : ofSign
  return syntax.kind === 'number' && syntax.value < 0 ? ofSign : ofValue
}

/** Writes an expression with the brackets that it needs. */
export function write(syntax: Syntax): string {
  const inner = (part: Syntax, needed: number) =>
    strengthOf(part) < needed ? `(${write(part)})` : write(part)
  switch (syntax.kind) {
    case 'number':
    case 'boolean':
      return String(syntax.value)
    case 'text':
    case 'value':
      return ''
    case 'name':
      return syntax.name
    case 'call':
      return `${syntax.name}(${syntax.args.map(({ name: parameter, value }) => `${parameter === undefined ? '' : `${parameter}=`}${write(value)}`).join(', ')})`
    case 'output':
      return `${inner(syntax.of, ofValue)}.${syntax.name}`
    case 'history':
      return `${inner(syntax.of, ofValue)}[${syntax.by ? write(syntax.by) : syntax.candles}]`
    case 'timeframe':
      return `${inner(syntax.of, ofValue)}@${syntax.timeframe}`
    case 'market':
      return `${inner(syntax.of, ofValue)}{${syntax.market}}`
    case 'unary':
      return syntax.operator === 'not' ? `not ${inner(syntax.of, ofNot)}` : `-${inner(syntax.of, ofSign + 1)}`
    case 'binary': {
      const { operator, left, right } = syntax
      const own = strengths[operator]
      // Comparisons are never chained; the others are read from the left.
      return `${inner(left, own === 4 ? 5 : own)} ${operator} ${inner(right, own + 1)}`
    }
  }
}

function partsOf(syntax: Syntax): readonly Syntax[] {
  const parts: Syntax[] = []
  mapParts(syntax, part => {
    parts.push(part)
    return part
  })
  return parts
}

/** All parts of an expression. */
export function allParts(syntax: Syntax): readonly Syntax[] {
  const found = [syntax]
  for (let k = 0; k < found.length; k++) found.push(...partsOf(found[k] as Syntax))
  return found
}

/** Whether an expression has more parts than it may have characters. A part that is used twice counts twice. */
function isLong(syntax: Syntax): boolean {
  const open = [syntax]
  let count = 0
  for (let part = open.pop(); part; part = open.pop()) {
    if (++count > maxExpressionLength) return true
    open.push(...partsOf(part))
  }
  return false
}

const tooLong = `its expression has more than ${maxExpressionLength} characters`

/** A value, unless its expression has more parts than an expression may have characters. */
export const bounded = (value: PineValue, line: number): PineValue =>
  value.kind === 'series' && isLong(value.syntax) ? refuse(line, tooLong) : value

/** Replaces parts of an expression. `instead` returns undefined for a part that stays. */
export const replaceIn = (syntax: Syntax, instead: (part: Syntax) => Syntax | undefined): Syntax =>
  instead(syntax) ?? mapParts(syntax, part => replaceIn(part, instead))
