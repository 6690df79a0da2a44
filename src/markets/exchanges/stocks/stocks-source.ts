import { LRUCache } from 'lru-cache'
import type { Candle } from '../../../candles/candle.js'
import { openOf, type Timeframe, timeframes } from '../../../candles/timeframe.js'
import { nearSymbols } from '../../../contract/hints.js'
import { type Adjustment, stocksId } from '../../../contract/market.js'
import { RefreshedValue } from '../refreshed-value.js'
import { foldStream, timeframeOrigins } from '../resample.js'
import {
  type FetchOptions,
  noSeriesFailure,
  type OnSpellings,
  type Source,
  SourceFailure,
} from '../source.js'
import { StocksConnection } from './bar-streams.js'
import { type ChartPage, candlesOf, openInSession } from './chart.js'
import { HttpFailure, WrongMarket } from './failure.js'
import { PageRanges } from './pages.js'
import type { HistoryBounds, Interval, PageRequest, Provider } from './provider.js'
import type { StocksSettings } from './stocks.js'
import { readDirectory, type SymbolDirectory } from './symbol-directory.js'
import { earlyCloseOn, nextOpen, sessionAt } from './trading-hours.js'
import { yahoo } from './yahoo.js'

const day = 86_400
const hour = 3600
const directoryUrl = 'https://www.nasdaqtrader.com/dynamic/SymDir/nasdaqtraded.txt'
const maxPages = 50
/** Seconds after the close during which providers still change the day's candles: the closing auction, late reports. */
const settlingSeconds = hour / 2
/** Seconds without a trade during a session that indicate a holiday, the end of a half day, or a halt. */
const maxTradePause = hour / 2
/** Seconds for which candles are cached during such a pause. */
const pauseCacheSeconds = 60
/** Maximum candles cached while the market is closed, about 150 bytes each. */
const maxCachedCandles = 200_000
/** Empty days that mark the start of a history, if its provider does not report the first trade. */
const maxEmptyDays = 60

interface CachedCandles {
  readonly candles: readonly Candle[]
  /** Whether the history has nothing older. */
  readonly isWhole: boolean
  /** Fetch time (Unix seconds). If it is in the future, the clock was ahead during the fetch. */
  readonly from: number
  /** Expiry time (Unix seconds). */
  readonly until: number
}

/** A security: its symbol as the exchanges spell it, and the provider's spelling. */
interface Security {
  readonly symbol: string
  readonly spelling: string
}

/** The US stock market with the data of one provider. */
export class StocksSource implements Source {
  readonly #connection: StocksConnection
  readonly #cache = new LRUCache<string, CachedCandles>({
    maxSize: maxCachedCandles,
    sizeCalculation: ({ candles }) => Math.max(1, candles.length),
  })
  readonly #directory: RefreshedValue<SymbolDirectory>

  /** Sources with different adjustments may share a connection. */
  constructor(
    private readonly settings: StocksSettings = {},
    private readonly onSpellings: OnSpellings = () => {},
    private readonly id: string = stocksId,
    connection = new StocksConnection(id, yahoo(settings.url), settings, settings.requestsPerSecond),
    private readonly adjustment: Adjustment = 'split',
  ) {
    this.#connection = connection
    this.#directory = new RefreshedValue(() => this.#fetchDirectory(), connection.closing.signal)
  }

  async symbols(): Promise<readonly string[]> {
    return (await this.#directory.get()).symbols
  }

  /**
   * Candles open at 9:30 in New York plus whole lengths (intraday) or at 00:00 UTC of their date (days). Weeks open
   * on Monday, months on their first day. The history is limited to that of the provider.
   */
  candles(
    symbol: string,
    timeframe: Timeframe,
    count: number,
    options: FetchOptions = {},
  ): readonly Candle[] | Promise<readonly Candle[]> {
    const unfit = noSeriesFailure(this.id, symbol)
    if (unfit) throw unfit
    const security = this.#securityOf(symbol)
    if (count < 1) return []
    const cached = this.#cache.get(`${security.symbol} ${timeframe}`)
    const now = this.#connection.now()
    if (
      cached &&
      options.until === undefined &&
      now >= cached.from &&
      now < cached.until &&
      (cached.isWhole || cached.candles.length >= count)
    ) {
      return cached.candles.slice(-count)
    }
    return this.#inListedSpelling(security, listed => this.#fetchHistory(listed, timeframe, count, options))
  }

  /**
   * Streams candles of the timeframe, made from the bars of the provider. Undefined if the provider has no stream
   * for it.
   */
  async watch(
    symbol: string,
    timeframe: Timeframe,
    signal: AbortSignal,
  ): Promise<AsyncIterable<readonly Candle[]> | undefined> {
    const { streams } = this.#connection
    const bars = streams && timeframeOrigins(streams.intervals)[timeframe]
    const bar = bars === 'native' ? timeframe : bars
    // Days are not made from minutes, because minutes lack the auctions.
    if (!streams || bar === undefined || (bar === '1m') !== timeframes[timeframe] < day) return undefined
    const { spelling } = await this.#listed(this.#securityOf(symbol))
    const stream = await streams.watch(spelling, bar as '1m' | '1d', signal)
    if (stream === undefined) return undefined
    const ratio = Math.min(timeframes[timeframe], day) / timeframes[bar]
    return foldStream(stream, timeframe, {
      openOf:
        bar === '1d'
          ? date => openOf(timeframe, date)
          : time => openInSession(timeframe, time, earlyCloseOn(sessionAt(time))),
      fetchFiner: () => (bar === timeframe ? [] : this.candles(symbol, bar, Math.max(62, 2 * ratio))),
    })
  }

  async close(): Promise<void> {
    this.#connection.close()
  }

  #securityOf(symbol: string): Security {
    const upperCase = symbol.toUpperCase()
    const spelling = this.#connection.provider.spell(upperCase)
    if (spelling === undefined) throw this.#unknown(upperCase)
    return { symbol: upperCase, spelling }
  }

  /**
   * Resolves a spelling without a separator. Callers write BRK-B and BRK/B as BRKB, and only the symbol list shows
   * that BRKB is not a symbol itself.
   */
  async #listed({ symbol, spelling }: Security): Promise<Security> {
    const listed = (await this.#directory.get().catch(() => undefined))?.bySpelling.get(symbol)
    return { symbol, spelling: (listed && this.#connection.provider.spell(listed)) ?? spelling }
  }

  async #inListedSpelling<Answer>(
    security: Security,
    work: (security: Security) => Promise<Answer>,
  ): Promise<Answer> {
    try {
      return await work(security)
    } catch (error) {
      if (!(error instanceof SourceFailure) || error.kind !== 'unknown-symbol') throw error
      const listed = await this.#listed(security)
      if (listed.spelling === security.spelling) throw error
      return work(listed)
    }
  }

  /** Fetches pages from the newest one backwards until it has `count` candles. */
  async #fetchHistory(
    security: Security,
    timeframe: Timeframe,
    count: number,
    options: FetchOptions,
  ): Promise<readonly Candle[]> {
    const { until, isEnded = false } = options
    const { provider, now } = this.#connection
    const interval = intervalOf(timeframe, provider)
    const bounds = provider.bounds[interval] as HistoryBounds
    const ranges = new PageRanges({ timeframe, count, now: now(), until, bounds, genesis: provider.genesis })
    const pages: ChartPage[] = []
    let candles: Candle[] = []
    let isWhole = ranges.isAtEnd
    let emptyDays = 0
    for (let requests = 0; !isWhole && candles.length < count && requests < maxPages; requests++) {
      const range = ranges.next
      const page = await this.#fetchPage(security, interval, range, options)
      if (page instanceof SourceFailure && ranges.isNewest) {
        // A plan may not reach as far back as this page.
        if (page.fault?.reason === 'not-permitted' && ranges.shorten()) continue
        throw page
      }
      if (!(page instanceof SourceFailure)) pages.push(page)
      const known = candles.length
      candles = candlesOf(timeframe, pages).filter(
        ({ timestamp }) => timestamp < this.#before(timeframe, options),
      )
      const firstTrade = pages.findLast(({ firstTrade }) => firstTrade !== undefined)?.firstTrade
      emptyDays = candles.length === known ? emptyDays + range.days : 0
      if (candles.length === 0 && firstTrade === undefined) await this.#assertListed(security)
      const isEnd = firstTrade === undefined && (emptyDays >= maxEmptyDays || page instanceof SourceFailure)
      isWhole = isEnd || range.start <= Math.max(ranges.oldest, firstTrade ?? ranges.oldest)
      ranges.advance()
    }
    if (until === undefined && !isEnded) {
      // The candles are cached as long as no trade is expected.
      const from = now()
      const until = unchangedUntil(from, pages[0]?.lastTrade)
      const cached = { candles, isWhole, from, until }
      if (until > from) this.#cache.set(`${security.symbol} ${timeframe}`, cached)
    }
    return candles.slice(-count)
  }

  /** Time (Unix seconds) before which the requested candles open. */
  #before(timeframe: Timeframe, { until = Number.POSITIVE_INFINITY, isEnded }: FetchOptions): number {
    // The provider's time is known after its first response.
    return isEnded ? Math.min(until, this.#connection.clock.endedBefore(timeframe)) : until
  }

  /** Fetches the candles of a range, or returns the provider's refusal of that range. */
  async #fetchPage(
    { symbol, spelling }: Security,
    interval: Interval,
    { start, end }: Pick<PageRequest, 'start' | 'end'>,
    { isBackground = false }: FetchOptions,
  ): Promise<ChartPage | SourceFailure> {
    const { provider, clock } = this.#connection
    const request = { spelling, interval, start, end, adjustment: this.adjustment, isBackground }
    try {
      const page = await provider.page(request, work => this.#connection.ask(isBackground, work))
      const latest = clock.latestOpen(interval)
      return { ...page, rows: page.rows.filter(({ timestamp }) => timestamp <= latest) }
    } catch (error) {
      const { cause, fault } = error as SourceFailure
      if (cause instanceof WrongMarket) throw this.#unknown(symbol, cause)
      if (!(cause instanceof HttpFailure)) throw error
      if (provider.isUnknown(cause)) throw this.#unknown(symbol, cause)
      if (provider.isOutOfRange(cause) || fault?.reason === 'not-permitted') return error as SourceFailure
      throw error
    }
  }

  /** Throws if the symbol list lacks a security. Does nothing if the list cannot be fetched. */
  async #assertListed({ symbol, spelling }: Security): Promise<void> {
    const directory = await this.#directory.get().catch(() => undefined)
    const { provider } = this.#connection
    if (directory && !directory.symbols.some(listed => provider.spell(listed) === spelling))
      throw this.#unknown(symbol)
  }

  #fetchDirectory(): Promise<SymbolDirectory> {
    const { symbolsUrl = directoryUrl } = this.settings
    return this.#connection.ask(false, async fetch => {
      const response = await fetch(symbolsUrl)
      const directory = readDirectory(await response.text())
      if (directory === undefined) throw new Error('the list of symbols is cut off or something else')
      this.onSpellings(directory.bySpelling)
      return directory
    })
  }

  #unknown(symbol: string, cause?: unknown): SourceFailure {
    const near = nearSymbols(symbol, this.#directory.last?.symbols ?? [])
    return new SourceFailure('unknown-symbol', `Symbol not found: ${symbol} on ${this.id}`, { near, cause })
  }
}

/** The provider's interval from which candles of a timeframe are made. */
function intervalOf(timeframe: Timeframe, { bounds }: Provider): Interval {
  const origin = timeframeOrigins(Object.keys(bounds))[timeframe]
  return (origin === 'native' ? timeframe : origin) as Interval
}

/** Time until which no trade is expected (Unix seconds). Returns `now` if the market is open and trades. */
function unchangedUntil(now: number, lastTrade: number | undefined): number {
  const { open, close, isWeekend } = sessionAt(now)
  if (isWeekend || now < open || now >= close + settlingSeconds) return Math.min(now + hour, nextOpen(now))
  return lastTrade !== undefined && now - lastTrade > maxTradePause ? now + pauseCacheSeconds : now
}
