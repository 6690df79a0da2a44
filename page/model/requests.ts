import type { Market, Parameters, Study } from '../view/view.js'

/** Number of candles of the first picture, and of each page that scrolling adds. */
export const pageSize = 500

/** The indicator whose values are the candles themselves; a subscription to it makes the candles live. */
export const candleIndicator = 'candle'

/** A range of candles: the newest ones, the ones before them, or the candles of a time in Unix seconds. */
export type Window =
  | { readonly results: number; readonly backtrack?: number }
  | { readonly from: number; readonly to: number }

/** Whether the range includes the newest candle. */
export const reachesNewest = (window: Window): boolean => 'results' in window && !window.backtrack

/** The path of a request for candles. */
export function candlesPath({ exchange, symbol, timeframe }: Market, window: Window): string {
  const market = `exchange=${encodeURIComponent(exchange)}&symbol=${encodeURIComponent(symbol)}&timeframe=${timeframe}`
  return `candles?${market}${Object.entries(window)
    .map(([name, value]) => `&${name}=${value}`)
    .join('')}`
}

/** The name of the only construct in the page's requests. */
export const constructId = 'chart'

interface BulkIndicator {
  readonly [parameter: string]: Parameters[string]
}

/** The body of a bulk request for some indicators of one market. `window` may depend on the study. */
export function bulkBody(
  { exchange, symbol, timeframe }: Market,
  studies: readonly Study[],
  window: Window | ((study: Study) => Window),
) {
  const indicators: BulkIndicator[] = studies.map(study => ({
    id: study.id,
    indicator: study.indicator,
    ...(typeof window === 'function' ? window(study) : window),
    ...study.params,
  }))
  return { constructs: [{ id: constructId, exchange, symbol, timeframe, indicators }], verbose: true }
}

/** An indicator of a verbose bulk reply. */
export interface BulkEntry {
  readonly result: unknown
  readonly errors: readonly string[]
  readonly settled?: { readonly from: number | null }
}

/** The entries of a bulk reply by the ids of the studies, or why the service has no candles for them. */
export function readBulk(body: unknown): ReadonlyMap<string, BulkEntry> | string {
  const { _error, _asset, ...entries } =
    (body as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[constructId] ?? {}
  if (typeof _error === 'string') return _error
  return new Map(Object.entries(entries) as [string, BulkEntry][])
}
