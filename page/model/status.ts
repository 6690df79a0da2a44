import type { Market } from '../view/view.js'

/** The one thing that a person should know about the chart at present. Times are milliseconds as of `Date.now()`. */
export type Status =
  | { readonly kind: 'loading' }
  /** The service fetches the candles from the exchange for the first time. */
  | { readonly kind: 'pending'; readonly market: Market }
  | { readonly kind: 'live' }
  | { readonly kind: 'reconnecting'; readonly retryAt: number }
  /** The service does not answer. */
  | { readonly kind: 'stopped'; readonly retryAt: number }
  /** The exchange returns no newer candles: the newest one ended `age` seconds ago. */
  | { readonly kind: 'stale'; readonly exchange: string; readonly age: number }
  | { readonly kind: 'unavailable'; readonly error: string; readonly retryAt: number }
  /** The plan allows no more requests before the window ends. */
  | { readonly kind: 'limited'; readonly error: string; readonly retryAt: number }
  | { readonly kind: 'no-key'; readonly error: string | undefined }
  /** `near` are markets of similar names that exist. */
  | { readonly kind: 'unknown-market'; readonly error: string; readonly near: readonly Market[] }
  | { readonly kind: 'refused'; readonly error: string }
