import { type Adjustment, adjustments, nameOfAdjustment, stocksId } from '../../../contract/market.js'
import type { RetrySettings } from '../retry.js'

/** Seconds between fetches of candles without a stream, because providers limit the requests of a key or an address. */
export const freshSeconds = 15

/** Seconds between the bars of a stream, which has closed minutes only. */
export const barSeconds = 60

/** Price adjustments of each provider. */
const offered = {
  alpaca: ['split', 'raw', 'all'],
  massive: ['split', 'raw'],
  twelvedata: ['split', 'raw', 'all'],
  yahoo: ['split'],
} as const satisfies Readonly<Record<string, readonly Adjustment[]>>
export type ProviderName = keyof typeof offered
export const providerNames = Object.keys(offered) as [ProviderName, ...ProviderName[]]

/** Addresses and rate of a provider, for a proxy or for a plan with its own addresses. */
export interface ProviderAddress {
  readonly url?: string | undefined
  readonly streamUrl?: string | undefined
  readonly requestsPerSecond?: number | undefined
}

export interface StocksSettings
  extends RetrySettings,
    Readonly<Partial<Record<Exclude<ProviderName, 'yahoo'>, ProviderAddress | undefined>>> {
  /** Address instead of Yahoo's own, for a proxy. `/v8/finance/chart/…` is appended to it. */
  readonly url?: string | undefined
  readonly symbolsUrl?: string | undefined
  /** Maximum requests per second to Yahoo. Default 4. */
  readonly requestsPerSecond?: number | undefined
  /** Milliseconds after which a request fails, including its body. Default 10 000. */
  readonly timeoutMs?: number
  readonly clock?: () => number
}

/** Keys of the providers, and the order of providers (`stocksSources`). */
export interface StocksKeys {
  readonly stocksSources?: readonly ProviderName[] | undefined
  readonly alpacaKey?: string | undefined
  readonly alpacaSecret?: string | undefined
  readonly alpacaFeed?: 'iex' | 'sip' | undefined
  readonly massiveKey?: string | undefined
  readonly twelvedataKey?: string | undefined
}

export interface StocksExchange {
  /** Identifier of the series. It names the provider, so that no series mixes the candles of two providers. */
  readonly id: string
  readonly provider: ProviderName
  readonly adjustment: Adjustment
}

const hasKey = (name: ProviderName, keys: StocksKeys): boolean =>
  name === 'yahoo' ||
  (name === 'alpaca' ? Boolean(keys.alpacaKey && keys.alpacaSecret) : Boolean(keys[`${name}Key`]))

/**
 * Stock exchanges by name. Each has the first provider in the order with a key and such prices. Exchanges without a
 * provider are omitted.
 */
export function stocksExchanges(keys: StocksKeys): ReadonlyMap<string, StocksExchange> {
  const { stocksSources = providerNames, alpacaFeed = 'iex' } = keys
  const places = new Map<string, StocksExchange>()
  for (const adjustment of adjustments) {
    const provider = stocksSources.find(
      name => hasKey(name, keys) && (offered[name] as readonly Adjustment[]).includes(adjustment),
    )
    if (provider === undefined) continue
    const suffix = adjustment === 'split' ? '' : `-${adjustment}`
    const source = provider === 'alpaca' ? `alpaca-${alpacaFeed}` : provider
    const id = provider === 'yahoo' ? stocksId : `${stocksId}-${source}${suffix}`
    places.set(nameOfAdjustment(adjustment), { id, provider, adjustment })
  }
  return places
}
