import {
  badHistory,
  chainedComparison,
  type ExpressionRefusal,
  expressionTooDeep,
  positionalAfterNamed,
  unexpectedCharacter,
  unexpectedToken,
  unfinishedMarket,
  unfinishedText,
} from '../../contract/expression-refusals.js'
import { didYouMean, nearNames } from '../../contract/hints.js'
import { foreignSigns, operatorHint, plainNumber } from './foreign.js'
import type { ValueType } from './plan.js'

/**
 * Binding strengths of operators. `not` is between `and` and comparisons; a sign before a value binds most strongly.
 */
const strengths = { or: 1, and: 2, not: 3, comparison: 4, sum: 5, product: 6, sign: 7 } as const

/** Binary operators. Operators of equal strength are read from left to right. */
const binaryOperators: ReadonlyMap<string, readonly [operator: BinaryOperator, strength: number]> = new Map<
  string,
  readonly [BinaryOperator, number]
>([
  ['or', ['or', strengths.or]],
  ['||', ['or', strengths.or]],
  ['and', ['and', strengths.and]],
  ['&&', ['and', strengths.and]],
  ['<', ['<', strengths.comparison]],
  ['<=', ['<=', strengths.comparison]],
  ['>', ['>', strengths.comparison]],
  ['>=', ['>=', strengths.comparison]],
  ['==', ['==', strengths.comparison]],
  ['!=', ['!=', strengths.comparison]],
  ['+', ['+', strengths.sum]],
  ['-', ['-', strengths.sum]],
  ['*', ['*', strengths.product]],
  ['/', ['/', strengths.product]],
  ['%', ['%', strengths.product]],
])

/** Reserved words: operators and values. They are case-insensitive, as in SQL. */
const words: ReadonlySet<string> = new Set(['or', 'and', 'not', 'true', 'false'])

/** Parses an expression: precedence climbing after Pratt, "Top Down Operator Precedence" (1973). Throws a `Fault`. */
export const parse = (text: string): Syntax => new Parser(tokenize(text)).parse()

class Parser {
  #next = 0
  #depth = 0

  constructor(private readonly tokens: readonly Token[]) {}

  parse(): Syntax {
    const syntax = this.#conditional()
    const { kind, text } = this.#token
    if (kind === 'end') return syntax
    const hint = this.#numberHint() || operatorHint(text)
    const near = hint === '' && kind === 'name' ? didYouMean(nearNames(text, words)) : hint
    return this.#refuse('an operator or the end', near)
  }

  get #token(): Token {
    return this.tokens[this.#next] as Token
  }

  /** The next sign or operator word, in lower case; empty if there is none. */
  get #operator(): string {
    const { kind, text } = this.#token
    if (kind === 'sign') return text
    const word = text.toLowerCase()
    return kind === 'name' && words.has(word) ? word : ''
  }

  #take(): Token {
    const token = this.#token
    this.#next++
    return token
  }

  /** Consumes a sign if it is the next token. */
  #tryTake(sign: string): boolean {
    if (this.#token.kind !== 'sign' || this.#token.text !== sign) return false
    this.#next++
    return true
  }

  #expect(sign: string, wanted = `"${sign}"`): void {
    if (!this.#tryTake(sign)) this.#refuse(wanted)
  }

  /** Hint about the comma of `1,000` or the unit of `2.5M`. */
  #numberHint(): string {
    const [before, comma, after] = this.tokens.slice(this.#next - 1)
    const isNumber =
      comma?.text === ',' && /^\d{1,3}$/.test(before?.text ?? '') && /^\d{3}$/.test(after?.text ?? '')
    if (isNumber) return `. Write ${before?.text}${after?.text}`
    const isUnit = before?.kind === 'number' && comma?.kind === 'name'
    const plain = isUnit ? plainNumber(before.text + comma.text) : undefined
    return plain === undefined ? '' : `. Write ${plain}`
  }

  #refuse(wanted: string, hint = operatorHint(this.#token.text)): never {
    const { kind, text, at } = this.#token
    throw new Fault(unexpectedToken(at, wanted, kind === 'end' ? undefined : text, hint))
  }

  /** Reads a value, or `condition ? a : b`, which is `if(condition, a, b)`. */
  #conditional(): Syntax {
    const condition = this.#expression(0)
    if (!this.#tryTake('?')) return condition
    const { at } = condition
    const [yesAt, yes] = [this.#token.at, this.#nested()]
    this.#expect(':')
    const [noAt, no] = [this.#token.at, this.#nested()]
    const to = this.#token.at
    const args = [
      { at, to: yesAt, value: condition },
      { at: yesAt, to: noAt, value: yes },
      { at: noAt, to, value: no },
    ]
    return { kind: 'call', at, to, name: 'if', args }
  }

  /** Reads an expression one level deeper. */
  #nested(): Syntax {
    const { at } = this.#token
    if (++this.#depth > maxDepth) throw new Fault(expressionTooDeep(at, maxDepth))
    const syntax = this.#conditional()
    this.#depth--
    return syntax
  }

  /** Reads a value with the following operators that bind more strongly than `strength`. */
  #expression(strength: number): Syntax {
    const { at } = this.#token
    if (++this.#depth > maxDepth) throw new Fault(expressionTooDeep(at, maxDepth))
    let left = this.#prefixed()
    let isComparison = false
    for (;;) {
      const known = binaryOperators.get(this.#operator)
      if (!known || known[1] <= strength) break
      const [operator, own] = known
      if (own === strengths.comparison && isComparison) throw new Fault(chainedComparison(this.#token.at))
      isComparison = own === strengths.comparison
      const { at: operatorAt } = this.#take()
      const right = this.#expression(own)
      left = { kind: 'binary', at, operator, operatorAt, left, right }
    }
    this.#depth--
    return left
  }

  #prefixed(): Syntax {
    const { at } = this.#token
    const operator = this.#operator
    if (operator === 'not' || operator === '!') {
      this.#take()
      return { kind: 'unary', at, operator: 'not', of: this.#expression(strengths.not) }
    }
    if (operator === '-' || operator === '+') {
      this.#take()
      const of = this.#expression(strengths.sign)
      if (operator === '+') return of
      return of.kind === 'number'
        ? { kind: 'number', at, value: -of.value }
        : { kind: 'unary', at, operator: '-', of }
    }
    return this.#postfixed(this.#primary())
  }

  #primary(): Syntax {
    const { kind, text, at } = this.#token
    if (this.#tryTake('(')) {
      const inner = this.#conditional()
      this.#expect(')')
      return inner
    }
    if (kind === 'sign' || kind === 'market' || kind === 'end') this.#refuse('a value')
    const word = text.toLowerCase()
    if (kind === 'name' && words.has(word) && word !== 'true' && word !== 'false') this.#refuse('a value')
    this.#take()
    if (kind === 'number') return { kind, at, value: Number(text) }
    if (kind === 'text') return { kind, at, value: text }
    if (words.has(word)) return { kind: 'boolean', at, value: word === 'true' }
    const name = text + this.#afterPrefix(word)
    if (word === 'if' && this.#token.text !== '(') this.#refuse('"("', '. Write if(condition, a, b)')
    if (!this.#tryTake('(')) return { kind: 'name', at, name }
    const args = this.#arguments()
    return { kind: 'call', at, to: (this.tokens[this.#next - 1] as Token).at + 1, name, args }
  }

  /** Reads the rest of a name that begins with a prefix of Pine, such as `.rsi` after `ta`; else the empty text. */
  #afterPrefix(prefix: string): string {
    const after = this.tokens[this.#next + 1]
    if (!pinePrefixes.has(prefix) || this.#token.text !== '.' || after?.kind !== 'name') return ''
    this.#next += 2
    return `.${after.text}`
  }

  /** Reads arguments up to the closing bracket. */
  #arguments(): readonly ArgumentSyntax[] {
    const args: ArgumentSyntax[] = []
    if (this.#tryTake(')')) return args
    let isNamed = false
    do {
      const { kind, text, at } = this.#token
      const after = this.tokens[this.#next + 1]
      if (kind === 'name' && after?.kind === 'sign' && after.text === '=') {
        this.#next += 2
        const value = this.#conditional()
        args.push({ at, to: this.#token.at, name: text, value })
        isNamed = true
      } else if (isNamed) throw new Fault(positionalAfterNamed(at))
      else {
        const value = this.#conditional()
        args.push({ at, to: this.#token.at, value })
      }
    } while (this.#tryTake(','))
    this.#expect(')', '"," or ")"')
    return args
  }

  /** Reads outputs, history, markets and timeframes after a value, from left to right. */
  #postfixed(value: Syntax): Syntax {
    let of = value
    const { at } = value
    for (let length = 0; ; length++) {
      if (length > maxDepth) throw new Fault(expressionTooDeep(this.#token.at, maxDepth))
      if (this.#tryTake('.')) {
        if (this.#token.kind !== 'name') this.#refuse('the name of an output')
        const { text, at: nameAt } = this.#take()
        of = { kind: 'output', at, of, name: text, nameAt }
      } else if (this.#tryTake('[')) {
        const { at: candlesAt } = this.#token
        const by = this.#nested()
        this.#expect(']')
        const isConstant = by.kind === 'number'
        const candles = isConstant ? by.value : maxHistory
        if (!Number.isInteger(candles) || candles < 0 || candles > maxHistory)
          throw new Fault(badHistory(candlesAt, maxHistory))
        of = { kind: 'history', at, of, candles, candlesAt, ...(isConstant ? {} : { by }) }
      } else if (this.#tryTake('@')) {
        if (this.#token.kind !== 'name' && this.#token.kind !== 'number') this.#refuse('a timeframe')
        const { text, at: timeframeAt } = this.#take()
        of = { kind: 'timeframe', at, of, timeframe: text, timeframeAt }
      } else if (this.#token.kind === 'market') {
        const { text, at: marketAt } = this.#take()
        of = { kind: 'market', at, of, market: text, marketAt }
      } else return of
    }
  }
}

/** Carries a refusal out of the recursion that reads an expression; caught in compile.ts and nowhere else. */
export class Fault extends Error {
  constructor(readonly refusal: ExpressionRefusal) {
    super(refusal.error)
  }
}

export interface Token {
  readonly kind: 'number' | 'name' | 'text' | 'market' | 'sign' | 'end'
  /** The text as written, without the quotation marks of a text or the braces of a market. */
  readonly text: string
  /** Position of the first character, counted from 1. */
  readonly at: number
}

/** Signs of the language, and of others, which the parser refuses with a hint. A longer sign is before its prefixes. */
const signs = [
  ...'<= >= == != && || ** :='.split(' '),
  ...Object.keys(foreignSigns).filter(sign => sign !== '='),
  ...'< > + - * / % ( ) [ ] , . @ = ! ? : ^'.split(' '),
]

const pinePrefixes: ReadonlySet<string> = new Set(['ta', 'math', 'request'])

const blank = /\s+/y
const surrogate = /[\ud800-\udfff]/
const numeral = /(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?/y
const word = /[A-Za-z0-9_]+/y
const braced = /\{([^{}\n]*)\}/y
const quoted = /'([^'\n]*)'|"([^"\n]*)"/y

function match(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from
  return pattern.exec(text)
}

/** Position of a character at an index of the text, counted from 1. A character outside the basic plane counts once. */
const positionOf = (text: string, index: number): number =>
  surrogate.test(text) ? [...text.slice(0, index)].length + 1 : index + 1

/** Splits a text into tokens. The last token is the end of the text. Throws a `Fault`. */
export function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = []
  let from = 0
  while (from < text.length) {
    const space = match(blank, text, from)
    if (space) {
      from += space[0].length
      continue
    }
    const token = readToken(text, from)
    tokens.push(token.token)
    from = token.to
  }
  tokens.push({ kind: 'end', text: '', at: positionOf(text, text.length) })
  return tokens
}

function readToken(text: string, from: number): { readonly token: Token; readonly to: number } {
  const at = positionOf(text, from)
  const found = (kind: Token['kind'], whole: string, inner = whole) => ({
    token: { kind, text: inner, at },
    to: from + whole.length,
  })
  // Names of indicators may begin with a digit, such as 3inside. A number followed by letters is a name.
  const name = match(word, text, from)?.[0]
  const number = match(numeral, text, from)?.[0]
  if (number !== undefined && number.length >= (name?.length ?? 0)) return found('number', number)
  if (name !== undefined) return found('name', name)
  const string = match(quoted, text, from)
  if (string) return found('text', string[0], string[1] ?? string[2] ?? '')
  const market = match(braced, text, from)
  if (market) return found('market', market[0], market[1] ?? '')
  const sign = signs.find(each => text.startsWith(each, from))
  if (sign !== undefined) return found('sign', sign)
  const character = String.fromCodePoint(text.codePointAt(from) as number)
  if (character === '{') throw new Fault(unfinishedMarket(at))
  throw new Fault(/['"]/.test(character) ? unfinishedText(at) : unexpectedCharacter(at, character))
}

/** A part of an expression as written. `at` is the position of its first character, counted from 1. */
export type Syntax =
  | { readonly kind: 'number'; readonly at: number; readonly value: number }
  | { readonly kind: 'boolean'; readonly at: number; readonly value: boolean }
  | { readonly kind: 'text'; readonly at: number; readonly value: string }
  | { readonly kind: 'name'; readonly at: number; readonly name: string }
  /** A part that is in the plan already: an argument in the definition of a function. */
  | { readonly kind: 'value'; readonly at: number; readonly node: number; readonly type: ValueType }
  | CallSyntax
  | {
      readonly kind: 'output'
      readonly at: number
      readonly of: Syntax
      readonly name: string
      readonly nameAt: number
    }
  | {
      readonly kind: 'history'
      readonly at: number
      readonly of: Syntax
      /** Number of candles ago, or the maximum if `by` has the number. */
      readonly candles: number
      readonly candlesAt: number
      readonly by?: Syntax
    }
  | {
      readonly kind: 'timeframe'
      readonly at: number
      readonly of: Syntax
      readonly timeframe: string
      readonly timeframeAt: number
    }
  | {
      readonly kind: 'market'
      readonly at: number
      readonly of: Syntax
      /** Text between the braces, and position of the opening brace. */
      readonly market: string
      readonly marketAt: number
    }
  | { readonly kind: 'unary'; readonly at: number; readonly operator: UnaryOperator; readonly of: Syntax }
  | {
      readonly kind: 'binary'
      readonly at: number
      readonly operator: BinaryOperator
      readonly operatorAt: number
      readonly left: Syntax
      readonly right: Syntax
    }

/** An indicator or a function with its arguments in brackets. */
export interface CallSyntax {
  readonly kind: 'call'
  readonly at: number
  /** Position after the closing bracket. */
  readonly to: number
  readonly name: string
  readonly args: readonly ArgumentSyntax[]
}

export interface ArgumentSyntax {
  readonly at: number
  /** Position of the comma or bracket after the argument. */
  readonly to: number
  /** Name of the parameter, if the argument is given by name. */
  readonly name?: string
  readonly value: Syntax
}

export type UnaryOperator = 'not' | '-'
export type BinaryOperator =
  | 'or'
  | 'and'
  | '<'
  | '<='
  | '>'
  | '>='
  | '=='
  | '!='
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'

export const maxDepth = 32
/** Maximum number of different parts. */
export const maxNodes = 200
/** Maximum number of different indicator calculations: as many as a construct of a bulk request may have. */
export const maxCalculations = 20
export const maxMarkets = 4
/** Maximum `n` in `[n]`, in candles: the length of the longest window. */
export const maxHistory = 500
/** Maximum size of the state between two candles, in numbers. */
export const maxState = 20_000

/** A copy of an expression with other direct parts. */
export function mapParts(syntax: Syntax, map: (part: Syntax) => Syntax): Syntax {
  switch (syntax.kind) {
    case 'call':
      return { ...syntax, args: syntax.args.map(arg => ({ ...arg, value: map(arg.value) })) }
    case 'binary':
      return { ...syntax, left: map(syntax.left), right: map(syntax.right) }
    case 'history':
      return { ...syntax, of: map(syntax.of), ...(syntax.by && { by: map(syntax.by) }) }
    case 'output':
    case 'timeframe':
    case 'market':
    case 'unary':
      return { ...syntax, of: map(syntax.of) }
    default:
      return syntax
  }
}
