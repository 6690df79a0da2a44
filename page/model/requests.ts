import type { Market, Parameters, Study } from '../view/view.js'

/** How many candles the first picture has, and how many are added each time a person scrolls beyond them. */
export const pageSize = 500

/** The catalogue's entry whose values are the candles themselves: it makes them live. */
export const candleIndicator = 'candle'

/** Which candles: the newest ones, those before them, or those of a time in Unix seconds. */
export type Window =
  | { readonly results: number; readonly backtrack?: number }
  | { readonly from: number; readonly to: number }

/** Whether the newest candle is among them. */
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
