import type { ListedMarket, Ticker } from './client.js'

/** What was traded in 24 hours, in the currency of the quote; undefined where the ticker does not tell it. */
function tradedOf({ quoteVolume, baseVolume, vwap, last }: Ticker): number | undefined {
  const traded = quoteVolume ?? (baseVolume ?? Number.NaN) * (vwap ?? last ?? Number.NaN)
  return Number.isFinite(traded) ? traded : undefined
}

/** Symbols of listed markets by what was traded in 24 hours: the most traded ones first, and those without a ticker left out. */
export function rankByVolume(
  markets: ReadonlyMap<string, Pick<ListedMarket, 'symbol'>>,
  tickers: readonly Ticker[],
): readonly string[] {
  const symbols = new Map([...markets].map(([symbol, market]) => [market.symbol, symbol]))
  const traded = new Map<string, number>()
  for (const ticker of tickers) {
    const symbol = symbols.get(ticker.symbol ?? '')
    const volume = tradedOf(ticker)
    if (symbol !== undefined && volume !== undefined) traded.set(symbol, volume)
  }
  const ranked = [...traded].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
  return Object.freeze(ranked.map(([symbol]) => symbol))
}
