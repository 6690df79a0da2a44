import { nearNames } from '../../contract/hints.js'
import { exchangeNotFound } from '../../contract/refusals.js'
import { isStocks, stocksSourceOf } from '../../contract/stocks.js'
import type { ExchangeLookup } from '../../markets/exchanges/registry.js'
import { sourceRefusal } from '../../markets/history/failure.js'
import { ok, type Reply, refused, refusedAfterWork } from '../reply.js'

/** `GET /exchanges`: the identifiers of all exchanges, sorted, and where the candles of those of stocks come from. */
export function getExchanges({ exchanges }: { readonly exchanges: ExchangeLookup }): Reply {
  const ids = exchanges.ids()
  const sources = Object.fromEntries(
    ids.filter(isStocks).map(name => [name, stocksSourceOf(exchanges.find(name)?.id ?? name)]),
  )
  return ok(JSON.stringify({ exchanges: ids, count: ids.length, sources }))
}

/** `GET /exchanges/{exchange}/symbols`: the symbols of one exchange, those of spot markets first. */
export async function getSymbols(
  { exchanges }: { readonly exchanges: ExchangeLookup },
  name: string,
): Promise<Reply> {
  const exchange = exchanges.find(name.toLowerCase())
  if (!exchange) return refused(exchangeNotFound(name, nearNames(name, exchanges.ids())))
  try {
    const symbols = await exchange.source.symbols()
    return ok(JSON.stringify({ count: symbols.length, symbols }))
  } catch (error) {
    return refusedAfterWork(sourceRefusal(error, exchange.id, ''))
  }
}
