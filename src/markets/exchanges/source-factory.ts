import { Sequence } from '../../runtime/sequence.js'
import { CcxtSource } from './ccxt/ccxt-source.js'
import { ResampledSource } from './resample.js'
import type { OnAnomaly, OnSpellings, Source } from './source.js'
import type { StocksKeys, StocksSettings } from './stocks/stocks.js'
import { stocksFactory } from './stocks/stocks-factory.js'
import type { SymbolCache } from './symbol-cache.js'

/** The settings of all sources. They can be passed to another thread. */
export interface SourceSettings extends StocksKeys {
  /** ccxt options by exchange identifier. */
  readonly exchanges: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly stocks: StocksSettings
  readonly fetchTimeoutMs: number
}

/** What a source reports and stores. */
export interface SourcePorts {
  readonly onAnomaly?: OnAnomaly
  readonly symbolCache?: SymbolCache
  readonly onSpellings?: OnSpellings
}

/** Creates the source of an exchange of ccxt, or of `stocks`. Throws SourceFailure where there is no such exchange. */
export type SourceFactory = (exchange: string, ports: SourcePorts) => Source

/** The factory of all exchanges that send requests. */
export function sourceFactory(settings: SourceSettings): SourceFactory {
  const { exchanges, fetchTimeoutMs: timeoutMs } = settings
  const stocks = stocksFactory(settings, { ...settings.stocks, timeoutMs })
  // The exchanges of ccxt are opened one after the other: each one loads code for some 30 milliseconds.
  const openings = new Sequence()
  return (exchange, ports) => {
    const shares = stocks(exchange, ports.onSpellings)
    if (shares) return shares
    const options = exchanges[exchange] ?? {}
    const source = new CcxtSource(exchange, { options, timeoutMs, openings, ...ports })
    return new ResampledSource(source, exchange, ports.onAnomaly)
  }
}
