import { type Adjustment, adjustments, nameOfAdjustment, stocksId } from '../../../contract/market.js'
import type { RetrySettings } from '../retry.js'

/** Providers limit the requests of a key or an address: candles without a stream are fetched this often. */
export const freshSeconds = 15

/** Streams have bars of minutes that have ended. */
export const barSeconds = 60

/** The providers, and which prices each has. */
const offered = {
  alpaca: ['split', 'raw', 'all'],
  massive: ['split', 'raw'],
  twelvedata: ['split', 'raw', 'all'],
  yahoo: ['split'],
} as const satisfies Readonly<Record<string, readonly Adjustment[]>>
export type ProviderName = keyof typeof offered
export const providerNames = Object.keys(offered) as [ProviderName, ...ProviderName[]]

/** Where a provider is asked, in place of its own addresses: a proxy, or a plan with addresses of its own. */
export interface ProviderPlace {
  readonly url?: string | undefined
  readonly streamUrl?: string | undefined
  /** Maximum requests per second. */
  readonly requestsPerSecond?: number | undefined
}

/** How the US stock market is fetched. */
export interface StocksSettings
  extends RetrySettings,
    Readonly<Partial<Record<Exclude<ProviderName, 'yahoo'>, ProviderPlace | undefined>>> {
  /** The address in place of Yahoo's own, for a proxy: `/v8/finance/chart/…` is appended to it. */
  readonly url?: string | undefined
  /** The address of `nasdaqtraded.txt`. */
  readonly symbolsUrl?: string | undefined
  /** Maximum requests per second to Yahoo. Default 4. */
  readonly requestsPerSecond?: number | undefined
  /** Milliseconds after which a request fails, its body included. Default 10 000. */
  readonly timeoutMs?: number
  /** Unix seconds. */
  readonly clock?: () => number
}

/** The keys of the providers, and in which order these are used. */
export interface StocksKeys {
  readonly stocksSources?: readonly ProviderName[] | undefined
  readonly alpacaKey?: string | undefined
  readonly alpacaSecret?: string | undefined
  readonly alpacaFeed?: 'iex' | 'sip' | undefined
  readonly massiveKey?: string | undefined
  readonly twelvedataKey?: string | undefined
}

/** Where the candles of one of the exchanges of stocks come from. */
export interface StocksPlace {
  /** The identifier of its series, which names the provider, so that no series has the candles of two. */
  readonly id: string
  readonly provider: ProviderName
  readonly adjustment: Adjustment
}

const hasKey = (name: ProviderName, keys: StocksKeys): boolean =>
  name === 'yahoo' ||
  (name === 'alpaca' ? Boolean(keys.alpacaKey && keys.alpacaSecret) : Boolean(keys[`${name}Key`]))

/**
 * The exchanges of stocks by their names: each has the first provider of the order that has a key and such prices. An exchange
 * that none serves is absent.
 */
export function placesOf(keys: StocksKeys): ReadonlyMap<string, StocksPlace> {
  const { stocksSources = providerNames, alpacaFeed = 'iex' } = keys
  const places = new Map<string, StocksPlace>()
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
