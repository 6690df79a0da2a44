import { isRefusal, type Refusal } from '../contract/refusals.js'
import { RepeatCache } from '../runtime/repeat-cache.js'
import type { CompiledExpression } from './compile.js'

/** Compiled expressions by a key of their texts and timeframe. They recur: a bot sends the same ones every few seconds. */
export class CompiledCache {
  readonly #kept: RepeatCache<CompiledExpression>

  /** Keeps those that were used last, as many as take `maxBytes` of memory. */
  constructor(maxBytes: number) {
    this.#kept = new RepeatCache<CompiledExpression>({
      maxBytes,
      bytesOf: ({ spec }, key) => key.length + spec.indicator.bytes,
    })
  }

  /** What was compiled for a key before, or else what `compile` gives; refusals are not kept. */
  find(key: string, compile: () => CompiledExpression | Refusal): CompiledExpression | Refusal {
    const known = this.#kept.get(key)
    if (known) return known
    const fresh = compile()
    if (!isRefusal(fresh)) this.#kept.add(key, fresh)
    return fresh
  }
}
