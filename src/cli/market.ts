import { Argument, InvalidArgumentError } from 'commander'
import leven from 'leven'
import { type Timeframe, timeframes } from '../candles/timeframe.js'
import { configure } from '../config.js'
import { canonicalSymbol, type Market } from '../contract/market.js'
import { ExchangeRegistry } from '../exchanges/registry.js'
import { Archive } from '../history/archive.js'
import { openEmbedded } from '../store/embedded.js'

/** Reads the name of an exchange, in any case; says which ones are spelled alike where there is none of that name. */
export function parseExchange(text: string): string {
  const name = text.toLowerCase()
  const exchanges = new ExchangeRegistry(configure())
  const id = exchanges.find(name)?.id
  if (id !== undefined) return id
  const near = exchanges
    .ids()
    .map(each => ({ each, distance: leven(each, name) }))
    .filter(({ each, distance }) => distance <= 2 || (name.length > 2 && each.startsWith(name)))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 5)
    .map(({ each }) => each)
  const hint = near.length > 0 ? `Similar: ${near.join(', ')}.` : 'candela exchanges lists them.'
  throw new InvalidArgumentError(`There is no such exchange. ${hint}`)
}

/** Reads a symbol in any spelling. */
export function parseSymbol(text: string): string {
  const symbol = canonicalSymbol(text.trim())
  if (!/^[A-Z0-9._$^=*:]{1,40}$/.test(symbol))
    throw new InvalidArgumentError('Expected a symbol such as BTCUSDT.')
  return symbol
}

/** The three words that name a market on a command line. */
export const marketArguments = (): Argument[] => [
  new Argument('<exchange>', 'such as binance; candela exchanges lists them').argParser(parseExchange),
  new Argument('<symbol>', 'such as BTCUSDT, btc-usdt or BTC/USDT').argParser(parseSymbol),
  new Argument('<timeframe>', 'length of a candle').choices(Object.keys(timeframes)),
]

/** The market that the three words name. */
export const marketOf = (exchange: string, symbol: string, timeframe: Timeframe): Market => ({
  exchange,
  symbol,
  timeframe,
})

/** A market as one calls it on a command line. */
export const nameOf = ({ exchange, symbol, timeframe }: Market): string =>
  `${exchange} ${symbol} ${timeframe}`

/** Does some work with the archive of the data directory. What cannot be read there is said on standard error. */
export async function withArchive(work: (archive: Archive) => void | Promise<void>): Promise<void> {
  const { dataDirectory, historyDepth } = configure()
  const store = openEmbedded(dataDirectory)
  try {
    const onCorrupt = (key: string, reason: string) => console.error(`candela: ${key}: ${reason}`)
    await work(new Archive(store.chunks, { depth: historyDepth, onCorrupt }))
  } finally {
    await store.close()
  }
}
