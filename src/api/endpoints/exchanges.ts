import type { ExchangeLookup } from '../../exchanges/registry.js'
import { ok, type Reply } from '../reply.js'

/** `GET /exchanges`: the identifiers of all exchanges, sorted. */
export function getExchanges({ exchanges }: { readonly exchanges: ExchangeLookup }): Reply {
  const ids = exchanges.ids()
  return ok(JSON.stringify({ exchanges: ids, count: ids.length }))
}
