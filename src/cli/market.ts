import { Argument, InvalidArgumentError } from 'commander'
import { type Timeframe, timeframes } from '../candles/timeframe.js'
import { configure } from '../config.js'
import { nearNames } from '../contract/hints.js'
import { canonicalSymbol, type Market } from '../contract/market.js'
import { ExchangeRegistry } from '../exchanges/registry.js'
import { Archive } from '../history/archive.js'
import { type CommonOptions, printNote } from './failure.js'
import { withStore } from './store.js'

/** Parses the name of an exchange, in upper or lower case. The error for an unknown one lists similar names. */
export function parseExchange(text: string): string {
  const name = text.toLowerCase()
  const exchanges = new ExchangeRegistry(configure())
  const id = exchanges.find(name)?.id
  if (id !== undefined) return id
  const ids = exchanges.ids()
  const longer = name.length > 2 ? ids.filter(each => each.startsWith(name)) : []
  const similar = [...new Set([...nearNames(name, ids), ...longer])].slice(0, 5)
  const hint = similar.length > 0 ? `Similar: ${similar.join(', ')}.` : 'candela exchanges lists them.'
  throw new InvalidArgumentError(`There is no such exchange. ${hint}`)
}

/** Parses a symbol in any spelling. */
export function parseSymbol(text: string): string {
  const symbol = canonicalSymbol(text.trim())
  if (!/^[A-Z0-9._$^=*:]{1,40}$/.test(symbol))
    throw new InvalidArgumentError('Expected a symbol such as BTCUSDT.')
  return symbol
}

export const parseSymbols = (text: string): readonly string[] => text.split(',').map(parseSymbol)

/** The three arguments that name a market. */
export const marketArguments = (): Argument[] => [
  new Argument('<exchange>', 'such as binance; candela exchanges lists them').argParser(parseExchange),
  new Argument('<symbol>', 'such as BTCUSDT, btc-usdt or BTC/USDT').argParser(parseSymbol),
  new Argument('<timeframe>', 'length of a candle').choices(Object.keys(timeframes)),
]

/** The market that the three arguments name. */
export const marketOf = (exchange: string, symbol: string, timeframe: Timeframe): Market => ({
  exchange,
  symbol,
  timeframe,
})

/** The three arguments that name this market, as a text. */
export const nameOf = ({ exchange, symbol, timeframe }: Market): string =>
  `${exchange} ${symbol} ${timeframe}`

/** Opens the archive for a command. Damaged parts of it are reported on standard error. */
export const withArchive = (
  command: (archive: Archive) => void | Promise<void>,
  options: CommonOptions = {},
): Promise<void> =>
  withStore(async ({ chunks }) => {
    const onCorrupt = (key: string, reason: string) => printNote(`${key}: ${reason}`, options)
    await command(new Archive(chunks, { depth: configure().historyDepth, onCorrupt }))
    await chunks.flush?.()
  })
