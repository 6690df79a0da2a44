import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Exchange, Market as MarketOrNothing, OHLCV } from 'ccxt'
import type { Candle } from '../candles/candle.js'
import { type Timeframe, timeframes } from '../candles/timeframe.js'
import { type Source, SourceFailure } from './source.js'

type Market = NonNullable<MarketOrNothing>
type Errors = Pick<
  typeof import('ccxt'),
  | 'ArgumentsRequired'
  | 'AuthenticationError'
  | 'BadRequest'
  | 'BadResponse'
  | 'BadSymbol'
  | 'BaseError'
  | 'DDoSProtection'
  | 'ExchangeNotAvailable'
  | 'NetworkError'
  | 'OperationFailed'
  | 'PermissionDenied'
  | 'RateLimitExceeded'
  | 'RequestTimeout'
>

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
/** The longest that one header can silence an exchange; Binance bans addresses for three days at most. */
const longestSilenceMs = 3 * day
/** Candles per request where ccxt does not know the exchange's bound. */
const usualPage = 500
/** The least that the newest page asks for: several exchanges take a time range and answer nothing for one candle. */
const leastPage = 10
/** Unix seconds of 2009-01-03, the first block of Bitcoin: no market is older, and some exchanges refuse the epoch. */
const genesis = Date.UTC(2009, 0, 3) / 1000

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

/** The client class of one exchange. The package exports only the whole, which costs three times the time and memory. */
async function load(id: string): Promise<{ Client: new (settings: object) => Exchange; errors: Errors }> {
  const folder = new URL('./src/', import.meta.resolve('ccxt'))
  try {
    const [exchange, errors] = await Promise.all([
      import(new URL(`${id}.js`, folder).href),
      import(new URL('base/errors.js', folder).href),
    ])
    return { Client: exchange.default, errors }
  } catch (error) {
    // The inner layout of the package is no promise of its authors; what it exports is.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    const whole = await import('ccxt')
    const clients = whole.default as unknown as Record<string, new (settings: object) => Exchange>
    return { Client: clients[id] as new (settings: object) => Exchange, errors: whole }
  }
}

/** What ccxt has for one exchange; nothing is asked of the exchange yet. */
export interface Clients {
  readonly id: string
  readonly rest: Exchange
  /** The one with WebSockets, where there is one. */
  readonly socket: Exchange | undefined
}

/** New clients of every exchange that `exchangeIds` lists, and the classes of their errors. All of ccxt is loaded. */
export async function loadClients(): Promise<{
  readonly clients: readonly Clients[]
  readonly errors: Errors
}> {
  const whole = await import('ccxt')
  type Classes = Readonly<Record<string, new () => Exchange>>
  const rest = whole.default as unknown as Classes
  const sockets = whole.default.pro as unknown as Classes
  const create = (classes: Classes, id: string) => classes[id] && new classes[id]()
  const clients = exchangeIds().map(id => ({
    id,
    rest: create(rest, id) as Exchange,
    socket: create(sockets, id),
  }))
  return { clients, errors: whole }
}

const spellingOf = (symbol: string): string => symbol.toUpperCase().replace(/[/-]/g, '')

/** Lower comes first: spot, perpetual swaps, dated futures; among those linear, then inverse, and settled in the quote first. */
function rank(market: Market): number {
  if (market.spot) return 0
  return (market.swap ? 0 : 4) + (market.inverse ? 2 : 0) + (market.settle === market.quote ? 1 : 2)
}

/**
 * Markets by their symbol without the slash. Options and markets known to be closed are left out. Where several share
 * a symbol the order of `rank` decides, then the nearest expiry, then ccxt's symbol.
 */
function tabulate(markets: Iterable<Market>): Map<string, Market> {
  const table = new Map<string, Market>()
  const usable = [...markets].filter(
    market =>
      market.base && market.quote && market.active !== false && (market.spot || market.swap || market.future),
  )
  usable.sort(
    (a, b) =>
      rank(a) - rank(b) ||
      (a.expiry ?? 0) - (b.expiry ?? 0) ||
      (a.symbol < b.symbol ? -1 : a.symbol > b.symbol ? 1 : 0),
  )
  for (const market of usable) {
    const symbol = spellingOf(market.base + market.quote)
    if (!table.has(symbol)) table.set(symbol, market)
  }
  return table
}

/** ccxt's row as a candle, or undefined when its time or a price is missing or not a finite number. */
function candleOf([time, open, high, low, close, volume]: OHLCV): Candle | undefined {
  if (![time, open, high, low, close].every(Number.isFinite)) return undefined
  return {
    timestamp: Math.floor((time as number) / 1000),
    open: open as number,
    high: high as number,
    low: low as number,
    close: close as number,
    volume: Number.isFinite(volume) ? (volume as number) : 0,
  }
}

/** Milliseconds from now that a Retry-After header (RFC 9110: seconds or a date) asks for; 0 when it says nothing. */
function retryAfterMs(header: unknown): number {
  if (typeof header !== 'string' || header.trim() === '') return 0
  const seconds = Number(header)
  const wait = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1000
  return wait > 0 ? Math.min(wait, longestSilenceMs) : 0
}

interface Reply {
  readonly status: number
  readonly retryAfterMs: number
}

interface Opened {
  readonly client: Exchange
  readonly errors: Errors
  /** What the exchange's answer said beside the error that ccxt made of it. */
  readonly replies: WeakMap<object, Reply>
}

interface Listing {
  readonly markets: ReadonlyMap<string, Market>
  readonly symbols: readonly string[]
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

  /**
   * Pages from the newest candle backwards. History ends at the first page that brings nothing older, so a hole that
   * is longer than a page ends it too.
   */
  async candles(symbol: string, timeframe: Timeframe, count: number): Promise<readonly Candle[]> {
    const { client, errors } = await this.#open()
    if (!Object.hasOwn(client.timeframes ?? {}, timeframe)) {
      throw new SourceFailure('unavailable', `Timeframe ${timeframe} is not offered by ${this.#id}`)
    }
    const spelling = spellingOf(symbol)
    const unknown = (options?: ErrorOptions) =>
      new SourceFailure('unknown-symbol', `Symbol not found: ${spelling} on ${this.#id}`, options)
    const market = (await this.#list()).markets.get(spelling)
    if (market === undefined) throw unknown()
    if (count < 1) return []
    try {
      return await this.#history(market, timeframe, count)
    } catch (error) {
      const cause = error instanceof SourceFailure ? error.cause : undefined
      throw cause instanceof errors.BadSymbol ? unknown({ cause }) : error
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    const opened = await this.#opened?.catch(() => undefined)
    if (opened === undefined) return
    const { client } = opened
    await client.close()
    // ccxt closes its WebSockets only: the HTTP connections would stay open for another minute.
    const dispatchers = [client.fetchDispatcher, ...Object.values(client.proxyDictionaries ?? {})]
    await Promise.all(dispatchers.map(dispatcher => dispatcher?.destroy?.()))
  }

  #open(): Promise<Opened> {
    this.#opened ??= this.#create().catch(error => {
      this.#opened = undefined
      throw new SourceFailure('unavailable', `${this.#id} could not be set up`, { cause: error })
    })
    return this.#opened
  }

  async #create(): Promise<Opened> {
    const { options = {}, timeoutMs } = this.#settings
    const { Client, errors } = await load(this.#id)
    const client = new Client({
      ...options,
      ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
      enableRateLimit: true,
    })
    const replies = new WeakMap<object, Reply>()

    // ccxt stops its clock at the headers; a body that never comes would be waited for by undici's five minutes.
    const dispatcherOptions = client.getDispatcherOptions.bind(client)
    client.getDispatcherOptions = isPlainAgent => ({
      ...dispatcherOptions(isPlainAgent),
      headersTimeout: client.timeout,
      bodyTimeout: client.timeout,
    })

    const read = client.handleRestResponse.bind(client)
    client.handleRestResponse = async (response, url, ...request) => {
      const { status } = response
      const reply = { status, retryAfterMs: retryAfterMs(client.getResponseHeaders(response)['Retry-After']) }
      const remember = (error: Error) => {
        replies.set(error, reply)
        return error
      }
      let body: unknown
      try {
        body = await read(response, url, ...request)
      } catch (error) {
        if (error instanceof errors.BaseError) throw remember(error)
        const isLate = error instanceof Error && 'code' in error && error.code === 'UND_ERR_BODY_TIMEOUT'
        const broken = isLate
          ? new errors.RequestTimeout(`${this.#id} ${url} the reply stalled`)
          : new errors.NetworkError(`${this.#id} ${url} the reply broke off`)
        broken.cause = error
        throw broken
      }
      // ccxt hands over as text what it cannot parse, and reads "no markets" or "no candles" in it.
      if (typeof body === 'string' && /^\s*[[{<]/.test(body)) {
        throw remember(new errors.BadResponse(`${this.#id} ${url} ${status} ${body.slice(0, 200)}`))
      }
      return body
    }
    return { client, errors, replies }
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
      const markets = tabulate(Object.values(await this.#ask(() => client.loadMarkets(true))) as Market[])
      if (markets.size === 0) throw new SourceFailure('unavailable', `${this.#id} lists no markets`)
      this.#listing = { markets, symbols: Object.freeze([...markets.keys()].sort()) }
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

  async #history(market: Market, timeframe: Timeframe, count: number): Promise<readonly Candle[]> {
    const { client, errors } = await this.#open()
    const { pageLimit = 1000, maxPages = 100 } = this.#settings
    const bound =
      client.featureValueByType(market.type, market.subType, 'fetchOHLCV', 'limit', usualPage) ?? usualPage
    const size = Math.max(2, Math.min(pageLimit, bound))
    const length = timeframes[timeframe]
    let pages = 0

    /** The sound candles of one reply: those from `since` (Unix seconds) on, or the newest ones. */
    const page = async (since: number | undefined, limit: number): Promise<Candle[]> => {
      pages++
      const rows = await this.#ask(async () => {
        try {
          return await client.fetchOHLCV(market.symbol, timeframe, since && since * 1000, limit)
        } catch (error) {
          if (!(error instanceof errors.ArgumentsRequired)) throw error
          // A few exchanges (pacifica, zebpay) insist on both ends of the range.
          const from = since === undefined ? Date.now() - limit * length * 1000 : since * 1000
          const until = from + limit * length * 1000
          return client.fetchOHLCV(market.symbol, timeframe, from, limit, { until })
        }
      })
      return rows.map(candleOf).filter(candle => candle !== undefined)
    }

    /** All candles from `since` to `end`, both included; none where history has ended or the pages ran out. */
    const span = async (since: number, end: number): Promise<Iterable<Candle>> => {
      const found = new Map<number, Candle>()
      for (let from = since; pages < maxPages; ) {
        const candles = await page(from, size)
        const known = found.size
        let reached = from
        for (const candle of candles) {
          reached = Math.max(reached, candle.timestamp)
          if (candle.timestamp <= end) found.set(candle.timestamp, candle)
        }
        if (found.size === known || reached + length >= end) return found.values()
        // The exchange answered less than was asked, which leaves a hole before `end`.
        from = reached
      }
      return []
    }

    const found = new Map<number, Candle>()
    const keep = (candles: Iterable<Candle>): void => {
      for (const candle of candles) found.set(candle.timestamp, candle)
    }
    keep(await page(undefined, Math.min(size, Math.max(count, leastPage))))
    let end = Math.min(...found.keys())
    while (found.size > 0 && found.size < count && pages < maxPages && end > genesis) {
      // Spans overlap by one candle, for the exchanges that leave out the one that opens at `since`.
      const since = Math.max(genesis, end - (size - 1) * length)
      const known = found.size
      try {
        keep(await span(since, end))
      } catch (error) {
        // Several exchanges refuse a range that is too long ago instead of answering nothing.
        const cause = error instanceof SourceFailure ? error.cause : undefined
        if (!(cause instanceof errors.BadRequest) || cause instanceof errors.BadSymbol) throw error
      }
      if (found.size === known) break
      end = since
    }
    return [...found.values()].sort((a, b) => a.timestamp - b.timestamp).slice(-count)
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
        if (attempt >= retries || isOverlong || !isPassing(error, opened)) throw this.#failure(error, opened)
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

  /** What went wrong in words for the caller; ccxt's own text holds addresses and whole pages, it stays in the cause. */
  #failure(error: unknown, { client, errors, replies }: Opened): SourceFailure {
    const reply = replies.get(error as object)
    const isFrom = (...classes: (keyof Errors)[]) => classes.some(name => error instanceof errors[name])
    const status = reply?.status ?? 0
    const suffix = status < 300 ? '' : ` (HTTP ${status})`
    const text = () => {
      if (isFrom('RateLimitExceeded', 'DDoSProtection')) {
        const seconds = Math.ceil((reply?.retryAfterMs ?? 0) / 1000)
        return `limits the rate of requests${suffix}${seconds > 0 ? `, it can be asked again in ${seconds} s` : ''}`
      }
      if (isFrom('AuthenticationError') && !isFrom('PermissionDenied'))
        return `wants valid API keys for this${suffix}`
      if (isFrom('PermissionDenied') || (status >= 400 && status < 500)) return `refused the request${suffix}`
      if (isFrom('ExchangeNotAvailable') || status >= 500) return `is not available${suffix}`
      if (isFrom('BadResponse')) return 'sent a reply that cannot be read'
      if (isFrom('RequestTimeout')) return `did not answer within ${client.timeout} ms`
      if (isFrom('NetworkError') || hasCode(error)) return 'cannot be reached'
      return 'could not answer the request'
    }
    return new SourceFailure('unavailable', `${this.#id} ${text()}`, { cause: error })
  }
}

/** Node's and undici's own errors carry a code, such as ECONNRESET or UND_ERR_SOCKET; ccxt lets some of them through. */
const hasCode = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'

/** Whether the same request may succeed a moment later: limits, broken connections, 5xx; a refusal will not pass. */
function isPassing(error: unknown, { errors, replies }: Opened): boolean {
  const status = replies.get(error as object)?.status ?? 0
  // 418 is Binance's ban of an address; every further request makes it longer.
  if (status >= 400 && status < 500) return status === 408 || status === 429
  if (status >= 500) return true
  return error instanceof errors.OperationFailed || hasCode(error)
}
