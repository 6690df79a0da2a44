import type { Market, Parameters, Study } from '../view/view.js'

/** How many candles the first picture has, and how many are added each time a person scrolls beyond them. */
export const pageSize = 500

/** The path of a request for candles. */
export const candlesPath = (
  { exchange, symbol, timeframe }: Market,
  results: number,
  backtrack = 0,
): string =>
  `candles?exchange=${encodeURIComponent(exchange)}&symbol=${encodeURIComponent(symbol)}&timeframe=${timeframe}&results=${results}${backtrack > 0 ? `&backtrack=${backtrack}` : ''}`

/** The name of the only construct in the page's requests. */
export const constructId = 'chart'

interface BulkIndicator {
  readonly [parameter: string]: Parameters[string]
}

/** The body of a bulk request for some indicators of one market. */
export function bulkBody(
  { exchange, symbol, timeframe }: Market,
  studies: readonly Study[],
  results: number,
  backtrack = 0,
) {
  const indicators: BulkIndicator[] = studies.map(({ id, indicator, params }) => ({
    id,
    indicator,
    results,
    ...(backtrack > 0 ? { backtrack } : {}),
    ...params,
  }))
  return { constructs: [{ id: constructId, exchange, symbol, timeframe, indicators }], verbose: true }
}

/** An indicator of a verbose bulk reply. */
export interface BulkEntry {
  readonly result: unknown
  readonly errors: readonly string[]
}

/** The entries of a bulk reply by the ids of the studies, or why the service has no candles for them. */
export function readBulk(body: unknown): ReadonlyMap<string, BulkEntry> | string {
  const { _error, _asset, ...entries } =
    (body as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[constructId] ?? {}
  if (typeof _error === 'string') return _error
  return new Map(Object.entries(entries) as [string, BulkEntry][])
}
