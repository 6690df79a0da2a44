import { Argument, type Command, InvalidArgumentError } from 'commander'
import { oldCandlesNote } from '../candles/age.js'
import { type Chart, hasCandleTimes } from '../candles/charts/chart.js'
import { type Timeframe, timeframes } from '../candles/timeframe.js'
import { nearNames } from '../contract/hints.js'
import { isStocks, type Market, usualIntervalOf } from '../contract/market.js'
import { ExchangeRegistry } from '../markets/exchanges/registry.js'
import { tradingHours } from '../markets/exchanges/stocks/trading-hours.js'
import { configure } from '../operate/settings/config.js'
import { action } from './failure.js'
import { parseSymbol } from './option-parsers.js'

/** Parses the name of an exchange, in upper or lower case. The error for an unknown exchange lists similar names. */
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

export const exchangeArgument = () =>
  new Argument('<exchange>', 'such as binance; candela exchanges lists them').argParser(parseExchange)

export const timeframeArgument = () =>
  new Argument('<timeframe>', 'length of a candle').choices(Object.keys(timeframes))

/** Adds the three arguments that name a market. */
export const addMarket = (command: Command): Command =>
  command
    .addArgument(exchangeArgument())
    .addArgument(new Argument('<symbol>', 'such as BTCUSDT, btc-usdt or BTC/USDT').argParser(parseSymbol))
    .addArgument(timeframeArgument())

/** Action of a command whose first arguments are those of `addMarket`. */
export const marketAction = (run: (market: Market, ...rest: never[]) => Promise<void>) =>
  action((exchange: string, symbol: string, timeframe: Timeframe, ...rest: never[]) =>
    run({ exchange, symbol, timeframe }, ...rest),
  )

/** Text of the three arguments that name a market. */
export const nameOf = ({ exchange, symbol, timeframe }: Market): string =>
  `${exchange} ${symbol} ${timeframe}`

/**
 * Note on a market whose newest candle is old. The candle opens at `newest` (Unix seconds). Returns undefined if it is not old, and
 * for price-based bars, whose last bar may have closed long ago.
 */
export function oldMarketNote(
  { exchange, symbol, timeframe }: Market,
  newest: number,
  chart?: Chart,
): string | undefined {
  if (!hasCandleTimes(chart)) return undefined
  const hours = isStocks(exchange) ? tradingHours : undefined
  const interval = usualIntervalOf(symbol)
  return oldCandlesNote(timeframe, newest, Date.now() / 1000, { hours, interval })
}
