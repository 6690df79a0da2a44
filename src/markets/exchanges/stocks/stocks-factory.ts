import type { OnSpellings } from '../source.js'
import { alpaca } from './alpaca.js'
import { massive } from './massive.js'
import type { Provider } from './provider.js'
import { type ProviderName, placesOf, type StocksKeys, type StocksSettings } from './stocks.js'
import { StocksConnection } from './stocks-connection.js'
import { StocksSource } from './stocks-source.js'
import { twelveData } from './twelve-data.js'
import { yahoo } from './yahoo.js'

function openProvider(name: ProviderName, keys: StocksKeys, settings: StocksSettings): Provider {
  const { alpacaKey = '', alpacaSecret = '', alpacaFeed = 'iex', massiveKey = '', twelvedataKey = '' } = keys
  if (name === 'alpaca')
    return alpaca({ key: alpacaKey, secret: alpacaSecret, feed: alpacaFeed }, settings.alpaca ?? {})
  if (name === 'massive') return massive(massiveKey, settings.massive ?? {})
  if (name === 'twelvedata') return twelveData(twelvedataKey, settings.twelvedata ?? {})
  return yahoo(settings.url)
}

/** Creates the sources of the exchanges of stocks by their identifiers; undefined for all other exchanges. */
export function stocksFactory(
  keys: StocksKeys,
  settings: StocksSettings,
): (id: string, onSpellings?: OnSpellings) => StocksSource | undefined {
  const places = [...placesOf(keys).values()]
  // Exchanges of one provider share what it limits: the requests of a key, and its only connection for bars.
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
