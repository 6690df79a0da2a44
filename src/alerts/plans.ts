import type { Timeframe } from '../candles/timeframe.js'
import { type CompiledExpression, compileExpression } from '../compute/expressions/compile.js'
import { isRefusal } from '../contract/refusals.js'

/** What the expressions of alerts compile to: once for each timeframe, for as long as an alert has it. */
export class Plans {
  readonly #compiled = new Map<string, WeakRef<CompiledExpression>>()

  /** Throws where the expression cannot be compiled: it was checked before, but this version may have another catalogue. */
  find(expression: string, timeframe: Timeframe): CompiledExpression {
    const key = `${timeframe} ${expression}`
    const known = this.#compiled.get(key)?.deref()
    if (known) return known
    const compiled = compileExpression(expression, { timeframe })
    if (isRefusal(compiled)) throw new Error(`${expression}: ${compiled.error}`)
    this.#compiled.set(key, new WeakRef(compiled))
    return compiled
  }

  /** Forgets those that no alert has any more. To be called now and then. */
  sweep(): void {
    for (const [key, compiled] of this.#compiled) if (!compiled.deref()) this.#compiled.delete(key)
  }
}
