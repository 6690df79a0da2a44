import { nearNames } from '../../contract/hints.js'
import { isStocks, marketShape, stocksSourceOf } from '../../contract/market.js'
import { exchangeNotFound } from '../../contract/refusals.js'
import type { ExchangeLookup } from '../../markets/exchanges/registry.js'
import { sourceRefusal } from '../../markets/history/candle-fetcher.js'
import { ok, type Reply, refused, refusedAfterWork } from '../reply.js'
import { get, type KeyRoute } from '../route.js'

export interface Dependencies {
  readonly exchanges: ExchangeLookup
}

/** `GET /exchanges`: the sorted identifiers of all exchanges, and the data sources of stock exchanges. */
function getExchanges({ exchanges }: Dependencies): Reply {
  const ids = exchanges.ids()
  const sources = Object.fromEntries(
    ids.filter(isStocks).map(name => [name, stocksSourceOf(exchanges.find(name)?.id ?? name)]),
  )
  return ok(JSON.stringify({ exchanges: ids, count: ids.length, sources }))
}

/** `GET /exchanges/{exchange}/symbols`: the symbols of one exchange, spot markets first. */
async function getSymbols({ exchanges }: Dependencies, name: string): Promise<Reply> {
  const exchange = exchanges.find(name.toLowerCase())
  if (!exchange) return refused(exchangeNotFound(name, nearNames(name, exchanges.ids())))
  try {
    const symbols = await exchange.source.symbols()
    return ok(JSON.stringify({ count: symbols.length, symbols }))
  } catch (error) {
    return refusedAfterWork(sourceRefusal(error, exchange.id, ''))
  }
}

export const exchangesRoute: KeyRoute<Dependencies> = get({
  path: '/exchanges',
  hasNoQuery: true,
  answer: getExchanges,
  describe: () => ({
    id: 'exchanges',
    tag: 'Market data',
    summary: 'The exchanges',
    replies: { 200: { description: 'Identifiers.', schema: 'exchangeList' } },
  }),
})

export const symbolsRoute: KeyRoute<Dependencies> = get({
  path: '/exchanges/{exchange}/symbols',
  hasNoQuery: true,
  answer: (parts, { segment }) => getSymbols(parts, segment),
  describe: () => ({
    id: 'symbols',
    tag: 'Market data',
    summary: 'The symbols of an exchange',
    segment: marketShape().exchange,
    replies: { 200: { description: 'Symbols, those of spot markets first.', schema: 'symbolList' } },
    statuses: [404],
  }),
})
