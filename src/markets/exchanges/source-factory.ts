import { Sequence } from '../../runtime/sequence.js'
import { CcxtSource } from './ccxt/ccxt-source.js'
import { ResampledSource } from './resample.js'
import type { OnAnomaly, OnSpellings, Source } from './source.js'
import { alpaca } from './stocks/alpaca.js'
import { StocksConnection } from './stocks/bar-streams.js'
import { massive } from './stocks/massive.js'
import type { Provider } from './stocks/provider.js'
import { type ProviderName, type StocksKeys, type StocksSettings, stocksExchanges } from './stocks/stocks.js'
import { StocksSource } from './stocks/stocks-source.js'
import { twelveData } from './stocks/twelve-data.js'
import { yahoo } from './stocks/yahoo.js'
import type { SymbolCache } from './symbol-cache.js'

function openProvider(name: ProviderName, keys: StocksKeys, settings: StocksSettings): Provider {
  const { alpacaKey = '', alpacaSecret = '', alpacaFeed = 'iex', massiveKey = '', twelvedataKey = '' } = keys
  if (name === 'alpaca')
    return alpaca({ key: alpacaKey, secret: alpacaSecret, feed: alpacaFeed }, settings.alpaca ?? {})
  if (name === 'massive') return massive(massiveKey, settings.massive ?? {})
  if (name === 'twelvedata') return twelveData(twelvedataKey, settings.twelvedata ?? {})
  return yahoo(settings.url)
}

/** Creates the sources of stock exchanges by their identifiers. Undefined for all other exchanges. */
export function stocksFactory(
  keys: StocksKeys,
  settings: StocksSettings,
): (id: string, onSpellings?: OnSpellings) => StocksSource | undefined {
  const places = [...stocksExchanges(keys).values()]
  // Exchanges of one provider share its limits: the requests of a key, and the only connection for bars.
  const connections = new Map<ProviderName, StocksConnection>()
  return (id, onSpellings) => {
    const place = places.find(each => each.id === id)
    if (place === undefined) return undefined
    const { provider, adjustment } = place
    const { requestsPerSecond } = provider === 'yahoo' ? settings : (settings[provider] ?? {})
    const connection =
      connections.get(provider) ??
      new StocksConnection(id, openProvider(provider, keys, settings), settings, requestsPerSecond)
    connections.set(provider, connection)
    return new StocksSource(settings, onSpellings, id, connection, adjustment)
  }
}

/** Settings of all sources. They can be passed to another thread. */
export interface SourceSettings extends StocksKeys {
  /** ccxt options by exchange identifier. */
  readonly exchanges: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly stocks: StocksSettings
  readonly fetchTimeoutMs: number
}

export interface SourcePorts {
  readonly onAnomaly?: OnAnomaly
  readonly symbolCache?: SymbolCache
  readonly onSpellings?: OnSpellings
}

/** Creates the source of an exchange of ccxt or of `stocks`. Throws SourceFailure if the exchange does not exist. */
export type SourceFactory = (exchange: string, ports: SourcePorts) => Source

/** Creates the factory of all exchanges that need a network. */
export function sourceFactory(settings: SourceSettings): SourceFactory {
  const { exchanges, fetchTimeoutMs: timeoutMs } = settings
  const stocks = stocksFactory(settings, { ...settings.stocks, timeoutMs })
  // The exchanges of ccxt are opened one after the other, because each one loads code for about 30 ms.
  const openings = new Sequence()
  return (exchange, ports) => {
    const shares = stocks(exchange, ports.onSpellings)
    if (shares) return shares
    const options = exchanges[exchange] ?? {}
    const source = new CcxtSource(exchange, { options, timeoutMs, openings, ...ports })
    return new ResampledSource(source, exchange, ports.onAnomaly)
  }
}
