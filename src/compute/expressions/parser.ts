import {
  badHistory,
  chainedComparison,
  expressionTooDeep,
  positionalAfterNamed,
  unexpectedToken,
} from '../../contract/expression-refusals.js'
import { didYouMean, nearNames } from '../../contract/hints.js'
import { Fault } from './fault.js'
import { type Token, tokenize } from './lexer.js'
import { maxDepth, maxHistory } from './limits.js'
import type { ArgumentSyntax, BinaryOperator, Syntax } from './syntax.js'

/** How strongly operators bind: `not` between `and` and comparisons, a sign before a value more than all others. */
const strengths = { or: 1, and: 2, not: 3, comparison: 4, sum: 5, product: 6, sign: 7 } as const

/** The operators between two values. Those that bind equally are read from left to right. */
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

/** Words that are operators or values, and so no names. In any case, as SQL has them. */
const words: ReadonlySet<string> = new Set(['or', 'and', 'not', 'true', 'false'])

/** Parses an expression: precedence climbing after Pratt, "Top Down Operator Precedence" (1973). Throws a `Fault`. */
export const parse = (text: string): Syntax => new Parser(tokenize(text)).parse()

class Parser {
  readonly #tokens: readonly Token[]
  #next = 0
  #depth = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  parse(): Syntax {
    const syntax = this.#expression(0)
    if (this.#token.kind !== 'end') {
      const { kind, text } = this.#token
      const near = kind === 'name' ? didYouMean(nearNames(text, words)) : ''
      const hint = text === '=' ? '. Write == to compare' : near
      this.#refuse('an operator or the end', hint)
    }
    return syntax
  }

  get #token(): Token {
    return this.#tokens[this.#next] as Token
  }

  /** The sign or operator word that comes next, in lower case; empty where there is none. */
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

  /** Takes a sign where it comes next. */
  #tryTake(sign: string): boolean {
    if (this.#token.kind !== 'sign' || this.#token.text !== sign) return false
    this.#next++
    return true
  }

  #expect(sign: string, wanted = `"${sign}"`): void {
    if (!this.#tryTake(sign)) this.#refuse(wanted)
  }

  #refuse(wanted: string, hint = ''): never {
    const { kind, text, at } = this.#token
    throw new Fault(unexpectedToken(at, wanted, kind === 'end' ? undefined : text, hint))
  }

  /** Reads a value with the operators behind it that bind more strongly than `strength`. */
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
      const inner = this.#expression(0)
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
    if (!this.#tryTake('(')) return { kind: 'name', at, name: text }
    const args = this.#arguments()
    return { kind: 'call', at, to: (this.#tokens[this.#next - 1] as Token).at + 1, name: text, args }
  }

  /** Reads arguments up to the closing bracket. */
  #arguments(): readonly ArgumentSyntax[] {
    const args: ArgumentSyntax[] = []
    if (this.#tryTake(')')) return args
    let isNamed = false
    do {
      const { kind, text, at } = this.#token
      const after = this.#tokens[this.#next + 1]
      if (kind === 'name' && after?.kind === 'sign' && after.text === '=') {
        this.#next += 2
        const value = this.#expression(0)
        args.push({ at, to: this.#token.at, name: text, value })
        isNamed = true
      } else if (isNamed) throw new Fault(positionalAfterNamed(at))
      else {
        const value = this.#expression(0)
        args.push({ at, to: this.#token.at, value })
      }
    } while (this.#tryTake(','))
    this.#expect(')', '"," or ")"')
    return args
  }

  /** Reads outputs, history, markets and timeframes behind a value, from left to right. */
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
        const { kind, text, at: candlesAt } = this.#token
        const candles = Number(text)
        if (kind !== 'number' || !Number.isInteger(candles) || candles > maxHistory)
          throw new Fault(badHistory(candlesAt, maxHistory))
        this.#take()
        this.#expect(']')
        of = { kind: 'history', at, of, candles, candlesAt }
      } else if (this.#tryTake('@')) {
        if (this.#token.kind !== 'name') this.#refuse('a timeframe')
        const { text, at: timeframeAt } = this.#take()
        of = { kind: 'timeframe', at, of, timeframe: text, timeframeAt }
      } else if (this.#token.kind === 'market') {
        const { text, at: marketAt } = this.#take()
        of = { kind: 'market', at, of, market: text, marketAt }
      } else return of
    }
  }
}
