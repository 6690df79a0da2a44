import type { RetrySettings } from '../retry.js'

/** The identifier of the exchange, as failures name it. */
export const stocksId = 'stocks'

/** Yahoo limits the requests of an address per hour and does not publish the number. */
export const freshSeconds = 15

/** How the US stock market is fetched. */
export interface StocksSettings extends RetrySettings {
  /** The address in place of Yahoo's own, for a proxy: `/v8/finance/chart/…` is appended to it. */
  readonly url?: string | undefined
  /** The address of `nasdaqtraded.txt`. */
  readonly symbolsUrl?: string | undefined
  /** Maximum requests per second. Default 4. */
  readonly requestsPerSecond?: number | undefined
  /** Milliseconds after which a request fails, its body included. Default 10 000. */
  readonly timeoutMs?: number
  /** Unix seconds. */
  readonly clock?: () => number
}
