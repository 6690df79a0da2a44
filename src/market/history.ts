import { LRUCache } from 'lru-cache'
import type { Candle } from '../candles/candle.js'
import type { Snapshot } from '../candles/columns.js'
import { Series } from '../candles/series.js'
import { openOf, timeframes } from '../candles/timeframe.js'
import type { Market } from '../contract/market.js'
import { type Source, SourceFailure } from './source.js'

/** Candles as they are now. `stale` says that the exchange could not be asked for newer ones. */
export interface Reading {
  readonly snapshot: Snapshot
  readonly stale: boolean
}

/** The first fetch of a series is under way; `ready` ends with its candles or with a SourceFailure. */
export interface Pending {
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
}

/** A series that a feed keeps up to date. It stays in memory until it is released. */
export interface Attached {
  /** While true nobody asks the exchange for this series: the feed brings what is new. */
  isCurrent: boolean
  snapshot(): Snapshot
  /**
   * Takes in candles as a feed shows them, and answers what the series is then. Candles that end by `now` (Unix
   * seconds) are closed; a feed passes the open time of the newest candle, so that a candle closes when the next one
   * is there and not before.
   */
  merge(candles: readonly Candle[], now: number): Snapshot
  /** Asks the exchange for whatever is missing at the end. Never rejects: a failure leaves the series marked stale. */
  refresh(): Promise<Reading>
  release(): void
}

/** A series with what is known about its freshness. */
interface Kept {
  series: Series
  /** Feeds that hold it. */
  holders: number
  isCurrent: boolean
  /** When the exchange was last asked, successfully or not. */
  asked: number
  stale: boolean
  refreshing: Promise<Reading> | undefined
}

const keyOf = ({ exchange, symbol, timeframe }: Market) => `${exchange}:${symbol}:${timeframe}`

/** How long a failed first fetch is answered from memory, in seconds: then the exchange is asked again. */
export const failureSeconds = { 'unknown-symbol': 60, unavailable: 5 } as const

/**
 * The candles of every market that was asked for. One fetch per series however many ask: the first one makes the
 * series pending, later ones bring its tail up to date before it is read.
 */
export class History {
  readonly #options: Options
  readonly #kept: LRUCache<string, Kept>
  /** Series with a feed, which are never dropped. */
  readonly #held = new Map<string, Kept>()
  readonly #first = new Map<string, Pending>()
  readonly #failures = new LRUCache<string, { readonly failure: SourceFailure; readonly until: number }>({
    max: 10_000,
  })

  constructor(options: Options) {
    this.#options = options
    this.#kept = new LRUCache({ maxSize: options.bytes, sizeCalculation: kept => kept.series.bytes })
  }

  /**
   * The candles of a market, brought up to date. A failure of the first fetch is thrown (or rejects) as a
   * SourceFailure for a while; a failure to refresh leaves the last candles, marked stale.
   */
  read(market: Market, source: Source): Reading | Pending | Promise<Reading> {
    const key = keyOf(market)
    const kept = this.#held.get(key) ?? this.#kept.get(key)
    if (!kept) return this.#begin(key, market, source)
    if (kept.isCurrent) return { snapshot: kept.series.snapshot(), stale: false }
    if (kept.refreshing) return kept.refreshing
    const now = this.#options.clock()
    const fresh = now - kept.asked < (source.freshSeconds ?? this.#options.refreshSeconds)
    if (fresh && openOf(market.timeframe, now) === openOf(market.timeframe, kept.asked)) {
      return { snapshot: kept.series.snapshot(), stale: kept.stale }
    }
    return this.#refresh(key, kept, market, source, now)
  }

  /** Holds the series of a market for a feed; fetches it first where it is not there. Rejects with a SourceFailure. */
  async attach(market: Market, source: Source): Promise<Attached> {
    const key = keyOf(market)
    const reading = this.read(market, source)
    await ('ready' in reading ? reading.ready : reading)
    const kept = this.#held.get(key) ?? this.#kept.get(key)
    if (!kept) return this.attach(market, source)
    this.#kept.delete(key)
    this.#held.set(key, kept)
    kept.holders++
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
        kept.series.merge(candles, now)
        kept.asked = clock()
        kept.stale = false
        return kept.series.snapshot()
      },
      refresh: async () => kept.refreshing ?? this.#refresh(key, kept, market, source, clock()),
      release: () => {
        if (!isHeld) return
        isHeld = false
        if (--kept.holders > 0) return
        kept.isCurrent = false
        this.#held.delete(key)
        this.#kept.set(key, kept)
      },
    }
  }

  #begin(key: string, market: Market, source: Source): Reading | Pending {
    const waiting = this.#first.get(key)
    if (waiting) return waiting
    const { clock, depth } = this.#options
    const failed = this.#failures.get(key)
    if (failed && failed.until > clock()) throw failed.failure
    const accept = (series: Series): Reading => {
      this.#kept.set(key, {
        series,
        holders: 0,
        isCurrent: false,
        asked: clock(),
        stale: false,
        refreshing: undefined,
      })
      return { snapshot: series.snapshot(), stale: false }
    }
    const fetched = this.#fetch(market, source, depth)
    if (!(fetched instanceof Promise)) return accept(fetched)
    const ready = fetched.then(accept).finally(() => this.#first.delete(key))
    ready.catch(error => {
      const failure = asFailure(error)
      this.#failures.set(key, { failure, until: clock() + failureSeconds[failure.kind] })
    })
    const pending = { key: `candles:${key}`, ready }
    this.#first.set(key, pending)
    return pending
  }

  #refresh(key: string, kept: Kept, market: Market, source: Source, now: number): Reading | Promise<Reading> {
    // The exchange's clock may be ahead of ours, and its newest candle then seem to lie in the future.
    const behind = Math.ceil((now - (kept.series.newest ?? 0)) / timeframes[market.timeframe])
    const missing = Math.max(0, behind) + 2
    const settle = (fresh: Series | undefined): Reading => {
      kept.asked = this.#options.clock()
      kept.stale = fresh === undefined
      kept.refreshing = undefined
      if (fresh) kept.series = fresh
      if (!this.#held.has(key)) this.#kept.set(key, kept)
      return { snapshot: kept.series.snapshot(), stale: kept.stale }
    }
    // A series that slept for longer than its depth starts anew instead of keeping a hole.
    const base = missing < this.#options.depth ? kept.series : undefined
    try {
      const fetched = this.#fetch(market, source, base ? missing : this.#options.depth, base)
      if (!(fetched instanceof Promise)) return settle(fetched)
      kept.refreshing = fetched.then(settle, () => settle(undefined))
      return kept.refreshing
    } catch {
      return settle(undefined)
    }
  }

  /** Fetches `count` candles into `series`, or into a new one. */
  #fetch(market: Market, source: Source, count: number, series?: Series): Series | Promise<Series> {
    const { clock, depth } = this.#options
    const target = series ?? new Series(market.timeframe, depth)
    const candles = source.candles(market.symbol, market.timeframe, count)
    const merged = (arrived: Awaited<typeof candles>) => {
      target.merge(arrived, clock())
      return target
    }
    return candles instanceof Promise ? candles.then(merged) : merged(candles)
  }
}

/** Anything a source throws beside its own failures is a defect of the source; the caller is told "unavailable". */
export const asFailure = (error: unknown): SourceFailure =>
  error instanceof SourceFailure
    ? error
    : new SourceFailure('unavailable', String((error as Error)?.message ?? error), { cause: error })
