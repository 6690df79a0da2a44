import { canonicalSymbol } from '../../contract/market.js'
import type { ListedMarket } from './client.js'

/** The markets of an exchange that have candles. */
export interface Listing {
  /** By symbol without the slash. */
  readonly markets: ReadonlyMap<string, ListedMarket>
  /** Those of spot markets first, then the others, each sorted. */
  readonly symbols: readonly string[]
}

/** The lowest rank comes first: spot, perpetual swaps, dated futures; of these linear before inverse, settled in the quote first. */
function rank(market: ListedMarket): number {
  if (market.spot) return 0
  return (market.swap ? 0 : 4) + (market.inverse ? 2 : 0) + (market.settle === market.quote ? 1 : 2)
}

/**
 * Markets by their symbol without the slash. Options and closed markets are left out. Where several markets share a
 * symbol, the lowest rank is listed, then the nearest expiry, then the first by ccxt's symbol.
 */
export function listingOf(markets: Iterable<ListedMarket>): Listing {
  const bySymbol = new Map<string, ListedMarket>()
  const usable = [...markets].filter(
    market =>
      market.base && market.quote && market.active !== false && (market.spot || market.swap || market.future),
  )
  usable.sort(
    (a, b) =>
      rank(a) - rank(b) ||
      (a.expiry ?? 0) - (b.expiry ?? 0) ||
      (a.symbol < b.symbol ? -1 : a.symbol > b.symbol ? 1 : 0),
  )
  for (const market of usable) {
    const symbol = canonicalSymbol(market.base + market.quote)
    if (!bySymbol.has(symbol)) bySymbol.set(symbol, market)
  }
  const symbols = (isSpot: boolean) =>
    [...bySymbol]
      .filter(([, market]) => Boolean(market.spot) === isSpot)
      .map(([symbol]) => symbol)
      .sort()
  return { markets: bySymbol, symbols: Object.freeze([...symbols(true), ...symbols(false)]) }
}
