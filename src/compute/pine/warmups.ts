import { compileExpression } from '../expressions/compile.js'
import type { Syntax } from '../expressions/parser.js'
import { ScriptFault } from './tokens.js'
import { allParts, write } from './values.js'

/** Whether a part has a value in Pine before its own parts have one. */
const isChosen = (part: Syntax): boolean => part.kind === 'call' && /^(?:if|nz|na|fixnan)$/.test(part.name)

/** The first candles of expressions, at which Pine has values of its own. Each question compiles an expression. */
export class Warmups {
  #left: number

  /** `most` is the maximum number of compiled expressions. */
  constructor(most: number) {
    this.#left = most
  }

  /** Number of candles before the first value. */
  of(syntax: Syntax): number {
    if (--this.#left < 0) throw new ScriptFault(1, 'the script has too many sums and kept values')
    const compiled = compileExpression(write(syntax), { timeframe: '1m', isRepaired: false })
    return 'error' in compiled ? Number.POSITIVE_INFINITY : compiled.depth - 1
  }

  /** Whether a sum that begins after the warm-up of its parts misses nothing that Pine adds before. */
  isQuiet(syntax: Syntax): boolean {
    if (!allParts(syntax).some(isChosen)) return true
    const warmup = this.of(syntax)
    return warmup === 0 || this.isZeroUntil(syntax, warmup)
  }

  /** Whether a condition fails in Pine until all its parts have a value. */
  isSure(condition: Syntax): boolean {
    return this.#isFalseUntil(condition, this.of(condition))
  }

  /** Whether a value is 0 in Pine at the first candles, at which no comparison of parts without a value holds. */
  isZeroUntil(syntax: Syntax, candles: number): boolean {
    if (syntax.kind === 'number') return syntax.value === 0
    if (syntax.kind !== 'call' || syntax.name !== 'if') return false
    const [condition, , otherwise] = syntax.args.map(({ value }) => value) as [Syntax, Syntax, Syntax]
    return this.#isFalseUntil(condition, candles) && this.isZeroUntil(otherwise, candles)
  }

  /** Whether a condition fails in Pine at the first candles, because its parts have no value. */
  #isFalseUntil(condition: Syntax, candles: number): boolean {
    if (candles === 0) return true
    if (condition.kind === 'boolean') return !condition.value
    if (condition.kind === 'call' && condition.name === 'nz')
      return this.#isFalseUntil(condition.args[0]?.value as Syntax, candles)
    if (condition.kind === 'binary' && (condition.operator === 'and' || condition.operator === 'or')) {
      const isLeft = this.#isFalseUntil(condition.left, candles)
      if (isLeft !== (condition.operator === 'or')) return isLeft
      return this.#isFalseUntil(condition.right, candles)
    }
    const mayHold = allParts(condition).some(
      part =>
        (part.kind === 'unary' && part.operator === 'not') ||
        (part.kind === 'binary' && part.operator === '!=') ||
        isChosen(part),
    )
    return !mayHold && this.of(condition) >= candles
  }
}
