import { LRUCache } from 'lru-cache'
import type { Candle } from '../../candles/candle.js'
import { endOf, openOf, type Timeframe, timeframes } from '../../candles/timeframe.js'
import { nearNames } from '../../contract/hints.js'
import { withDeadline } from '../../runtime/deadline.js'
import { ExchangeClock } from '../exchange-clock.js'
import { RefreshedValue } from '../refreshed-value.js'
import { RequestQueue, retryAfterMs } from '../request-queue.js'
import { readBody } from '../response-body.js'
import { type RetrySettings, retry, retryDefaults } from '../retry.js'
import { type FetchOptions, type OnSpellings, type Source, SourceFailure } from '../source.js'
import { type ChartPage, candlesOf, readChart } from './chart.js'
import { faultOf, HttpFailure, WrongMarket } from './failure.js'
import { type StocksSettings, stocksId } from './stocks.js'
import { readDirectory, type SymbolDirectory, yahooSpelling } from './symbol-directory.js'
import { nextOpen, sessionAt } from './trading-hours.js'
import { type FetchChart, type Interval, loadYahoo } from './yahoo-client.js'

const day = 86_400
const hour = 3600
const directoryUrl = 'https://www.nasdaqtrader.com/dynamic/SymDir/nasdaqtraded.txt'
const defaultTimeoutMs = 10_000
/** Upper bound for a Retry-After header, so that a wrong one does not block all requests for good. */
const maxRetryAfterMs = day * 1000
/** Maximum requests of one call of `candles`, repetitions not counted. */
const maxPages = 50
/** Seconds after the close in which Yahoo still changes the day's candles: the closing auction, late reports. */
const settlingSeconds = hour / 2
/** Seconds without a trade during a session after which it is a holiday, the end of a half day, or a halt. */
const maxTradePause = hour / 2
/** Seconds for which candles are cached during such a pause. */
const pauseCacheSeconds = 60
/** Candles that are cached while the market is closed, about 150 bytes each. */
const maxCachedCandles = 200_000
/** Minimum days of every page after the first one: a weekend with a holiday, and one more. */
const minPageDays = 4

/** How the candles of a timeframe are fetched. */
interface IntervalSpec {
  readonly interval: Interval
  /** Candles of a whole trading day. */
  readonly perDay: number
  /** Days that Yahoo looks back in this interval, less one for the difference between the clocks. */
  readonly historyDays: number
  /** Maximum days of one request. */
  readonly pageDays: number
}

const unlimited = Number.POSITIVE_INFINITY
const intervalSpecs: Readonly<Record<Timeframe, IntervalSpec>> = {
  '1m': { interval: '1m', perDay: 390, historyDays: 29, pageDays: 7 },
  '3m': { interval: '1m', perDay: 130, historyDays: 29, pageDays: 7 },
  '5m': { interval: '5m', perDay: 78, historyDays: 59, pageDays: 60 },
  '15m': { interval: '15m', perDay: 26, historyDays: 59, pageDays: 60 },
  '30m': { interval: '15m', perDay: 13, historyDays: 59, pageDays: 60 },
  '1h': { interval: '1h', perDay: 7, historyDays: 729, pageDays: 730 },
  '2h': { interval: '1h', perDay: 4, historyDays: 729, pageDays: 730 },
  '4h': { interval: '1h', perDay: 2, historyDays: 729, pageDays: 730 },
  '6h': { interval: '1h', perDay: 2, historyDays: 729, pageDays: 730 },
  '8h': { interval: '1h', perDay: 1, historyDays: 729, pageDays: 730 },
  '12h': { interval: '1h', perDay: 1, historyDays: 729, pageDays: 730 },
  '1d': { interval: '1d', perDay: 1, historyDays: unlimited, pageDays: unlimited },
  // Fewer than there are in 252 trading days: three days may be a weekend with a holiday.
  '3d': { interval: '1d', perDay: 1 / 2.2, historyDays: unlimited, pageDays: unlimited },
  '1w': { interval: '1d', perDay: 1 / 5, historyDays: unlimited, pageDays: unlimited },
  '1M': { interval: '1d', perDay: 1 / 21, historyDays: unlimited, pageDays: unlimited },
}
/** Unix seconds of 1927-12-30: Yahoo has nothing older. */
const genesis = Date.UTC(1927, 11, 30) / 1000

interface CachedCandles {
  readonly candles: readonly Candle[]
  /** Whether there is nothing older. */
  readonly isWhole: boolean
  /** When they were fetched, in Unix seconds. Where the clock shows an earlier time now, it was ahead then. */
  readonly from: number
  /** The time (Unix seconds) from which the candles are fetched again. */
  readonly until: number
}

/** A security: its symbol as the exchanges write it, and Yahoo's spelling. */
interface Security {
  readonly symbol: string
  readonly spelling: string
}

/** The US stock market as Yahoo Finance shows it. Yahoo's client is loaded by the first request. */
export class StocksSource implements Source {
  readonly #settings: StocksSettings & Required<RetrySettings>
  readonly #timeoutMs: number
  readonly #clock: () => number
  readonly #yahooClock: ExchangeClock
  readonly #queue: RequestQueue
  readonly #closing = new AbortController()
  readonly #cache = new LRUCache<string, CachedCandles>({
    maxSize: maxCachedCandles,
    sizeCalculation: ({ candles }) => Math.max(1, candles.length),
  })
  readonly #directory = new RefreshedValue(() => this.#fetchDirectory(), this.#closing.signal)
  #fetchChart: Promise<FetchChart> | undefined

  constructor(
    settings: StocksSettings = {},
    private readonly onSpellings: OnSpellings = () => {},
  ) {
    this.#settings = { ...retryDefaults, ...settings }
    this.#timeoutMs = settings.timeoutMs ?? defaultTimeoutMs
    this.#clock = settings.clock ?? (() => Date.now() / 1000)
    this.#yahooClock = new ExchangeClock(this.#clock)
    const { requestsPerSecond = 4, maxPauseMs } = this.#settings
    this.#queue = new RequestQueue({
      exchange: stocksId,
      spacingMs: 1000 / requestsPerSecond,
      concurrency: 4,
      maxWaitMs: 60_000,
      maxPauseMs,
      signal: this.#closing.signal,
    })
  }

  async symbols(): Promise<readonly string[]> {
    return (await this.#directory.get()).symbols
  }

  /**
   * Candles open with their session or a part of it: intraday ones at 9:30 in New York and whole lengths later, days at
   * 00:00 UTC of their date, weeks on Monday, months on their first day. They go back only as far as Yahoo has them.
   */
  candles(
    symbol: string,
    timeframe: Timeframe,
    count: number,
    options: FetchOptions = {},
  ): readonly Candle[] | Promise<readonly Candle[]> {
    const upperCase = symbol.toUpperCase()
    const spelling = yahooSpelling(upperCase)
    if (spelling === undefined) throw this.#unknown(upperCase)
    if (count < 1) return []
    const cached = this.#cache.get(`${upperCase} ${timeframe}`)
    const now = this.#clock()
    if (
      cached &&
      options.until === undefined &&
      now >= cached.from &&
      now < cached.until &&
      (cached.isWhole || cached.candles.length >= count)
    ) {
      return cached.candles.slice(-count)
    }
    return this.#fetchCandles({ symbol: upperCase, spelling }, timeframe, count, options)
  }

  async close(): Promise<void> {
    this.#closing.abort()
  }

  async #fetchCandles(
    security: Security,
    timeframe: Timeframe,
    count: number,
    options: FetchOptions,
  ): Promise<readonly Candle[]> {
    try {
      return await this.#fetchHistory(security, timeframe, count, options)
    } catch (error) {
      if (!(error instanceof SourceFailure) || error.kind !== 'unknown-symbol') throw error
      // Callers write BRK-B and BRK/B as BRKB; only the list of symbols shows that it is not a symbol of its own.
      const { symbol } = security
      const listed = (await this.#directory.get().catch(() => undefined))?.bySpelling.get(symbol)
      const spelling = listed === undefined ? undefined : yahooSpelling(listed)
      if (spelling === undefined || spelling === security.spelling) throw error
      return this.#fetchHistory({ symbol, spelling }, timeframe, count, options)
    }
  }

  /** Fetches pages from the newest one backwards until there are `count` candles. */
  async #fetchHistory(
    security: Security,
    timeframe: Timeframe,
    count: number,
    { until, isBackground = false, isEnded = false }: FetchOptions,
  ): Promise<readonly Candle[]> {
    const { interval, perDay, historyDays, pageDays } = intervalSpecs[timeframe]
    const now = this.#clock()
    // Pages begin and end with whole candles of a day or more, so that none is cut.
    const unit = timeframes[timeframe] > day ? timeframe : '1d'
    const oldest = Number.isFinite(historyDays) ? openOf('1d', now - historyDays * day) + day : genesis
    // An hour more, in case this machine's clock is behind.
    const present = Math.ceil(now) + hour
    let end = until === undefined ? present : Math.min(present, endOf(unit, openOf(unit, until - 1)))
    // 0 is today alone.
    let days = isToday(timeframe, count, until ?? now, now) ? 0 : calendarDays(Math.ceil(count / perDay))
    const pages: ChartPage[] = []
    let candles: Candle[] = []
    let isWhole = end <= oldest
    for (let requests = 0; !isWhole && candles.length < count && requests < maxPages; requests++) {
      let start = days === 0 ? sessionAt(now).date : openOf(unit, end - days * day)
      if (end - start > pageDays * day) start = endOf(unit, openOf(unit, end - pageDays * day))
      start = Math.max(oldest, start)
      const page = await this.#fetchPage(security, interval, start, end, isBackground)
      // Yahoo refuses a range without a trade. A range up to the present is refused for another reason.
      if (page instanceof SourceFailure && end === present) throw page
      if (!(page instanceof SourceFailure)) pages.push(page)
      const known = candles.length
      candles = candlesOf(timeframe, pages)
      // Yahoo's time is known from its first response on.
      const endedBefore = isEnded ? this.#yahooClock.endedBefore(timeframe) : Number.POSITIVE_INFINITY
      const before = Math.min(until ?? Number.POSITIVE_INFINITY, endedBefore)
      if (before < Number.POSITIVE_INFINITY) candles = candles.filter(({ timestamp }) => timestamp < before)
      const firstTrade = pages.findLast(({ firstTrade }) => firstTrade !== undefined)?.firstTrade
      const isEnd = firstTrade === undefined && candles.length === known && days > 0
      isWhole = isEnd || start <= Math.max(oldest, firstTrade ?? oldest)
      end = start
      days = Math.max(minPageDays, days * 2)
    }
    if (until === undefined && !isEnded) {
      // They are cached for as long as no trade is expected.
      const from = this.#clock()
      const cached = { candles, isWhole, from, until: unchangedUntil(from, pages[0]?.lastTrade) }
      if (cached.until > from) this.#cache.set(`${security.symbol} ${timeframe}`, cached)
    }
    return candles.slice(-count)
  }

  /** The chart of the time from `start` to before `end`, or Yahoo's refusal of that range. */
  async #fetchPage(
    { symbol, spelling }: Security,
    interval: Interval,
    start: number,
    end: number,
    isBackground: boolean,
  ): Promise<ChartPage | SourceFailure> {
    const fetchChart = await this.#open()
    try {
      return await this.#request(isBackground, async () => {
        const chart = await fetchChart(spelling, interval, start, end)
        return readChart(chart, start, Math.min(end, this.#yahooClock.latestOpen(interval) + 1))
      })
    } catch (error) {
      const { cause } = error as SourceFailure
      if (cause instanceof WrongMarket) throw this.#unknown(symbol, cause)
      if (!(cause instanceof HttpFailure)) throw error
      if (cause.status === 404 && cause.code === 'Not Found') throw this.#unknown(symbol, cause)
      if (cause.code === 'Bad Request' || cause.code === 'Unprocessable Entity') return error as SourceFailure
      throw error
    }
  }

  #fetchDirectory(): Promise<SymbolDirectory> {
    const { symbolsUrl = directoryUrl } = this.#settings
    return this.#request(false, async () => {
      const response = await this.#fetch(symbolsUrl)
      const directory = readDirectory(await response.text())
      if (directory === undefined) throw new Error('the list of symbols is cut off or something else')
      this.onSpellings(directory.bySpelling)
      return directory
    })
  }

  #open(): Promise<FetchChart> {
    this.#fetchChart ??= loadYahoo((url, headers) => this.#fetch(url, headers), this.#settings.url).catch(
      error => {
        this.#fetchChart = undefined
        throw new SourceFailure('unavailable', `${stocksId} could not be set up`, { cause: error })
      },
    )
    return this.#fetchChart
  }

  /** A response that has arrived in full, in time; any status but 2xx is an HttpFailure. */
  #fetch(url: string, headers: RequestInit['headers'] = {}): Promise<Response> {
    return withDeadline(this.#timeoutMs, this.#closing.signal, async signal => {
      const response = await fetch(url, { headers, signal })
      this.#yahooClock.observe(response.headers.get('date'))
      const text = new TextDecoder().decode(response.body ? await readBody(response.body) : undefined)
      if (response.ok) return new Response(text, { headers: response.headers })
      const pauseMs = retryAfterMs(response.headers.get('retry-after'), maxRetryAfterMs)
      throw new HttpFailure(response.status, pauseMs, text)
    })
  }

  /** Runs `work` in its turn, and repeats it while its failure is transient. */
  async #request<Answer>(isBackground: boolean, work: () => Promise<Answer>): Promise<Answer> {
    const { retries, backoffMs, maxPauseMs } = this.#settings
    return retry(() => this.#queue.run(work, 1, isBackground ? 'background' : 'client'), {
      exchange: stocksId,
      retries,
      backoffMs,
      maxPauseMs,
      queue: this.#queue,
      timeoutMs: this.#timeoutMs,
      signal: this.#closing.signal,
      faultOf,
    })
  }

  #unknown(symbol: string, cause?: unknown): SourceFailure {
    const near = nearNames(symbol, this.#directory.last?.symbols ?? [])
    return new SourceFailure('unknown-symbol', `Symbol not found: ${symbol} on ${stocksId}`, { near, cause })
  }
}

/** Calendar days that contain a number of trading days: a year has 252 trading days. Three days more for a weekend with a holiday. */
const calendarDays = (tradingDays: number) => Math.ceil((tradingDays * 365) / 252) + 3

/** Whether the newest `count` candles before `end` are within today's session. */
function isToday(timeframe: Timeframe, count: number, end: number, now: number): boolean {
  const { open, close, isWeekend } = sessionAt(now)
  const length = timeframes[timeframe]
  return length < day && !isWeekend && Math.min(end, now, close) - open >= count * length
}

/** The time until which no trade is expected (Unix seconds); `now` itself where the market is open and trades. */
function unchangedUntil(now: number, lastTrade: number | undefined): number {
  const { open, close, isWeekend } = sessionAt(now)
  if (isWeekend || now < open || now >= close + settlingSeconds) return Math.min(now + hour, nextOpen(now))
  return lastTrade !== undefined && now - lastTrade > maxTradePause ? now + pauseCacheSeconds : now
}
