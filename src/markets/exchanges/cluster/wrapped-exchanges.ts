import type { Exchange, ExchangeLookup } from '../registry.js'
import type { Source } from '../source.js'

/**
 * Wraps the source of each exchange once. Sources with computed candles stay unwrapped, because computing costs
 * less than asking another process.
 */
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
