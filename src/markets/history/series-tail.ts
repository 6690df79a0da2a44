import type { Candle } from '../../candles/candle.js'
import type { Snapshot } from '../../candles/columns.js'
import { type Factors, isInAnotherScale, restInScale, scaleOf } from '../../candles/rescale.js'
import { candlesBetween, endOf } from '../../candles/timeframe.js'
import type { FetchedCandles } from '../exchanges/source.js'
import type { CacheEntry } from './cache-entry.js'
import type { CandleFetcher } from './candle-fetcher.js'

/** What was fetched to bring a series up to date. */
export interface Tail {
  readonly candles: readonly Candle[]
  /**
   * What they are: the newest candles, to be added to the series; all of its candles, so that holes are filled too; or
   * a replacement of all that was there.
   */
  readonly kind: 'newest' | 'all' | 'replacement'
  /** When the exchange was asked for the newest of them (Unix seconds), where that was before this fetch. */
  readonly requestedAt: number | undefined
  /** By what known candles were multiplied, where they were. */
  readonly scale?: Factors
  /** What became of older candles, in words, where the exchange shows the series in another scale and does not show them. */
  readonly note?: string
}

/**
 * Candles that a request between two known ones asks for more than there is time between: some sources answer with the
 * newest candles whatever `until` says, and a few of them may have begun meanwhile.
 */
const spareCandles = 5

/**
 * Fetches what a series lacks at its end, or all of it where otherwise it would have a hole or two scales. `now` is the
 * time of the exchange, in Unix seconds; candles that were requested at `since` or later will do.
 */
export async function fetchTail(
  fetcher: CandleFetcher,
  entry: CacheEntry,
  now: number,
  since: number,
): Promise<Tail> {
  const { series, market } = entry
  const { depth, newestClosed } = series
  const isIncomplete = entry.archived?.isIncomplete === true
  const missing = Math.max(0, Math.ceil(candlesBetween(market.timeframe, series.newest ?? 0, now))) + 2
  const isWhole = isIncomplete || missing >= depth
  const newest = await fetcher.fetch(entry, isWhole ? depth : missing, { since })
  const candles = isWhole ? newest : await fetchBetween(fetcher, entry, newest)
  // After the clock was set back, the older candles of a computed series may have been dropped when it was set forward.
  if (entry.source.isComputed && series.isContradicted(candles, now))
    return tailOf(await fetcher.fetch(entry, depth), 'replacement')
  if (isInAnotherScale(series.snapshot(), candles, entry.source.isRestated)) {
    const all = await fetcher.fetch(entry, depth)
    return rescaledTail(series.snapshot(), all)
  }
  // All candles that the series may have are newer than its last one: what lies between is beyond its depth. A market
  // that was closed meanwhile (a weekend of stocks) goes on where it was instead.
  const oldest = candles[0]?.timestamp
  if (isWhole && oldest !== undefined && oldest > (newestClosed ?? Number.NEGATIVE_INFINITY))
    return tailOf(candles, 'replacement')
  return tailOf(candles, isIncomplete ? 'all' : 'newest')
}

const tailOf = (candles: FetchedCandles, kind: Tail['kind']): Tail => ({
  candles,
  kind,
  requestedAt: candles.requestedAt,
})

/**
 * All candles that an exchange has of a series some of whose candles it shows in another scale. Those that it does not show
 * are never dropped: they are brought to the same scale, or kept where that cannot be told.
 */
export function rescaledTail(known: Snapshot, candles: FetchedCandles): Tail {
  const scale = scaleOf(known, candles)
  const oldest = candles[0]?.timestamp
  const hasOlder = oldest !== undefined && known.closed > 0 && (known.columns.timestamp[0] as number) < oldest
  const older = hasOlder ? `candles before ${new Date(oldest * 1000).toISOString()}` : ''
  if (scale === 'same' || scale === 'unknown') {
    const isMixed = hasOlder && scale === 'unknown'
    return {
      ...tailOf(candles, 'all'),
      ...(isMixed && { note: `${older} are kept, and may be in another price scale than newer ones` }),
    }
  }
  const all: FetchedCandles = [...restInScale(known, candles, scale), ...candles]
  return {
    ...tailOf(all, 'replacement'),
    requestedAt: candles.requestedAt,
    scale,
    ...(hasOlder && {
      note: `prices of ${older} were multiplied by ${scale.price}, volumes by ${scale.volume}`,
    }),
  }
}

/** The newest candles with those between them and the series: an exchange may answer fewer than it was asked for. */
async function fetchBetween(
  fetcher: CandleFetcher,
  entry: CacheEntry,
  newest: FetchedCandles,
): Promise<FetchedCandles> {
  const { timeframe } = entry.market
  const last = entry.series.newestClosed
  if (last === undefined) return newest
  let candles = newest
  const { requestedAt } = newest
  for (;;) {
    const oldest = candles[0]?.timestamp
    if (oldest === undefined || oldest <= endOf(timeframe, last)) return candles
    const end = (candles.at(-1) as Candle).timestamp
    const count = Math.ceil(candlesBetween(timeframe, last, end)) + spareCandles
    const older = await fetcher.fetch(entry, count, { until: oldest })
    const between = older.filter(({ timestamp }) => timestamp < oldest)
    // The exchange has none: nothing was traded between.
    if (between.length === 0) return candles
    candles = Object.assign([...between, ...candles], requestedAt === undefined ? {} : { requestedAt })
  }
}
