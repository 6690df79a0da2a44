import type { Exchange, ExchangeLookup } from '../registry.js'
import type { Source } from '../source.js'

/** Exchanges whose sources are wrapped, each once. What is computed stays as it is: that costs less than asking another process for it. */
export function wrapSources(
  exchanges: ExchangeLookup,
  wrap: (id: string, source: Source) => Source,
): ExchangeLookup {
  const wrapped = new Map<string, Exchange>()
  return {
    ids: () => exchanges.ids(),
    find(name) {
      const exchange = exchanges.find(name)
      if (!exchange || exchange.source.isComputed) return exchange
      const { id, source } = exchange
      const known = wrapped.get(id) ?? { id, source: wrap(id, source) }
      wrapped.set(id, known)
      return known
    },
    close: () => exchanges.close(),
  }
}
