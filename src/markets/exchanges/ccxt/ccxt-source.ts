import type { Candle } from '../../../candles/candle.js'
import { openOf, type Timeframe } from '../../../candles/timeframe.js'
import { nearSymbols } from '../../../contract/hints.js'
import {
  canonicalSymbol,
  type DerivativeKind,
  type DerivativeSeries,
  isOfTimes,
  noSeriesOfExchange,
  noSeriesOfMarket,
  readSeries,
} from '../../../contract/market.js'
import type { Refusal } from '../../../contract/refusals.js'
import { noVolumes } from '../../../contract/screen-refusals.js'
import { recentEntries } from '../../../runtime/caches.js'
import { once } from '../../../runtime/once.js'
import { Sequence } from '../../../runtime/sequence.js'
import { ExchangeClock } from '../exchange-clock.js'
import { RefreshedValue } from '../refreshed-value.js'
import { fold } from '../resample.js'
import { BodyTooLong } from '../response-body.js'
import {
  connectionReason,
  exchangeCodeOf,
  type Fault,
  isPlaceRefused,
  type RetrySettings,
  retry,
  retryDefaults,
} from '../retry.js'
import {
  type FailureReason,
  type FetchOptions,
  type NativeSource,
  type OnAnomaly,
  SourceFailure,
  timeframeNotOffered,
} from '../source.js'
import type { SymbolCache } from '../symbol-cache.js'
import { CandleStreams, openStreamingClient } from './candle-streams.js'
import { type ErrorClasses, hasHistoryOf, type ListedMarket, type Ticker } from './client.js'
import { resolveExchangeId } from './exchange-list.js'
import { closeClient, type OpenClient, openClient, withPriority } from './open-client.js'
import { type AskedCandles, candleOf, candleSeries, PagedHistory } from './paged-history.js'
import { timesSeries, timesWithin } from './times-series.js'

/** Binance's shortest ban, assumed for a ban without a Retry-After. */
const minBanMs = 120_000

/**
 * Whether an error has a code of Node or undici, such as ECONNRESET or UND_ERR_SOCKET. ccxt does not wrap all of
 * these errors.
 */
const hasCode = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'

/** Reads the fault of a ccxt error. Rate limits, broken connections and 5xx are transient, refusals are not. */
export function faultOf(error: unknown, { errors, statuses }: OpenClient): Fault {
  const { status = 0, retryAfterMs = 0 } = statuses.get(error as object) ?? {}
  return {
    reason: reasonOf(error, status, errors),
    status,
    code: error instanceof Error ? exchangeCodeOf(error.message) : '',
    pauseMs: retryAfterMs === 0 && status === 418 ? minBanMs : retryAfterMs,
    // 418 is Binance's ban of an address. It is not transient: every further request makes the ban longer.
    isTransient:
      status >= 400
        ? status === 408 || status === 429 || status >= 500
        : error instanceof errors.OperationFailed || hasCode(error),
  }
}

function reasonOf(error: unknown, status: number, errors: ErrorClasses): FailureReason {
  const isA = (...classes: (keyof ErrorClasses)[]) => classes.some(name => error instanceof errors[name])
  if (status >= 400 && isPlaceRefused(status, String(error))) return 'place-refused'
  if (isA('RateLimitExceeded', 'DDoSProtection')) return 'rate-limited'
  if (isA('PermissionDenied') || status === 402) return 'not-permitted'
  if (isA('AuthenticationError') || status === 401) return 'keys-needed'
  if (isA('BadRequest') || (status >= 400 && status < 500)) return 'request-refused'
  if (isA('ExchangeNotAvailable') || status >= 500) return 'down'
  if (error instanceof BodyTooLong) return 'too-long'
  if (isA('BadResponse')) return 'unreadable'
  if (isA('RequestTimeout')) return 'timed-out'
  return isA('NetworkError') || hasCode(error) ? connectionReason(error) : 'other'
}

/** 24-hour quote volume, or undefined if the ticker lacks it. */
function tradedOf({ quoteVolume, baseVolume, vwap, last }: Ticker): number | undefined {
  const traded = quoteVolume ?? (baseVolume ?? Number.NaN) * (vwap ?? last ?? Number.NaN)
  return Number.isFinite(traded) ? traded : undefined
}

/**
 * Symbols of listed markets by their 24-hour quote volume, the largest first. Markets without a volume are left
 * out.
 */
export function rankByVolume(
  markets: ReadonlyMap<string, Pick<ListedMarket, 'symbol'>>,
  tickers: readonly Ticker[],
): readonly string[] {
  const symbols = new Map([...markets].map(([symbol, market]) => [market.symbol, symbol]))
  const traded = new Map<string, number>()
  for (const ticker of tickers) {
    const symbol = symbols.get(ticker.symbol ?? '')
    const volume = tradedOf(ticker)
    if (symbol !== undefined && volume !== undefined) traded.set(symbol, volume)
  }
  const ranked = [...traded].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
  return Object.freeze(ranked.map(([symbol]) => symbol))
}

export interface CcxtSettings extends RetrySettings {
  /**
   * Merged into ccxt's constructor settings: `httpsProxy`, `hostname`, `urls`, `apiKey`, `secret`, `options` and
   * all other settings of ccxt. Requests are always spaced by the exchange's rate limit.
   */
  readonly options?: Readonly<Record<string, unknown>>
  /**
   * Milliseconds without a response, or without its next chunk, after which a request fails. A whole body may need
   * twice this time. Default: ccxt's 10 000.
   */
  readonly timeoutMs?: number
  /** Maximum candles per request, 1000 by default. A lower limit of the exchange takes precedence. */
  readonly pageLimit?: number
  /** Maximum requests of one call of `candles`, without retries. Default 100. */
  readonly maxPages?: number
  /** Maximum requests in flight. Default 16. */
  readonly concurrency?: number
  /**
   * Maximum milliseconds that a call waits for its turn. A call that would wait longer fails immediately. Default
   * 60 000.
   */
  readonly maxWaitMs?: number
  /** Sequence in which exchanges are opened one after the other. Default: a sequence for this exchange only. */
  readonly openings?: Sequence
  readonly onAnomaly?: OnAnomaly
  readonly symbolCache?: SymbolCache
}

/**
 * Minimum age in milliseconds of the market list before it is fetched again for a missing symbol. A new symbol is
 * found within a minute, because an unknown symbol is also remembered for 30 seconds.
 */
const minListAgeMs = 30_000
/** Milliseconds for which the ranking by volume is fresh. The volumes are those of a whole day. */
const rankingFreshMs = 600_000
/** Maximum number of gaps remembered as real, so that they are not fetched again. */
const maxKnownGaps = 20_000

/**
 * Market data of one exchange in its native timeframes. The first call of a method loads ccxt and the exchange. All
 * methods return promises.
 * @throws SourceFailure when ccxt has no such exchange.
 */
export class CcxtSource implements NativeSource {
  readonly #id: string
  readonly #openings: Sequence
  readonly #closing = new AbortController()
  readonly #streams: CandleStreams
  readonly #gaps = recentEntries<true>(maxKnownGaps)
  readonly #listing = new RefreshedValue(() => this.#fetchListing(), this.#closing.signal)
  /** Symbol list stored by an earlier process. */
  readonly #cachedSymbols = once(() => this.settings.symbolCache?.get(this.#id))
  /** Symbols stored by an earlier process, used until this process has fetched the listing. */
  readonly #storedSymbols = new RefreshedValue(
    async () => (await this.#listing.get()).symbols,
    this.#closing.signal,
  )
  readonly #ranking = new RefreshedValue(() => this.#fetchRanking(), this.#closing.signal, rankingFreshMs)
  #opened: Promise<OpenClient> | undefined

  constructor(
    name: string,
    private readonly settings: CcxtSettings = {},
  ) {
    const id = resolveExchangeId(name)
    // The identifier becomes part of a file name, so only listed ones may pass.
    if (id === undefined) throw new SourceFailure('unavailable', `Exchange not found: ${name}`)
    this.#id = id
    this.#openings = settings.openings ?? new Sequence()
    const { options = {}, backoffMs } = settings
    let clock = new ExchangeClock()
    this.#streams = new CandleStreams({
      id,
      create: async () => {
        const opened = await this.#open()
        clock = opened.clock
        return this.#openings.run(() => openStreamingClient(id, options, opened.client))
      },
      read: (row, timeframe) => candleOf(row, clock.latestOpen(timeframe)),
      ...(backoffMs === undefined ? {} : { backoffMs }),
    })
  }

  async symbols(): Promise<readonly string[]> {
    if (this.#listing.last) return (await this.#listing.get()).symbols
    if (!this.#storedSymbols.last) this.#restoreSymbols()
    return this.#storedSymbols.get()
  }

  ranking(): Promise<readonly string[]> {
    return this.#ranking.get()
  }

  async timeframes(): Promise<readonly string[]> {
    const { client } = await this.#open()
    return Object.keys(client.timeframes ?? {})
  }

  async candles(
    symbol: string,
    timeframe: Timeframe,
    count: number,
    { until, isBackground = false, isEnded = false }: FetchOptions = {},
  ): Promise<readonly Candle[]> {
    const opened = await this.#open()
    const { errors } = opened
    const named = readSeries(symbol)
    const isNative = Object.hasOwn(opened.client.timeframes ?? {}, timeframe)
    if (!isNative && !(named && isOfTimes(named.kind))) throw timeframeNotOffered(this.#id, timeframe)
    const find = () => (named ? this.#findDerivative(named, opened) : this.#find(symbol))
    const market = await find()
    if (count < 1) return []
    const { pageLimit = 1000, onAnomaly } = this.settings
    const endedBefore = isEnded ? opened.clock.endedBefore(timeframe) : Number.POSITIVE_INFINITY
    const before = Math.min(until ?? Number.POSITIVE_INFINITY, endedBefore)
    const end = before < Number.POSITIVE_INFINITY ? before : undefined
    const asked: AskedCandles = {
      ...{ opened, market, timeframe, pageLimit },
      request: work => this.#request(work, isBackground),
      onAnomaly: anomaly => onAnomaly?.(anomaly, this.#id),
    }
    try {
      return await withPriority(isBackground ? 'background' : 'client', () =>
        this.#fetch(asked, named?.kind, count, end),
      )
    } catch (error) {
      const cause = error instanceof SourceFailure ? error.cause : undefined
      // The symbol is in the list, but the exchange does not know it: the market is delisted.
      if (cause instanceof errors.BadSymbol) throw this.#unknown(symbol, cause, true)
      if (cause !== undefined && !faultOf(cause, opened).isTransient && this.#isListOld()) {
        // ccxt does not recognise every refusal of a closed market. A new list lacks the symbol of a closed market.
        this.#listing.expire()
        await find()
      }
      throw error
    }
  }

  /** Newest candles of a market or of a derivative series, before `end` if it is defined. */
  async #fetch(
    asked: AskedCandles,
    kind: DerivativeKind | undefined,
    count: number,
    end: number | undefined,
  ): Promise<readonly Candle[]> {
    const { onAnomaly, opened, timeframe } = asked
    const { maxPages = 100 } = this.settings
    const pages = { maxPages, gaps: this.#gaps, errors: opened.errors, onAnomaly }
    if (kind === undefined || !isOfTimes(kind))
      return new PagedHistory({ ...pages, series: candleSeries(asked, kind), count }).fetch(end)
    const series = await timesSeries(asked, kind)
    const values = new PagedHistory({ ...pages, series, count: timesWithin(asked, series, count) })
    return fold(await values.fetch(end), time => openOf(timeframe, time)).slice(-count)
  }

  async watch(symbol: string, timeframe: Timeframe, signal: AbortSignal) {
    // Derivative series are polled, because every exchange that streams some of them does it in another way.
    if (readSeries(symbol)) return undefined
    return this.#streams.watch((await this.#find(symbol)).symbol, timeframe, signal)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#streams.close()
    const opened = await this.#opened?.catch(() => undefined)
    if (opened) await closeClient(opened)
  }

  #open(): Promise<OpenClient> {
    const { options, timeoutMs, concurrency = 16, maxWaitMs = 60_000 } = this.settings
    const { maxPauseMs = retryDefaults.maxPauseMs } = this.settings
    const settings = { ...options, ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }) }
    const limits = { concurrency, maxWaitMs, maxPauseMs, signal: this.#closing.signal }
    this.#opened ??= this.#openings
      .run(() => openClient(this.#id, { settings, ...limits }))
      .catch(error => {
        this.#opened = undefined
        throw new SourceFailure('unavailable', `${this.#id} could not be set up`, { cause: error })
      })
    return this.#opened
  }

  /**
   * Finds the market of a symbol. Fetches an old list again if the symbol is missing, because the market may have
   * opened since.
   */
  async #find(symbol: string): Promise<ListedMarket> {
    const canonical = canonicalSymbol(symbol)
    let market = (await this.#listing.get()).markets.get(canonical)
    if (market === undefined && this.#isListOld()) {
      this.#listing.expire()
      market = (await this.#listing.get()).markets.get(canonical)
    }
    if (market === undefined) throw this.#unknown(symbol)
    return market
  }

  /** Finds the derivative of a series. It differs from the symbol's market if that is a spot market. */
  async #findDerivative({ symbol, kind }: DerivativeSeries, { client }: OpenClient): Promise<ListedMarket> {
    const refuse = ({ error }: Refusal) => new SourceFailure('no-series', error)
    if (!hasHistoryOf(client, kind)) throw refuse(noSeriesOfExchange(kind, this.#id))
    await this.#find(symbol)
    const derivative = (await this.#listing.get()).derivatives.get(canonicalSymbol(symbol))
    if (derivative && (derivative.swap || kind !== 'funding')) return derivative
    throw refuse(noSeriesOfMarket(kind, canonicalSymbol(symbol), this.#id))
  }

  #restoreSymbols(): void {
    const stored = this.#cachedSymbols()
    if (stored === undefined) return
    const ageMs = Date.now() - stored.listed * 1000
    // A list with a future time was stored while the clock was ahead, so its age is unknown.
    this.#storedSymbols.restore(stored.symbols, ageMs < 0 ? Number.POSITIVE_INFINITY : ageMs)
  }

  /** Whether the market list is old enough to be fetched before it expires. */
  #isListOld(): boolean {
    return this.#listing.sinceFetchMs >= minListAgeMs
  }

  #unknown(symbol: string, cause?: unknown, isListed = false): SourceFailure {
    const canonical = canonicalSymbol(symbol)
    const { symbols = [], former } = this.#listing.last ?? {}
    const isDelisted = isListed || former?.has(canonical) === true
    const near = isDelisted ? [] : nearSymbols(symbol, symbols, this.#id)
    const options = { near, isDelisted, ...(cause === undefined ? {} : { cause }) }
    return new SourceFailure('unknown-symbol', `Symbol not found: ${canonical} on ${this.#id}`, options)
  }

  async #fetchListing(): Promise<Listing> {
    const { client } = await this.#open()
    try {
      // The list has the highest priority, because all other requests need it.
      const markets = await withPriority('begun', () => this.#request(() => client.loadMarkets(true)))
      const before = this.#listing.last
      const known = before?.symbols ?? this.#cachedSymbols()?.symbols ?? []
      const listing = listingOf(Object.values(markets) as ListedMarket[], [
        ...known,
        ...(before?.former ?? []),
      ])
      const { symbols } = listing
      if (symbols.length === 0) throw new SourceFailure('unavailable', `${this.#id} lists no markets`)
      this.settings.symbolCache?.set(this.#id, { symbols, listed: Math.floor(Date.now() / 1000) })
      return listing
    } catch (error) {
      // ccxt stores the rejected promise and would return it to every later call.
      client.marketsLoading = undefined as never
      throw error
    }
  }

  async #fetchRanking(): Promise<readonly string[]> {
    const { client } = await this.#open()
    if (client.has.fetchTickers !== true) throw new SourceFailure('no-series', noVolumes(this.#id).error)
    const { markets } = await this.#listing.get()
    const tickers = await withPriority('client', () => this.#request(() => client.fetchTickers()))
    return rankByVolume(markets, Object.values(tickers))
  }

  async #request<Answer>(work: () => Promise<Answer>, isBackground = false): Promise<Answer> {
    const opened = await this.#open()
    const { retries, backoffMs, maxPauseMs } = { ...retryDefaults, ...this.settings }
    return retry(work, {
      exchange: this.#id,
      retries,
      backoffMs,
      maxPauseMs: isBackground ? Number.POSITIVE_INFINITY : maxPauseMs,
      queue: opened.queue,
      timeoutMs: opened.client.timeout,
      signal: this.#closing.signal,
      faultOf: error => faultOf(error, opened),
    })
  }
}

interface Listing {
  /** Markets by symbol without the slash. */
  readonly markets: ReadonlyMap<string, ListedMarket>
  /** Swaps and futures by symbol without the slash, also if the symbol has a spot market. */
  readonly derivatives: ReadonlyMap<string, ListedMarket>
  /** Symbols of spot markets first, then the others, each group sorted. */
  readonly symbols: readonly string[]
  /** Symbols of closed markets, and symbols that only earlier lists had. */
  readonly former: ReadonlySet<string>
}

/**
 * Rank of a market; the lowest comes first. Order: spot, perpetual swaps, dated futures. Linear comes before
 * inverse, and settlement in the quote currency before others.
 */
function rank(market: ListedMarket): number {
  if (market.spot) return 0
  return (market.swap ? 0 : 4) + (market.inverse ? 2 : 0) + (market.settle === market.quote ? 1 : 2)
}

/**
 * Builds the listing without options and closed markets. If several markets share a symbol, the lowest rank wins,
 * then the nearest expiry, then the first ccxt symbol. `known` has the symbols of earlier lists.
 */
function listingOf(markets: readonly ListedMarket[], known: Iterable<string>): Listing {
  const bySymbol = new Map<string, ListedMarket>()
  const derivatives = new Map<string, ListedMarket>()
  const usable = markets.filter(
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
    const symbol = canonicalSymbol(market.base + market.quote)
    if (!bySymbol.has(symbol)) bySymbol.set(symbol, market)
    if (!market.spot && !derivatives.has(symbol)) derivatives.set(symbol, market)
  }
  const symbols = (isSpot: boolean) =>
    [...bySymbol]
      .filter(([, market]) => Boolean(market.spot) === isSpot)
      .map(([symbol]) => symbol)
      .sort()
  const closed = markets.filter(({ active, option }) => active === false && !option)
  const former = new Set([...closed.map(({ base, quote }) => canonicalSymbol(`${base}${quote}`)), ...known])
  for (const symbol of bySymbol.keys()) former.delete(symbol)
  return {
    ...{ markets: bySymbol, derivatives, former },
    symbols: Object.freeze([...symbols(true), ...symbols(false)]),
  }
}
