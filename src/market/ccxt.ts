import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Candle } from '../candles/candle.js'
import type { Timeframe } from '../candles/timeframe.js'
import { canonicalSymbol } from '../contract/market.js'
import { closeClient, type ListedMarket, type Opened, openClient } from './ccxt/client.js'
import { failureOf, isPassing } from './ccxt/failure.js'
import { type Listing, listingOf } from './ccxt/listing.js'
import { fetchHistory } from './ccxt/pages.js'
import { type Source, SourceFailure } from './source.js'

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
  readonly patienceMs?: number
}

/** Milliseconds for which a list of markets is good. */
const day = 86_400_000
/** Milliseconds for which an outdated list of markets is kept when a fresh one could not be had. */
const reprieveMs = 60_000
const synonyms: Readonly<Record<string, string>> = { binancefutures: 'binanceusdm' }

let listed: readonly string[] | undefined

/** The identifiers of every exchange that candles can be fetched from, in ccxt's spelling, sorted. ccxt is not loaded. */
export function exchangeIds(): readonly string[] {
  listed ??= Object.freeze(
    JSON.parse(readFileSync(new URL('../../build/exchanges.json', import.meta.url), 'utf8')) as string[],
  )
  return listed
}

/** The identifier that `exchangeIds` lists for a name in any case, or for `binancefutures`; undefined if there is none. */
export function resolve(name: string): string | undefined {
  const lower = name.toLowerCase()
  const id = Object.hasOwn(synonyms, lower) ? synonyms[lower] : lower
  return exchangeIds().find(known => known === id)
}

/**
 * The market data of one exchange by its REST interface. ccxt and the exchange are loaded by the first call of a
 * member; all members answer with promises.
 * @throws SourceFailure when ccxt has no such exchange.
 */
export function createCcxt(name: string, settings: CcxtSettings = {}): Source {
  const id = resolve(name)
  // The identifier becomes part of a file name, so nothing that is not listed may pass.
  if (id === undefined) throw new SourceFailure('unavailable', `Exchange not found: ${name}`)
  return new CcxtSource(id, settings)
}

class CcxtSource implements Source {
  readonly #id: string
  readonly #settings: CcxtSettings
  readonly #closing = new AbortController()
  #opened: Promise<Opened> | undefined
  #loading: Promise<Listing> | undefined
  #listing: Listing | undefined
  #freshUntil = 0
  /** The moment before which the exchange has asked not to be asked again. */
  #silentUntil = 0

  constructor(id: string, settings: CcxtSettings) {
    this.#id = id
    this.#settings = settings
  }

  async symbols(): Promise<readonly string[]> {
    return (await this.#list()).symbols
  }

  async candles(symbol: string, timeframe: Timeframe, count: number): Promise<readonly Candle[]> {
    const opened = await this.#open()
    const { client, errors } = opened
    if (!Object.hasOwn(client.timeframes ?? {}, timeframe)) {
      throw new SourceFailure('unavailable', `Timeframe ${timeframe} is not offered by ${this.#id}`)
    }
    const spelling = canonicalSymbol(symbol)
    const unknown = (options?: ErrorOptions) =>
      new SourceFailure('unknown-symbol', `Symbol not found: ${spelling} on ${this.#id}`, options)
    const market = (await this.#list()).markets.get(spelling)
    if (market === undefined) throw unknown()
    if (count < 1) return []
    try {
      const { pageLimit = 1000, maxPages = 100 } = this.#settings
      return await fetchHistory(opened, market, timeframe, count, {
        pageLimit,
        maxPages,
        ask: work => this.#ask(work),
      })
    } catch (error) {
      const cause = error instanceof SourceFailure ? error.cause : undefined
      throw cause instanceof errors.BadSymbol ? unknown({ cause }) : error
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    const opened = await this.#opened?.catch(() => undefined)
    if (opened === undefined) return
    await closeClient(opened)
  }

  #open(): Promise<Opened> {
    this.#opened ??= this.#create().catch(error => {
      this.#opened = undefined
      throw new SourceFailure('unavailable', `${this.#id} could not be set up`, { cause: error })
    })
    return this.#opened
  }

  #create(): Promise<Opened> {
    const { options = {}, timeoutMs } = this.#settings
    return openClient(this.#id, { ...options, ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }) })
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
      const listing = listingOf(
        Object.values(await this.#ask(() => client.loadMarkets(true))) as ListedMarket[],
      )
      if (listing.symbols.length === 0) throw new SourceFailure('unavailable', `${this.#id} lists no markets`)
      this.#listing = listing
      this.#freshUntil = Date.now() + day
      return this.#listing
    } catch (error) {
      // ccxt keeps the rejected promise and would answer every later request with it.
      client.marketsLoading = undefined as never
      if (this.#listing === undefined || this.#closing.signal.aborted) throw error
      this.#freshUntil = Date.now() + reprieveMs
      return this.#listing
    }
  }

  /** Does one piece of work at the exchange, again while the reason of its failure is a passing one. */
  async #ask<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const opened = await this.#open()
    const { retries = 2, backoffMs = 500, patienceMs = 10_000 } = this.#settings
    const { signal } = this.#closing
    for (let attempt = 0; ; attempt++) {
      const silence = this.#silentUntil - Date.now()
      if (signal.aborted) throw this.#closed()
      if (silence > patienceMs) {
        throw new SourceFailure(
          'unavailable',
          `${this.#id} limits the rate of requests, it can be asked again in ${Math.ceil(silence / 1000)} s`,
        )
      }
      if (silence > 0) await this.#wait(silence)
      try {
        return await work()
      } catch (error) {
        if (signal.aborted) throw this.#closed(error)
        const reply = opened.replies.get(error as object)
        if (reply !== undefined && reply.retryAfterMs > 0) {
          this.#silentUntil = Math.max(this.#silentUntil, Date.now() + reply.retryAfterMs)
        }
        const isOverlong = reply !== undefined && reply.retryAfterMs > patienceMs
        if (attempt >= retries || isOverlong || !isPassing(error, opened))
          throw failureOf(error, this.#id, opened)
        await this.#wait(Math.ceil(backoffMs * 2 ** attempt * (1 - Math.random() / 2)))
      }
    }
  }

  async #wait(ms: number): Promise<void> {
    try {
      await pause(ms, undefined, { signal: this.#closing.signal })
    } catch (error) {
      throw this.#closed(error)
    }
  }

  #closed(cause?: unknown): SourceFailure {
    return new SourceFailure('unavailable', `${this.#id} was closed`, { cause })
  }
}
