import { maxAlertMarkets } from '../contract/limits.js'
import type { Market } from '../contract/market.js'
import { isRefusal, type Refusal } from '../contract/refusals.js'
import { noSymbolsOfQuote, tooManyAlertMarkets } from '../contract/screen-refusals.js'
import { symbolsAsked } from '../markets/asked-symbols.js'
import type { Exchange, ExchangeLookup } from '../markets/exchanges/registry.js'
import { listedSymbols } from '../markets/exchanges/source.js'
import { findExchange, type MarketData } from '../markets/history/market-data.js'
import type { NamedLists } from '../markets/named-lists.js'
import type { AlertRequest } from './alert.js'
import type { AskedAlert } from './request.js'

interface Places {
  readonly exchanges: Pick<ExchangeLookup, 'find' | 'ids'>
  readonly marketData: Pick<MarketData, 'canonical' | 'readWhenReady'>
  readonly lists: Pick<NamedLists, 'expand'>
}

/**
 * The request with its markets in the exchange's spelling. Refused if a market has no candles, or if there are no or
 * too many markets.
 */
export async function findMarkets(
  places: Places,
  { market, screen, others: otherMarkets, ...request }: AskedAlert,
  accountId: string,
): Promise<AlertRequest | Refusal> {
  for (const other of otherMarkets) {
    const found = await checkMarket(places, other, accountId)
    if (isRefusal(found)) return found
  }
  if (!screen) {
    const found = await checkMarket(places, market, accountId)
    return isRefusal(found) ? found : { ...request, markets: [found], screen }
  }
  const exchange = findExchange(places.exchanges, market.exchange)
  if (isRefusal(exchange)) return exchange
  const { symbols, quote } = screen
  const given = await symbolsAsked(exchange, screen, places.lists, accountId)
  if (isRefusal(given)) return given
  const names = symbols ? listedSymbols(exchange.source, given) : given
  const [first, ...others] = names.map(symbol => ({ ...market, exchange: exchange.id, symbol }))
  if (!first) return noSymbolsOfQuote(exchange.id, quote as string)
  if (names.length > maxAlertMarkets) return tooManyAlertMarkets(names.length, maxAlertMarkets)
  const fault = symbols && (await checkUnlisted(places, exchange, [first, ...others], accountId))
  return fault ?? { ...request, markets: [first, ...others], screen: { quote: symbols ? undefined : quote } }
}

/** Refuses the first unlisted market without candles. An exchange may have candles of markets that it does not list. */
async function checkUnlisted(
  places: Places,
  { source }: Exchange,
  markets: readonly Market[],
  accountId: string,
): Promise<Refusal | undefined> {
  const listed = new Set(await Promise.resolve(source.symbols()).catch(() => []))
  for (const market of markets) {
    if (listed.has(market.symbol)) continue
    const found = await checkMarket(places, market, accountId)
    if (isRefusal(found)) return found
  }
  return undefined
}

async function checkMarket(
  { marketData }: Places,
  market: Market,
  accountId: string,
): Promise<Market | Refusal> {
  const reading = await marketData.readWhenReady(market, accountId)
  return reading.kind === 'refused' ? reading.refusal : marketData.canonical(market)
}
