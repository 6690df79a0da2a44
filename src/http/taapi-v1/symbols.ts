/** The assets that markets are quoted in, longer ones before their endings. */
const quoteAssets = [
  'FDUSD',
  'USDT',
  'USDC',
  'BUSD',
  'TUSD',
  'USDE',
  'DAI',
  'USD',
  'EUR',
  'GBP',
  'JPY',
  'KRW',
  'TRY',
  'BRL',
  'AUD',
  'BTC',
  'ETH',
  'BNB',
  'SOL',
]

/**
 * Symbols as version 1 lists them: with a slash before the quote asset. Symbols are listed without one here, so it is
 * found by its name; a symbol that ends in none of those known stays as it is.
 */
export function symbolList(
  symbols: readonly string[],
  type: string,
  quoteAsset: string | undefined,
): readonly string[] {
  if (type === 'stocks') return symbols
  const wanted = quoteAsset?.toUpperCase()
  const known = wanted === undefined ? quoteAssets : [wanted]
  return symbols.flatMap(symbol => {
    const quote = known.find(asset => symbol.endsWith(asset) && symbol.length > asset.length)
    if (quote === undefined) return wanted === undefined ? [symbol] : []
    return [`${symbol.slice(0, -quote.length)}/${quote}`]
  })
}
