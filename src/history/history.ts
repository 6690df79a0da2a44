import { LRUCache } from 'lru-cache'
import { type Candle, isEarlier } from '../candles/candle.js'
import type { Snapshot } from '../candles/columns.js'
import { isRescaled } from '../candles/rescale.js'
import { Series } from '../candles/series.js'
import { openOf, timeframes } from '../candles/timeframe.js'
import { keyOf, type Market } from '../contract/market.js'
import { type Source, SourceFailure } from '../exchanges/source.js'
import { withTimeout } from '../exchanges/timeout.js'
import { type Counter, noopCounter } from '../metrics/counter.js'
import { type Archive, maxKeyLength } from './archive.js'
import { asFailure, failureCacheSeconds } from './failure.js'
import { FirstFetches, type FirstFetchLimits } from './first-fetches.js'

export { asFailure, failureCacheSeconds }

/** Candles as they are now. `stale` says that the exchange could not be asked for newer ones. */
export interface Reading {
  readonly kind: 'candles'
  readonly snapshot: Snapshot
  readonly stale: boolean
}

/** The first fetch of a series is under way; `ready` ends with its candles or with a SourceFailure. */
export interface Pending {
  readonly kind: 'pending'
  readonly key: string
  readonly ready: Promise<Reading>
}

interface Options {
  /** Candles to fetch for a new series, and to keep at least. */
  readonly depth: number
  /** Memory for all series together; the least recently asked ones are dropped beyond it. */
  readonly bytes: number
  /** How long the forming candle stays good where the source says nothing else. */
  readonly refreshSeconds: number
  /** Unix seconds. */
  readonly clock: () => number
  /** Where closed candles are kept beyond this process; without it they are kept in memory only. */
  readonly archive?: Archive
  readonly firstFetchLimits?: FirstFetchLimits
  readonly counters?: Partial<Counters>
  /** Hears of an archive that cannot be read or written. The service goes on without it. */
  readonly onFailure?: (error: unknown) => void
}

/** What is counted about candles. */
export interface Counters {
  /** Questions to an exchange, by `exchange` and `outcome`. */
  readonly fetches: Counter
  /** Readings that could not be brought up to date, by `exchange`. */
  readonly stale: Counter
  /** Additions to the archive. */
  readonly writes: Counter
  /** Readings and writings of the archive that failed. */
  readonly failures: Counter
}

/** A series that a feed keeps up to date. It stays in memory until it is released. */
export interface PinnedSeries {
  /** While true nobody asks the exchange for this series: the feed brings what is new. */
  isCurrent: boolean
  snapshot(): Snapshot
  /**
   * Takes in candles as a feed shows them, and answers what the series is then. Candles that end by `now` (Unix
   * seconds) are closed; a feed passes the open time of the newest candle, so that a candle closes when the next one
   * is there and not before.
   */
  merge(candles: readonly Candle[], now: number): Snapshot
  release(): void
}

/** A series with what is known about its freshness. */
interface CacheEntry {
  series: Series
  /** Undefined where the series is not archived. */
  readonly archived: Archived | undefined
  /** Feeds that hold it. */
  pins: number
  isCurrent: boolean
  /** When the exchange was last asked, successfully or not. */
  asked: number
  stale: boolean
  /** Ends when the exchange has answered, or not. */
  refreshing: Promise<Reading> | undefined
  /** The same for who does not wait for ever. */
  soon: Promise<Reading> | undefined
  /** The feed shows another scale, so all is being fetched again. */
  isRescaling: boolean
  /**
   * Seconds by which the exchange's clock is known to be ahead of ours, at least: its newest candle may open in what is
   * the future here.
   */
  ahead: number
}

/** What was fetched to bring a series up to date. */
interface Tail {
  readonly candles: readonly Candle[]
  /** Whether they are its end, all of it with holes filled, or all there is to be from now on. */
  readonly reach: 'end' | 'whole' | 'anew'
}

/** What is known of a series in the archive. */
interface Archived {
  readonly archive: Archive
  /** Candles are missing below those in memory, so more is fetched than the newest. */
  isBroken: boolean
  isDeepening: boolean
}

/** How long a reader waits for newer candles than those at hand, in seconds: then the last ones are better than none. */
const maxRefreshWaitSeconds = 5

/** One caller may begin with a hundred markets at once; several callers that do are more than a few exchanges can serve. */
const defaultFirstFetchLimits: FirstFetchLimits = { total: 500, perCaller: 100 }

/** How often a series in another scale is fetched again whose feed was faster than the answer. */
const rescaleAttempts = 3

/**
 * The candles of every market that was asked for. One fetch per series however many ask: the first one makes the
 * series pending, later ones bring its tail up to date before it is read. A series that is in the archive is never
 * pending. Closed candles are in the archive before anybody is told of them.
 */
export class History {
  readonly #options: Options
  readonly #counters: Counters
  readonly #entries: LRUCache<string, CacheEntry>
  /** Series with a feed, which are never dropped. */
  readonly #pinned = new Map<string, CacheEntry>()
  readonly #firstFetches: FirstFetches<Pending>
  /** Until when an exchange that did not answer is taken to be down, by its identifier. */
  readonly #downUntil = new Map<string, number>()
  readonly #failures = new LRUCache<string, { readonly failure: SourceFailure; readonly until: number }>({
    max: 10_000,
  })

  constructor(options: Options) {
    this.#options = options
    this.#counters = {
      fetches: noopCounter,
      stale: noopCounter,
      writes: noopCounter,
      failures: noopCounter,
      ...options.counters,
    }
    this.#firstFetches = new FirstFetches(options.firstFetchLimits ?? defaultFirstFetchLimits)
    this.#entries = new LRUCache({ maxSize: options.bytes, sizeCalculation: kept => kept.series.bytes })
  }

  /** Series in memory. */
  get size(): number {
    return this.#entries.size + this.#pinned.size
  }

  /** Bytes of memory that their candles take. */
  get bytes(): number {
    let bytes = this.#entries.calculatedSize
    for (const kept of this.#pinned.values()) bytes += kept.series.bytes
    return bytes
  }

  /**
   * The candles of a market, brought up to date. A failure of the first fetch is thrown (or rejects) as a
   * SourceFailure for a while; a failure to refresh leaves the last candles, marked stale. Throws TooManyFirstFetches
   * where the market was never fetched and too many others are being fetched: for `callerId`, the account that asks
   * (without it there is no bound per caller), or for all.
   */
  read(market: Market, source: Source, callerId?: string): Reading | Pending | Promise<Reading> {
    const key = keyOf(market)
    const kept = this.#pinned.get(key) ?? this.#entries.get(key) ?? this.#open(key, market, source)
    if (!kept) return this.#begin(key, market, source, callerId)
    if (kept.isCurrent) return { kind: 'candles', snapshot: kept.series.snapshot(), stale: false }
    if (kept.soon) return this.#isDown(market) ? this.#reading(kept, market, true) : kept.soon
    const now = this.#options.clock() + kept.ahead
    const fresh = now - kept.asked < (source.freshSeconds ?? this.#options.refreshSeconds)
    if (fresh && openOf(market.timeframe, now) === openOf(market.timeframe, kept.asked)) {
      return this.#reading(kept, market)
    }
    const isDown = this.#isDown(market)
    const reading = this.#refresh(key, kept, market, source)
    // Whoever asks an exchange that is down would wait for nothing; when it is back, the next one hears of it.
    return isDown && reading instanceof Promise ? this.#reading(kept, market, true) : (kept.soon ?? reading)
  }

  /** Whether the last answer of an exchange was none, a short while ago. */
  #isDown({ exchange }: Market): boolean {
    return (this.#downUntil.get(exchange) ?? 0) > this.#options.clock()
  }

  /** Holds the series of a market for a feed; fetches it first where it is not there. Rejects with a SourceFailure. */
  async pin(market: Market, source: Source): Promise<PinnedSeries> {
    const key = keyOf(market)
    const reading = this.read(market, source)
    await (reading instanceof Promise || reading.kind === 'candles' ? reading : reading.ready)
    const kept = this.#pinned.get(key) ?? this.#entries.get(key)
    if (!kept) return this.pin(market, source)
    this.#entries.delete(key)
    this.#pinned.set(key, kept)
    kept.pins++
    const { clock } = this.#options
    let isHeld = true
    return {
      get isCurrent() {
        return kept.isCurrent
      },
      set isCurrent(value) {
        kept.isCurrent = value
      },
      snapshot: () => kept.series.snapshot(),
      merge: (candles, now) => {
        if (isRescaled(kept.series.snapshot(), candles)) this.#rescale(key, kept, market, source)
        else {
          const { newestClosed } = kept.series
          this.#merge(key, kept, candles, now)
          // A feed asks for no refresh, so this is when it hears of what a backfill has written.
          if (kept.series.newestClosed !== newestClosed) this.#catchUp(key, kept, market)
        }
        kept.asked = clock() + kept.ahead
        kept.stale = false
        return kept.series.snapshot()
      },
      release: () => {
        if (!isHeld) return
        isHeld = false
        if (--kept.pins > 0) return
        kept.isCurrent = false
        this.#pinned.delete(key)
        this.#entries.set(key, kept)
      },
    }
  }

  #reading({ series, stale: isStale }: CacheEntry, market: Market, stale = isStale): Reading {
    if (stale) this.#counters.stale.add({ exchange: market.exchange })
    return { kind: 'candles', snapshot: series.snapshot(), stale }
  }

  #archiveOf(key: string, { isComputed }: Source): Archive | undefined {
    return isComputed || key.length > maxKeyLength ? undefined : this.#options.archive
  }

  /** The series as the archive has it, if it has any; its tail is as old as it may be. */
  #open(key: string, market: Market, source: Source): CacheEntry | undefined {
    const archive = this.#archiveOf(key, source)
    if (!archive || this.#firstFetches.has(key)) return undefined
    return this.#attempt(() => {
      const stored = archive.read(key)
      if (!stored) return undefined
      const { columns, closed, isBroken } = stored
      const series = Series.over(market.timeframe, archive.depth(key), columns, closed)
      const archived = { archive, isBroken, isDeepening: false }
      const kept = this.#createEntry(series, archived, Number.NEGATIVE_INFINITY)
      kept.ahead = this.#aheadOf(series, this.#options.clock())
      this.#entries.set(key, kept)
      return kept
    })
  }

  #aheadOf(series: Series, clock: number): number {
    return Math.max(0, (series.newest ?? 0) - clock)
  }

  #createEntry(series: Series, archived: Archived | undefined, asked: number): CacheEntry {
    return {
      series,
      archived,
      pins: 0,
      isCurrent: false,
      asked,
      stale: false,
      refreshing: undefined,
      soon: undefined,
      isRescaling: false,
      ahead: 0,
    }
  }

  #begin(key: string, market: Market, source: Source, callerId: string | undefined): Reading | Pending {
    const waiting = this.#firstFetches.get(key)
    if (waiting) return waiting
    const { clock } = this.#options
    const failed = this.#failures.get(key)
    if (failed && failed.until > clock()) throw failed.failure
    if (!source.isComputed) this.#firstFetches.check(callerId)
    const archive = this.#archiveOf(key, source)
    const depth = (archive && this.#attempt(() => archive.depth(key))) ?? this.#options.depth
    const archived = archive && { archive, isBroken: false, isDeepening: false }
    const asked = clock()
    const accept = (candles: readonly Candle[]): Reading => {
      const kept = this.#createEntry(new Series(market.timeframe, depth), archived, asked)
      const closed = kept.series.merge(candles, asked)
      this.#archive(() => archived?.archive.write(key, closed, depth))
      this.#settle(key, kept, asked, true)
      return this.#reading(kept, market)
    }
    const fetched = this.#fetch(market, source, depth)
    if (!(fetched instanceof Promise)) return accept(fetched)
    const ready = fetched.then(accept).finally(() => this.#firstFetches.finish(key, callerId))
    ready.catch(error => {
      const failure = asFailure(error)
      this.#failures.set(key, { failure, until: clock() + failureCacheSeconds[failure.kind] })
    })
    const pending: Pending = { kind: 'pending', key: `candles:${key}`, ready }
    this.#firstFetches.add(key, pending, callerId)
    return pending
  }

  /** Brings the tail of a series up to date. */
  #refresh(key: string, kept: CacheEntry, market: Market, source: Source): Reading | Promise<Reading> {
    this.#catchUp(key, kept, market)
    // A candle that was shown is as old as the question, not as the answer.
    const asked = this.#options.clock()
    const accept = ({ candles, reach }: Tail): Reading => {
      if (reach === 'end') this.#merge(key, kept, candles, asked)
      else this.#absorb(key, kept, market, candles, asked, reach === 'anew')
      this.#catchUp(key, kept, market)
      this.#settle(key, kept, asked, true)
      this.#deepen(key, kept, market, source)
      return this.#reading(kept, market)
    }
    const failed = (error: unknown) => {
      // A market that was never had says nothing about its exchange; one that was had before does.
      const { clock, refreshSeconds } = this.#options
      if (asFailure(error).kind === 'unavailable')
        this.#downUntil.set(market.exchange, clock() + 2 * refreshSeconds)
      this.#settle(key, kept, asked, false)
      return this.#reading(kept, market)
    }
    try {
      const tail = this.#tail(kept, market, source, asked)
      if (!(tail instanceof Promise)) return accept(tail)
      kept.refreshing = tail.then(accept).catch(error => {
        if (!(error instanceof SourceFailure)) this.#options.onFailure?.(error)
        return failed(error)
      })
      // After the refresh, or as it is now when that takes long.
      kept.soon = withTimeout(kept.refreshing, maxRefreshWaitSeconds).then(
        reading => reading ?? this.#reading(kept, market, true),
      )
      return kept.refreshing
    } catch (error) {
      return failed(error)
    }
  }

  /** Fetches what a series lacks at its end, or all of it where that would leave it with a hole or in two scales. */
  #tail(kept: CacheEntry, market: Market, source: Source, asked: number): Tail | Promise<Tail> {
    const { series } = kept
    const { depth, newestClosed } = series
    const isBroken = kept.archived?.isBroken === true
    const now = asked + kept.ahead
    const missing = Math.max(0, Math.ceil((now - (series.newest ?? 0)) / timeframes[market.timeframe])) + 2
    const isWhole = isBroken || missing >= depth
    const anew = (candles: readonly Candle[]): Tail => ({ candles, reach: 'anew' })
    const judged = (candles: readonly Candle[]): Tail | Promise<Tail> => {
      // After a split all that is older than this tail is out of scale as well.
      if (isRescaled(series.snapshot(), candles)) {
        const whole = this.#fetch(market, source, depth)
        return whole instanceof Promise ? whole.then(anew) : anew(whole)
      }
      // A series that slept for longer than its depth starts anew instead of keeping a hole; one whose market slept
      // (a weekend of stocks) goes on where it was.
      const oldest = candles[0]?.timestamp
      if (isWhole && oldest !== undefined && oldest > (newestClosed ?? Number.NEGATIVE_INFINITY))
        return anew(candles)
      return { candles, reach: isBroken ? 'whole' : 'end' }
    }
    const fetched = this.#fetch(market, source, isWhole ? depth : missing)
    // A source that answers at once has all that there is at hand; it leaves no holes.
    if (!(fetched instanceof Promise)) return judged(fetched)
    const joined = isWhole ? fetched : fetched.then(candles => this.#join(candles, series, market, source))
    return joined.then(judged)
  }

  /** Fetches the whole series again, because its feed shows it in another scale. */
  #rescale(key: string, kept: CacheEntry, market: Market, source: Source): void {
    if (kept.isRescaling) return
    kept.isRescaling = true
    void (async () => {
      try {
        for (let attempt = 0; attempt < rescaleAttempts; attempt++) {
          const asked = this.#options.clock()
          const candles = await this.#fetch(market, source, kept.series.depth)
          const last = candles.at(-1)
          const { forming } = kept.series.snapshot()
          // The feed may have closed candles meanwhile that the answer does not have; they stay closed.
          if (!last || last.timestamp < (kept.series.newest ?? 0)) continue
          this.#absorb(key, kept, market, candles, asked, true)
          const isLater = forming?.timestamp === last.timestamp && isEarlier(last, forming)
          if (isLater && forming.open === last.open) kept.series.amend(forming)
          return
        }
      } catch (error) {
        // The feed shows it again with the next candle.
        if (!(error instanceof SourceFailure)) this.#options.onFailure?.(error)
      } finally {
        kept.isRescaling = false
      }
    })()
  }

  /** What was fetched for the end of a series, and what lies between: an exchange may answer less than was asked. */
  async #join(
    candles: readonly Candle[],
    series: Series,
    market: Market,
    source: Source,
  ): Promise<readonly Candle[]> {
    const length = timeframes[market.timeframe]
    const last = series.newestClosed
    if (last === undefined) return candles
    let joined = candles
    for (;;) {
      const oldest = joined[0]?.timestamp
      if (oldest === undefined || oldest <= last + length) return joined
      // Enough for a source that answers with the newest candles whatever `until` says, a few of them meanwhile begun.
      const newest = (joined.at(-1) as Candle).timestamp
      const count = Math.ceil((newest - last) / length) + 5
      const between = (await this.#fetch(market, source, count, oldest)).filter(
        ({ timestamp }) => timestamp < oldest,
      )
      // Asked once: where there is nothing then, nothing was traded.
      if (between.length === 0) return joined
      joined = [...between, ...joined]
    }
  }

  #fetch(
    market: Market,
    source: Source,
    count: number,
    until?: number,
    isBackground = false,
  ): readonly Candle[] | Promise<readonly Candle[]> {
    const counted = (outcome: string) => this.#counters.fetches.add({ exchange: market.exchange, outcome })
    const { exchange } = market
    const failed = (error: unknown): never => {
      counted(asFailure(error).kind)
      throw error
    }
    const arrived = (candles: readonly Candle[]) => {
      counted('ok')
      this.#downUntil.delete(exchange)
      return candles
    }
    try {
      const candles = source.candles(market.symbol, market.timeframe, count, {
        ...(until !== undefined && { until }),
        ...(isBackground && { isBackground }),
      })
      return candles instanceof Promise ? candles.then(arrived, failed) : arrived(candles)
    } catch (error) {
      return failed(error)
    }
  }

  #settle(key: string, kept: CacheEntry, asked: number, isAnswered: boolean): void {
    if (isAnswered) kept.ahead = this.#aheadOf(kept.series, asked)
    // The next question to an exchange that does not answer is counted from the end of this one.
    kept.asked = (isAnswered ? asked : this.#options.clock()) + kept.ahead
    kept.stale = !isAnswered
    kept.refreshing = undefined
    kept.soon = undefined
    if (!this.#pinned.has(key)) this.#entries.set(key, kept)
  }

  /** Takes candles into a series, and those that are closed for good into the archive. */
  #merge(key: string, kept: CacheEntry, candles: readonly Candle[], now: number): void {
    const closed = kept.series.merge(candles, now)
    if (closed.length === 0) return
    const { archived } = kept
    if (archived) this.#archive(() => archived.archive.enqueue(key, closed))
  }

  /** Takes the whole history of a series, which then is what the archive makes of it. */
  #absorb(
    key: string,
    kept: CacheEntry,
    market: Market,
    candles: readonly Candle[],
    asked: number,
    isAnew: boolean,
  ): void {
    const { archived } = kept
    const { depth } = kept.series
    const whole = new Series(market.timeframe, depth)
    const closed = whole.merge(candles, asked)
    if (archived)
      this.#archive(() => {
        if (isAnew) archived.archive.replace(key, closed, depth)
        else archived.archive.write(key, closed, depth)
      })
    if (isAnew || !this.#reload(key, kept, market)) kept.series = whole
    else kept.series.merge(candles.slice(-1), asked)
    if (archived) archived.isBroken = false
  }

  /** Fetches the older candles of a series that is shorter than it may be, once, while nobody waits. */
  #deepen(key: string, kept: CacheEntry, market: Market, source: Source): void {
    const { archived } = kept
    if (!archived || archived.isDeepening || kept.series.count >= kept.series.depth) return
    const { depth } = kept.series
    if ((this.#attempt(() => archived.archive.requestedDepth(key)) ?? depth) >= depth) return
    archived.isDeepening = true
    void (async () => {
      try {
        const asked = this.#options.clock()
        const candles = await this.#fetch(market, source, depth, undefined, true)
        this.#absorb(key, kept, market, candles, asked, false)
        if (this.#entries.peek(key) === kept) this.#entries.set(key, kept)
      } catch (error) {
        if (!(error instanceof SourceFailure)) this.#options.onFailure?.(error)
      } finally {
        archived.isDeepening = false
      }
    })()
  }

  #archive(write: () => void): void {
    this.#attempt(() => {
      write()
      this.#counters.writes.add()
    })
  }

  /** Takes over what another process has written to the same series. */
  #catchUp(key: string, kept: CacheEntry, market: Market): void {
    const { archived } = kept
    if (archived && this.#attempt(() => archived.archive.isChanged(key))) this.#reload(key, kept, market)
  }

  /** Takes the closed candles of a series out of the archive, because somebody else may have changed them. */
  #reload(key: string, kept: CacheEntry, market: Market): boolean {
    const { archived } = kept
    if (!archived) return false
    const { archive } = archived
    return (
      this.#attempt(() => {
        const stored = archive.read(key)
        if (!stored) return false
        const { forming } = kept.series.snapshot()
        kept.series = Series.over(market.timeframe, archive.depth(key), stored.columns, stored.closed)
        archived.isBroken ||= stored.isBroken
        if (forming && forming.timestamp > (kept.series.newestClosed ?? 0)) kept.series.amend(forming)
        return true
      }) ?? false
    )
  }

  /** The result of working with the archive, or undefined where it failed. */
  #attempt<Result>(work: () => Result): Result | undefined {
    try {
      return work()
    } catch (error) {
      this.#counters.failures.add()
      this.#options.onFailure?.(error)
      return undefined
    }
  }
}
