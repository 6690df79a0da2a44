import { isTimeframe, type Market, type Timeframe, timeframeNames } from '../view/view.js'

/** The parts of a search for a market. */
export interface MarketQuery {
  /** Upper case, without slash or dash; empty if only an exchange or a timeframe was typed. */
  readonly symbol: string
  readonly timeframe: Timeframe | undefined
  /** Exchanges that were named, in full or by a prefix. */
  readonly exchanges: readonly string[]
}

/** Coins by their common names. */
const coins: Readonly<Record<string, string>> = {
  bitcoin: 'btc',
  ethereum: 'eth',
  ether: 'eth',
  solana: 'sol',
  ripple: 'xrp',
  cardano: 'ada',
  dogecoin: 'doge',
  litecoin: 'ltc',
  polkadot: 'dot',
  chainlink: 'link',
  avalanche: 'avax',
  tron: 'trx',
  stellar: 'xlm',
  monero: 'xmr',
}

const timeframeOf = (word: string): Timeframe | undefined => {
  if (word === '1M') return word
  const spelled = word
    .toLowerCase()
    .replace(/^(60m|60)$/, '1h')
    .replace(/^(240m|240)$/, '4h')
  return isTimeframe(spelled) ? spelled : timeframeNames.find(name => name === `1${spelled}`)
}

/** Splits `btc 1h`, `binance eth/usdt 4h` or `kraken:btcusd`. */
export function readMarketQuery(text: string, exchanges: readonly string[]): MarketQuery {
  const words = text.split(/[\s:]+/).filter(Boolean)
  const timeAt = words.findIndex(
    (word, at) => (at > 0 || /^\d/.test(word)) && timeframeOf(word) !== undefined,
  )
  const others = words.filter((_, at) => at !== timeAt).map(word => word.toLowerCase())
  const exact = others.filter(word => exchanges.includes(word))
  // A prefix of an exchange's name may also be a symbol (`btc`): it counts as the symbol unless there is another one.
  const begun = (word: string) =>
    exact.length === 0 && word.length >= 4 ? exchanges.filter(exchange => exchange.startsWith(word)) : []
  const plain = others.filter(word => !exact.includes(word))
  const hasSymbol = plain.some(word => begun(word).length === 0)
  const symbols = plain
    .filter(word => !hasSymbol || begun(word).length === 0)
    .map(word => coins[word] ?? word)
  const named = hasSymbol ? plain.flatMap(begun) : []
  return {
    symbol: symbols.join('').replace(/[/-]/g, '').toUpperCase(),
    timeframe: timeAt < 0 ? undefined : timeframeOf(words[timeAt] as string),
    exchanges: [...new Set([...exact, ...named])],
  }
}

/** Rank of a matching symbol, less being better; undefined without a match. */
function rankOf(symbol: string, wanted: string): number | undefined {
  if (wanted === '') return 3
  if (symbol === wanted) return 0
  if (symbol.startsWith(wanted)) return /^(USDT|USD|USDC|EUR)$/.test(symbol.slice(wanted.length)) ? 1 : 2
  return symbol.includes(wanted) ? 4 : undefined
}

/** The markets that fit best. The order of the exchanges in `symbols` decides among equals. */
export function findMarkets(
  query: MarketQuery,
  symbols: ReadonlyMap<string, readonly string[]>,
  timeframe: Timeframe,
  limit: number,
): readonly Market[] {
  const found: { readonly market: Market; readonly rank: number }[] = []
  for (const [exchange, names] of symbols) {
    if (query.exchanges.length > 0 && !query.exchanges.includes(exchange)) continue
    for (const symbol of names) {
      const rank = rankOf(symbol, query.symbol)
      if (rank === undefined) continue
      found.push({ market: { exchange, symbol, timeframe: query.timeframe ?? timeframe }, rank })
    }
  }
  return found
    .sort((a, b) => a.rank - b.rank || a.market.symbol.length - b.market.symbol.length)
    .slice(0, limit)
    .map(({ market }) => market)
}

/** Edit distance: the number of letters to insert, remove or change to get from one word to another. */
export function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const change = (row[j - 1] as number) + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row[other.length] as number
}

/** The names with the most similar spelling to `wanted`, most similar first. */
export function nearNames(wanted: string, names: readonly string[], limit = 5): readonly string[] {
  const ranked = names
    .map(name => {
      const isPart = wanted.length >= 3 && (name.startsWith(wanted) || wanted.startsWith(name))
      return { name, far: isPart ? 0.5 : distance(name, wanted) }
    })
    .sort((a, b) => a.far - b.far || a.name.length - b.name.length)
  // Names that are much less similar than the best one would be guesses.
  const most = Math.min(Math.max(2, Math.ceil(wanted.length / 2)), (ranked[0]?.far ?? 0) + 1)
  return ranked.flatMap(({ name, far }) => (far <= most ? [name] : [])).slice(0, limit)
}
