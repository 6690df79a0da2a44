import { readFileSync } from 'node:fs'
import { LRUCache } from 'lru-cache'
import type { Candle } from '../../candles/candle.js'
import type { Timeframe } from '../../candles/timeframe.js'
import { canonicalSymbol } from '../../contract/market.js'
import { retry } from '../retry.js'
import {
  type FetchOptions,
  type NativeSource,
  type OnAnomaly,
  SourceFailure,
  timeframeNotOffered,
} from '../source.js'
import type { SymbolCache } from '../symbol-cache.js'
import { CcxtStreams } from './candle-streams.js'
import {
  closeClient,
  type ListedMarket,
  type OpenClient,
  openClient,
  openStreaming,
  type Row,
  withPriority,
} from './client.js'
import { failureOf, isRateLimit, isTransient, pauseMsOf } from './failure.js'
import { type Listing, listingOf } from './listing.js'
import { fetchHistory } from './pagination.js'
import { candleOf } from './rows.js'

/** How an exchange is asked. */
export interface CcxtSettings {
  /**
   * Merged into ccxt's constructor settings: `httpsProxy`, `hostname`, `urls`, `apiKey`, `secret`, `options` and
   * whatever else ccxt knows. The rate limiter stays on whatever they say.
   */
  readonly options?: Readonly<Record<string, unknown>>
  /** Milliseconds without an answer, or without the next piece of it, after which a request has failed. Default: ccxt's 10 000. */
  readonly timeoutMs?: number
  /** Candles asked for in one request at most, 1000 by default; the exchange's own bound holds where it is lower. */
  readonly pageLimit?: number
  /** Requests that one call of `candles` may cost, repetitions not counted. Default 100. */
  readonly maxPages?: number
  /** How often a request that failed for a passing reason is repeated. Default 2. */
  readonly retries?: number
  /** Milliseconds before the first repetition; they double with each one and are shortened by up to half at random. Default 500. */
  readonly backoffMs?: number
  /** The longest `Retry-After` in milliseconds that is waited for; while a longer one runs, calls fail at once. Default 10 000. */
  readonly maxPauseMs?: number
  /** Requests under way at the same time. Default 16. */
  readonly concurrency?: number
  /** A call that would wait longer for its turn, in milliseconds, fails at once. Default 60 000. */
  readonly maxWaitMs?: number
  /** Hears of what the exchange shows wrongly. */
  readonly onAnomaly?: OnAnomaly
  /** Where the list of symbols outlives the process. */
  readonly symbolCache?: SymbolCache
}

/** Milliseconds for which a list of markets is good. */
const day = 86_400_000
/** Milliseconds for which an outdated list of markets is kept when a fresh one could not be had. */
const staleListMs = 60_000
/** Milliseconds after which a list of markets is fetched anew for a symbol that it lacks. */
const minListAgeMs = 600_000
const defaultMaxPauseMs = 10_000
/** Gaps that are remembered as real, so that they are not asked for again. */
const maxKnownGaps = 20_000

const synonyms: Readonly<Record<string, string>> = { binancefutures: 'binanceusdm' }

let listed: readonly string[] | undefined

/** The identifiers of every exchange that candles can be fetched from, in ccxt's spelling, sorted. ccxt is not loaded. */
export function exchangeIds(): readonly string[] {
  listed ??= Object.freeze(
    JSON.parse(readFileSync(new URL('../../../build/exchanges.json', import.meta.url), 'utf8')) as string[],
  )
  return listed
}

/** The identifier that `exchangeIds` lists for a name in any case, or for `binancefutures`; undefined if there is none. */
export function resolveExchangeId(name: string): string | undefined {
  const lower = name.toLowerCase()
  const id = Object.hasOwn(synonyms, lower) ? synonyms[lower] : lower
  return exchangeIds().find(known => known === id)
}

/**
 * The market data of one exchange in the timeframes that it has. ccxt and the exchange are loaded by the first call of a
 * member; all members answer with promises.
 * @throws SourceFailure when ccxt has no such exchange.
 */
export function createCcxtSource(name: string, settings: CcxtSettings = {}): NativeSource {
  const id = resolveExchangeId(name)
  // The identifier becomes part of a file name, so nothing that is not listed may pass.
  if (id === undefined) throw new SourceFailure('unavailable', `Exchange not found: ${name}`)
  return new CcxtSource(id, settings)
}

class CcxtSource implements NativeSource {
  readonly #id: string
  readonly #settings: CcxtSettings
  readonly #closing = new AbortController()
  readonly #streams: CcxtStreams
  readonly #gaps = new LRUCache<string, true>({ max: maxKnownGaps })
  #opened: Promise<OpenClient> | undefined
  #loading: Promise<Listing> | undefined
  #listing: Listing | undefined
  #freshUntil = 0
  /** The list as it was before this process, and until when it is good. */
  #recalled: { readonly symbols: readonly string[] | undefined; readonly until: number } | undefined
  /** When the list was last asked for, successfully or not. */
  #listed = 0

  constructor(id: string, settings: CcxtSettings) {
    this.#id = id
    this.#settings = settings
    const { options = {}, backoffMs } = settings
    this.#streams = new CcxtStreams({
      id,
      create: async () => openStreaming(id, options, await this.#open()),
      read: row => candleOf(row as Row, Date.now() / 1000),
      ...(backoffMs === undefined ? {} : { backoffMs }),
    })
  }

  async symbols(): Promise<readonly string[]> {
    if (this.#listing !== undefined) return (await this.#list()).symbols
    this.#recalled ??= this.#recall()
    const { symbols, until } = this.#recalled
    if (symbols === undefined) return (await this.#list()).symbols
    if (Date.now() < until) return symbols
    try {
      return (await this.#list()).symbols
    } catch (error) {
      if (this.#closing.signal.aborted) throw error
      this.#recalled = { symbols, until: Date.now() + staleListMs }
      return symbols
    }
  }

  async timeframes(): Promise<readonly string[]> {
    const { client } = await this.#open()
    return Object.keys(client.timeframes ?? {})
  }

  async candles(
    symbol: string,
    timeframe: Timeframe,
    count: number,
    wanted: FetchOptions = {},
  ): Promise<readonly Candle[]> {
    const opened = await this.#open()
    const { client, errors } = opened
    if (!Object.hasOwn(client.timeframes ?? {}, timeframe)) throw timeframeNotOffered(this.#id, timeframe)
    const market = await this.#find(symbol)
    if (count < 1) return []
    const { pageLimit = 1000, maxPages = 100, onAnomaly } = this.#settings
    try {
      return await withPriority(wanted.isBackground ? 'background' : 'client', () =>
        fetchHistory(opened, market, timeframe, count, wanted.until, {
          pageLimit,
          maxPages,
          gaps: this.#gaps,
          ask: work => this.#ask(work, wanted.isBackground),
          onAnomaly: anomaly => onAnomaly?.(anomaly, this.#id),
        }),
      )
    } catch (error) {
      const cause = error instanceof SourceFailure ? error.cause : undefined
      if (cause instanceof errors.BadSymbol) throw this.#unknown(symbol, cause)
      if (cause !== undefined && !isTransient(cause, opened) && this.#isListOld()) {
        // Not all exchanges refuse a market that they have closed in words that ccxt knows.
        this.#freshUntil = 0
        await this.#find(symbol)
      }
      throw error
    }
  }

  async watch(symbol: string, timeframe: Timeframe, signal: AbortSignal) {
    return this.#streams.watch((await this.#find(symbol)).symbol, timeframe, signal)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#streams.close()
    const opened = await this.#opened?.catch(() => undefined)
    if (opened === undefined) return
    await closeClient(opened)
  }

  #open(): Promise<OpenClient> {
    this.#opened ??= this.#create().catch(error => {
      this.#opened = undefined
      throw new SourceFailure('unavailable', `${this.#id} could not be set up`, { cause: error })
    })
    return this.#opened
  }

  #create(): Promise<OpenClient> {
    const {
      options = {},
      timeoutMs,
      concurrency = 16,
      maxWaitMs = 60_000,
      maxPauseMs = defaultMaxPauseMs,
    } = this.#settings
    return openClient(this.#id, {
      settings: { ...options, ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }) },
      concurrency,
      maxWaitMs,
      maxPauseMs,
      signal: this.#closing.signal,
    })
  }

  /** The market of a symbol. One that is missing from a list of some age may have opened since. */
  async #find(symbol: string): Promise<ListedMarket> {
    const spelling = canonicalSymbol(symbol)
    let market = (await this.#list()).markets.get(spelling)
    if (market === undefined && this.#isListOld()) {
      this.#freshUntil = 0
      market = (await this.#list()).markets.get(spelling)
    }
    if (market === undefined) throw this.#unknown(symbol)
    return market
  }

  #recall() {
    const { symbols, listed = 0 } = this.#settings.symbolCache?.get(this.#id) ?? {}
    return { symbols, until: listed * 1000 + day }
  }

  /** Whether the list of markets may be asked for again outside of its turn. */
  #isListOld(): boolean {
    return Date.now() - this.#listed >= minListAgeMs
  }

  #unknown(symbol: string, cause?: unknown): SourceFailure {
    const text = `Symbol not found: ${canonicalSymbol(symbol)} on ${this.#id}`
    return new SourceFailure('unknown-symbol', text, cause === undefined ? {} : { cause })
  }

  /** The markets of the exchange; concurrent calls share one fetch, and after a failure the next call fetches again. */
  #list(): Promise<Listing> {
    if (this.#listing !== undefined && Date.now() < this.#freshUntil) return Promise.resolve(this.#listing)
    this.#loading ??= this.#fetchListing().finally(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  async #fetchListing(): Promise<Listing> {
    const { client } = await this.#open()
    try {
      // Everything else waits for it.
      const markets = await withPriority('begun', () => this.#ask(() => client.loadMarkets(true)))
      const listing = listingOf(Object.values(markets) as ListedMarket[])
      if (listing.symbols.length === 0) throw new SourceFailure('unavailable', `${this.#id} lists no markets`)
      this.#listing = listing
      this.#freshUntil = Date.now() + day
      const { symbols } = listing
      this.#settings.symbolCache?.set(this.#id, { symbols, listed: Math.floor(Date.now() / 1000) })
      return listing
    } catch (error) {
      // ccxt keeps the rejected promise and would answer every later request with it.
      client.marketsLoading = undefined as never
      if (this.#listing === undefined || this.#closing.signal.aborted) throw error
      this.#freshUntil = Date.now() + staleListMs
      return this.#listing
    } finally {
      this.#listed = Date.now()
    }
  }

  /** Does one piece of work at the exchange, again while the reason of its failure is a passing one. */
  async #ask<Answer>(work: () => Promise<Answer>, isBackground = false): Promise<Answer> {
    const opened = await this.#open()
    const { retries = 2, backoffMs = 500, maxPauseMs = defaultMaxPauseMs } = this.#settings
    return retry(work, {
      exchange: this.#id,
      retries,
      backoffMs,
      signal: this.#closing.signal,
      isRetryable: (error, backoff) => {
        const silence = pauseMsOf(error, opened)
        // One that is asked too often is spared by all, not by this request alone.
        if (silence > 0 || isRateLimit(error, opened)) opened.queue.pauseFor(silence || backoff)
        const isOverlong = silence > maxPauseMs && !isBackground
        return !isOverlong && isTransient(error, opened)
      },
      failureOf: error => failureOf(error, this.#id, opened),
    })
  }
}
