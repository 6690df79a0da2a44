import { type OlderCandles, type Snapshot, timestampAt } from '../../candles/columns.js'
import { formatTime } from '../../candles/format-time.js'
import { candlesBetween, endOf, openOf, type Timeframe, timeframes } from '../../candles/timeframe.js'
import { type Market, marketKey } from '../../contract/market.js'
import { rangeBeforeHistory } from '../../contract/refusals.js'
import { type Archive, maxDepth, maxKeyLength } from '../archive/archive.js'
import type { Source } from '../exchanges/source.js'
import { backfill } from './backfill.js'
import { FirstFetches } from './candle-fetcher.js'
import type { OlderLocation } from './older-reader.js'
import type { FetchProgress, Pending, Reading, RefusedMarket } from './reading.js'

/** Requested part of a history, for a query with a time range. */
export interface RequestedHistory {
  /** Start of the time, in Unix seconds; -Infinity if it starts with the history. */
  readonly from: number
  /** Maximum number of candles fetched for the query, counted from the newest. */
  readonly most: number
  /** Whether a thread reads the series even if all of it is in memory, as for charts whose bars are not all in memory. */
  readonly isByThread?: boolean
}

/** A market with its source, and the account that requests it. */
interface RangeRequest {
  readonly market: Market
  readonly source: Source
  readonly requested: RequestedHistory
  readonly callerId: string | undefined
}

/** Candles for a query with a time range. */
export type RangeReading = Reading | RefusedMarket | Pending<Reading | RefusedMarket>

interface Options {
  readonly archive: Archive | undefined
  /** Location of the archived candles of a series for threads. */
  readonly locationOf: ((key: string) => OlderLocation) | undefined
  /** Number of candles fetched before a time, for the warm-up. */
  readonly depth: number
  readonly clock: () => number
  /** Reads the candles of a market that are in memory. */
  readonly read: (request: RangeRequest) => Reading | Pending | Promise<Reading | Pending>
  /** Reads the candles of a series in memory from the archive again. */
  readonly reload: (key: string) => void
  /** Throws the failure of an earlier fetch for as long as this failure is repeated to callers. */
  readonly throwFailed: (key: string) => void
  /** Called with a failed fetch and its start, as `performance.now()`. */
  readonly onFailed: (
    request: Pick<RangeRequest, 'market' | 'source'>,
    error: unknown,
    startedAt: number,
  ) => void
}

/** Reason why a history lacks older candles that an exchange has. */
const notFetched = 'RANGE_DEPTH is how many are fetched at most'
/** A fetch costs an exchange's time for hundreds of requests. */
const fetchLimits = { total: 50, perCaller: 5 }
/** Newest candles of a series that may not be archived yet: the forming one, and the one before it. */
const notArchived = 2

/**
 * Reads histories for queries for a time, with archived candles that are older than those in memory. Candles that
 * the archive lacks are fetched; the reading is pending during the fetch. These candles stay in the archive as long
 * as it has room.
 */
export class RangeReader {
  readonly #fetches = new FirstFetches<Pending<void>>(fetchLimits)
  /** Numbers of archived candles of series, by lineage. The number changes if the candles may have changed. */
  readonly #ids = new WeakMap<object, number>()
  #lastId = 0

  constructor(private readonly options: Options) {}

  /** Throws or rejects as `History.read` does. */
  read(request: RangeRequest): RangeReading | Promise<RangeReading> {
    const reading = this.options.read(request)
    return 'kind' in reading
      ? this.#extend(request, reading)
      : reading.then(read => this.#extend(request, read))
  }

  #extend(request: RangeRequest, reading: Reading | Pending): RangeReading | Promise<RangeReading> {
    if (reading.kind === 'pending') return this.#after(request, reading)
    const {
      inputs: [snapshot],
    } = reading
    const { market, source } = request
    const { archive, locationOf } = this.options
    if (snapshot.count === 0) return reading
    if (source.isComputed)
      return withOlder(reading, computedBefore(snapshot, market, source, request.requested))
    const key = marketKey(market)
    if (!archive || !locationOf || key.length > maxKeyLength) return reading
    const preparing = archive.prepare(key)
    return preparing
      ? preparing.then(() => this.#extendArchived(request, reading, archive, locationOf))
      : this.#extendArchived(request, reading, archive, locationOf)
  }

  /** Continues after a pending reading has arrived. */
  #after(request: RangeRequest, pending: Pending<unknown>): Pending<Reading | RefusedMarket> {
    const ready = pending.ready.then(async () => {
      const reading = await this.read(request)
      return reading.kind === 'pending' ? reading.ready : reading
    })
    // Possibly no one waits for the result.
    ready.catch(() => {})
    return { ...pending, ready }
  }

  #extendArchived(
    request: RangeRequest,
    reading: Reading,
    archive: Archive,
    locationOf: (key: string) => OlderLocation,
  ): RangeReading {
    const { market } = request
    const { timeframe } = market
    const {
      inputs: [snapshot],
    } = reading
    const requested = { ...request.requested, most: Math.min(request.requested.most, maxDepth) }
    const key = marketKey(market)
    const first = timestampAt(snapshot, 0)
    const { count, requestedDepth, wholeFrom, ...stored } = archive.info(key)
    const oldest = count > 0 ? Math.min(first, stored.first) : first
    if (requested.from !== Number.NEGATIVE_INFINITY) {
      const isBounded = requestedDepth >= requested.most
      const hasMore = !isBounded || count + notArchived >= requestedDepth
      const isNear = candlesBetween(timeframe, requested.from, this.options.clock()) <= requested.most
      const isThere = oldest <= this.#target(request) && (count > 0 ? wholeFrom : oldest) <= requested.from
      if (!isThere && !isBounded && isNear)
        return this.#after(request, this.#fetch({ ...request, requested }, archive))
      if (oldest > requested.from && hasMore)
        return { kind: 'refused', refusal: rangeBeforeHistory(formatTime(oldest), count, notFetched) }
    }
    if (oldest === first && !requested.isByThread) return withOlder(reading, undefined)
    const id = `${this.#idOf(snapshot)}:${oldest}`
    return withOlder(reading, { timeframe, first: oldest, id, location: locationOf(key) })
  }

  #idOf({ columns: { lineage } }: Snapshot): number {
    const known = this.#ids.get(lineage) ?? ++this.#lastId
    this.#ids.set(lineage, known)
    return known
  }

  /** Open time of the oldest candle fetched for a time. */
  #target({ market: { timeframe }, requested }: RangeRequest): number {
    return requested.from - this.options.depth * timeframes[timeframe]
  }

  #fetch(request: RangeRequest, archive: Archive): Pending<void> {
    const { market, callerId } = request
    const key = marketKey(market)
    const known = this.#fetches.get(key)
    if (known) return known
    this.options.throwFailed(key)
    this.#fetches.check(key, callerId)
    const progress = { done: 0, total: this.#wanted(request) }
    const startedAt = performance.now()
    const ready = this.#fetchAll(request, archive, progress)
      .catch(error => {
        this.options.onFailed(request, error, startedAt)
        throw error
      })
      .finally(() => this.#fetches.finish(key, callerId))
    const fetch: Pending<void> = { kind: 'pending', key: `candles:${key}`, ready, progress }
    this.#fetches.add(key, fetch, callerId)
    return fetch
  }

  /** Maximum number of candles from the oldest one fetched for a time up to now. */
  #wanted(request: RangeRequest): number {
    const { timeframe } = request.market
    const candles = Math.ceil(candlesBetween(timeframe, this.#target(request), this.options.clock()))
    return Math.min(request.requested.most, candles)
  }

  async #fetchAll(request: RangeRequest, archive: Archive, progress: FetchProgress): Promise<void> {
    const { market, source, requested } = request
    const { clock, reload } = this.options
    const key = marketKey(market)
    const target = this.#target(request)
    // These are not all the candles that an operator requested, so a full archive may drop the series.
    const run = backfill({ archive, source, market, depth: requested.most, clock, isOnDemand: true })
    for await (const { done, back = Number.POSITIVE_INFINITY, isExhausted } of run) {
      progress.done = done
      if (back <= target && !isExhausted) break
    }
    reload(key)
  }
}

/** A reading for a time, with the candles older than those in memory. If there are none, the time may begin before them. */
const withOlder = (reading: Reading, older: OlderCandles | undefined): Reading => {
  const {
    inputs: [snapshot],
  } = reading
  return { ...reading, inputs: [older ? { ...snapshot, older } : { ...snapshot, isFull: false }] }
}

/** Candles of a computed market that are older than those in memory. */
function computedBefore(
  snapshot: Snapshot,
  market: Market,
  source: Source,
  { isByThread }: RequestedHistory,
): OlderCandles | undefined {
  const { symbol, timeframe } = market
  const beginning = source.beginning?.(timeframe)
  if (beginning === undefined) return undefined
  const first = firstOpen(timeframe, beginning)
  if (timestampAt(snapshot, 0) <= first && !isByThread) return undefined
  const location: OlderLocation = { kind: 'computed', symbol, timeframe, first }
  return { timeframe, first, id: marketKey(market), location }
}

/** Open time of the first whole candle after the start of a history. */
function firstOpen(timeframe: Timeframe, beginning: number): number {
  const open = openOf(timeframe, beginning)
  return open < beginning ? endOf(timeframe, open) : open
}
