import { canonicalSymbol } from '../../contract/market.js'
import type { ListedMarket } from './client.js'

/** The markets of an exchange that candles are given of. */
export interface Listing {
  /** By symbol without the slash. */
  readonly markets: ReadonlyMap<string, ListedMarket>
  /** Those of spot markets first, then the others, each sorted. */
  readonly symbols: readonly string[]
}

/** Lower comes first: spot, perpetual swaps, dated futures; among those linear, then inverse, and settled in the quote first. */
function rank(market: ListedMarket): number {
  if (market.spot) return 0
  return (market.swap ? 0 : 4) + (market.inverse ? 2 : 0) + (market.settle === market.quote ? 1 : 2)
}

/**
 * Markets by their symbol without the slash. Options and markets known to be closed are left out. Where several share
 * a symbol the order of `rank` decides, then the nearest expiry, then ccxt's symbol.
 */
export function listingOf(markets: Iterable<ListedMarket>): Listing {
  const table = new Map<string, ListedMarket>()
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
    if (!table.has(symbol)) table.set(symbol, market)
  }
  const symbols = (isSpot: boolean) =>
    [...table]
      .filter(([, market]) => Boolean(market.spot) === isSpot)
      .map(([symbol]) => symbol)
      .sort()
  return { markets: table, symbols: Object.freeze([...symbols(true), ...symbols(false)]) }
}
