import { Turns } from '../runtime/turns.js'
import { createCcxtSource } from './ccxt/ccxt-source.js'
import type { SourceFactory } from './hosted-source.js'
import { createResampledSource } from './resample.js'
import { type StocksSettings, stocksId } from './stocks/stocks.js'
import { createStocksSource } from './stocks/stocks-source.js'

/** How exchanges are asked. It can be passed to another thread. */
export interface SourceSettings {
  /** ccxt options by exchange identifier. */
  readonly exchanges: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly stocks: StocksSettings
  readonly fetchTimeoutMs: number
}

/** The factory of all exchanges that send requests. */
export function sourceFactory({
  exchanges,
  stocks,
  fetchTimeoutMs: timeoutMs,
}: SourceSettings): SourceFactory {
  // The exchanges of ccxt are opened one after the other: each one loads code for some 30 milliseconds.
  const openings = new Turns()
  return (exchange, ports) => {
    if (exchange === stocksId) return createStocksSource({ ...stocks, timeoutMs })
    const options = exchanges[exchange] ?? {}
    const source = createCcxtSource(exchange, { options, timeoutMs, openings, ...ports })
    return createResampledSource(source, exchange, ports.onAnomaly)
  }
}
