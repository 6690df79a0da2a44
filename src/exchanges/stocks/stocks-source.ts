import { LRUCache } from 'lru-cache'
import type createYahooFinance from 'yahoo-finance2/createYahooFinance'
import type chart from 'yahoo-finance2/modules/chart'
import { z } from 'zod'
import type { Candle } from '../../candles/candle.js'
import { openOf, type Timeframe, timeframes } from '../../candles/timeframe.js'
import { RequestQueue, rateLimitFailure, retryAfterMs } from '../request-queue.js'
import { retry } from '../retry.js'
import { type FetchOptions, type Source, SourceFailure } from '../source.js'
import { readDirectory, type SymbolDirectory, yahooSpelling } from './symbol-directory.js'
import { nextOpen, sessionAt } from './trading-hours.js'

/** How the US stock market is asked. */
export interface StocksSettings {
  /** The address in place of Yahoo's own, for a proxy: `/v8/finance/chart/…` follows it. */
  readonly url?: string | undefined
  /** The address of `nasdaqtraded.txt`. */
  readonly symbolsUrl?: string | undefined
  /** Requests per second at most. Default 4. */
  readonly requestsPerSecond?: number | undefined
  /** Milliseconds after which a request has failed, its body included. Default 10 000. */
  readonly timeoutMs?: number
  /** How often a request that failed for a passing reason is repeated. Default 2. */
  readonly retries?: number
  /** Milliseconds before the first repetition; they double with each one and are shortened by up to half at random. Default 500. */
  readonly backoffMs?: number
  /** The longest `Retry-After` in milliseconds that is waited for; while a longer one runs, calls fail at once. Default 10 000. */
  readonly maxPauseMs?: number
  /** Unix seconds. */
  readonly clock?: () => number
}

type Yahoo = InstanceType<ReturnType<typeof createYahooFinance<{ modules: { chart: typeof chart } }>>>

const id = 'stocks'
const day = 86_400
const hour = 3600
const yahooUrl = 'https://query2.finance.yahoo.com'
const directoryUrl = 'https://www.nasdaqtrader.com/dynamic/SymDir/nasdaqtraded.txt'
/** Milliseconds for which the list of symbols is good, and for which an outdated one is kept when a fresh one cannot be had. */
const goodMs = day * 1000
const reprieveMs = 60_000
/** The longest that one header can silence us. */
const longestSilenceMs = goodMs
/** Requests that one call of `candles` may cost, repetitions not counted. */
const maxPages = 50
/** Seconds after the close in which Yahoo still changes the day's candles: the closing auction, late reports. */
const settling = hour / 2
/** Seconds without a trade in the middle of a session after which it is taken for a holiday, a half day or a halt. */
const longestPause = hour / 2
/** Candles remembered while the market is closed, about 150 bytes each. */
const maxCachedCandles = 200_000

interface IntervalSpec {
  readonly interval: '1m' | '5m' | '15m' | '1h' | '1d'
  /** Candles of a whole trading day. */
  readonly perDay: number
  /** Days that Yahoo looks back in this interval, less one for the difference of our clocks. */
  readonly reach: number
  /** Days that one request may span. */
  readonly page: number
}

/** What is asked for each timeframe. */
const intervalSpecs: Readonly<Record<Timeframe, IntervalSpec>> = {
  '1m': { interval: '1m', perDay: 390, reach: 29, page: 7 },
  '5m': { interval: '5m', perDay: 78, reach: 59, page: 60 },
  '15m': { interval: '15m', perDay: 26, reach: 59, page: 60 },
  '1h': { interval: '1h', perDay: 7, reach: 729, page: 730 },
  '4h': { interval: '1h', perDay: 2, reach: 729, page: 730 },
  '1d': { interval: '1d', perDay: 1, reach: Number.POSITIVE_INFINITY, page: Number.POSITIVE_INFINITY },
  '1w': { interval: '1d', perDay: 1 / 5, reach: Number.POSITIVE_INFINITY, page: Number.POSITIVE_INFINITY },
}
/** Unix seconds of 1927-12-30, before which Yahoo has nothing at all. */
const genesis = Date.UTC(1927, 11, 30) / 1000

/** The client gives moments as dates or, where its own check of the reply failed half-way, as Yahoo's seconds. */
const moment = z
  .union([z.number(), z.date().transform(date => date.getTime() / 1000)])
  .pipe(z.number().min(-1e10).max(1e10))
  .nullish()
  .catch(undefined)
  .transform(seconds => seconds ?? undefined)
const list = z.custom<readonly unknown[]>(Array.isArray, 'is no list')
const period = z.object({ start: moment, end: moment })

/** What is read of Yahoo's reply. The client's own check is stricter and fails whenever Yahoo adds something. */
const chartSchema = z.object({
  meta: z.object({
    instrumentType: z.string().nullish(),
    exchangeTimezoneName: z.string().nullish(),
    firstTradeDate: moment,
    regularMarketTime: moment,
    tradingPeriods: z.array(z.array(period)).optional().catch(undefined),
  }),
  timestamp: list.optional(),
  events: z
    .object({
      splits: z
        .record(z.string(), z.object({ date: moment, numerator: z.number(), denominator: z.number() }))
        .optional(),
    })
    .optional()
    .catch(undefined),
  indicators: z.object({
    quote: z.array(
      z.object({
        open: list.optional(),
        high: list.optional(),
        low: list.optional(),
        close: list.optional(),
        volume: list.optional(),
      }),
    ),
  }),
})

interface Split {
  readonly at: number
  /** Shares after it for one share before. */
  readonly factor: number
}

/** One reply: rows as candles under the times that Yahoo gives them, unordered. */
interface Page {
  readonly rows: readonly Candle[]
  readonly splits: readonly Split[]
  /** The close of the regular session by its date, where Yahoo says it. */
  readonly closes: ReadonlyMap<number, number>
  readonly firstTrade: number | undefined
  /** The last trade of the market when it was asked. */
  readonly lastTrade: number | undefined
}

/** Yahoo sends 32-bit floats written as 64-bit ones (189.9499969482422): the shortest number that is the same float. */
function unwidened(value: number): number {
  if (Math.fround(value) !== value) return value
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return short
  }
  return value
}

/** A row with all four prices; Yahoo has nulls for minutes without a trade and for days that have not begun. */
function rowOf(time: number, prices: readonly unknown[], volume: unknown): Candle | undefined {
  if (!prices.every(price => typeof price === 'number' && Number.isFinite(price) && price > 0))
    return undefined
  const [open, high, low, close] = (prices as readonly number[]).map(unwidened) as [
    number,
    number,
    number,
    number,
  ]
  return {
    timestamp: Math.floor(time),
    open,
    // Yahoo rounds the four prices apart from each other, so that a high can end up below its close.
    high: Math.max(open, high, low, close),
    low: Math.min(open, high, low, close),
    close,
    volume: typeof volume === 'number' && volume > 0 && Number.isFinite(volume) ? volume : 0,
  }
}

/** Joins the parts of one candle, in the order of time. */
const joined = (into: Candle, part: Candle): Candle => ({
  timestamp: into.timestamp,
  open: into.open,
  high: Math.max(into.high, part.high),
  low: Math.min(into.low, part.low),
  close: part.close,
  volume: into.volume + part.volume,
})

/** Folds ascending rows into the candles that `openFor` puts them in; it answers undefined for rows that do not count. */
function fold(rows: Iterable<Candle>, openFor: (time: number) => number | undefined): Candle[] {
  const candles: Candle[] = []
  for (const row of rows) {
    const timestamp = openFor(row.timestamp)
    if (timestamp === undefined) continue
    const last = candles.at(-1)
    if (last?.timestamp === timestamp) candles[candles.length - 1] = joined(last, row)
    else candles.push({ ...row, timestamp })
  }
  return candles
}

/**
 * Divides the rows before a split by its factor where Yahoo has not done so yet: on the day of a split it is hours late
 * at times. The price across the split tells, so splits of less than five for four are left to Yahoo.
 */
function adjusted(rows: readonly Candle[], splits: readonly Split[]): readonly Candle[] {
  let result = rows
  for (const { at, factor } of splits) {
    if (!(factor >= 1.25 || (factor > 0 && factor <= 0.8))) continue
    const first = sessionAt(at).open
    const index = result.findIndex(row => row.timestamp >= first)
    if (index < 1) continue
    const ratio = (result[index - 1] as Candle).close / (result[index] as Candle).open
    if (Math.abs(Math.log(ratio / factor)) >= Math.abs(Math.log(ratio))) continue
    result = result.map((row, i) =>
      i >= index
        ? row
        : {
            timestamp: row.timestamp,
            open: row.open / factor,
            high: row.high / factor,
            low: row.low / factor,
            close: row.close / factor,
            volume: row.volume * factor,
          },
    )
  }
  return result
}

/** The candles of a timeframe from the rows of all pages. */
function candlesOf(timeframe: Timeframe, pages: readonly Page[]): Candle[] {
  const byTime = new Map<number, Candle>()
  const splits = new Map<number, Split>()
  const closes = new Map<number, number>()
  for (const page of pages) {
    for (const row of page.rows) byTime.set(row.timestamp, row)
    for (const split of page.splits) splits.set(split.at, split)
    for (const [date, close] of page.closes) closes.set(date, close)
  }
  const ordered = [...byTime.values()].sort((a, b) => a.timestamp - b.timestamp)
  const rows = adjusted(ordered, [...splits.values()])

  if (timeframe === '1d' || timeframe === '1w') {
    // While a day is traded Yahoo appends it once more as it is at the moment: the later row counts, not the sum.
    const days = new Map<number, Candle>()
    for (const row of rows) {
      const { date, isWeekend } = sessionAt(row.timestamp)
      if (!isWeekend) days.set(date, { ...row, timestamp: date })
    }
    return fold(days.values(), time => openOf(timeframe, time))
  }
  const length = timeframes[timeframe]
  return fold(rows, time => {
    const { date, open, close, isWeekend } = sessionAt(time)
    if (isWeekend || time < open || time >= Math.min(close, closes.get(date) ?? close)) return undefined
    return open + Math.floor((time - open) / length) * length
  })
}

/** A reply with another status than 2xx. */
class HttpFailure extends Error {
  constructor(
    readonly status: number,
    readonly retryAfterMs: number,
    /** What Yahoo says of it: "Not Found", "Bad Request" … */
    readonly code: string,
    text: string,
  ) {
    super(`HTTP ${status} ${text.slice(0, 200)}`)
    this.name = 'HttpFailure'
  }
}

/** The error code in the body of one of Yahoo's refusals; other bodies are pages of whoever stands between. */
function codeOf(text: string): string {
  const form = z.record(z.string(), z.object({ error: z.object({ code: z.string() }) }))
  try {
    return Object.values(form.parse(JSON.parse(text)))[0]?.error.code ?? ''
  } catch {
    return ''
  }
}

const isTimeout = (error: unknown) => error instanceof Error && error.name === 'TimeoutError'
/** Node's fetch reports whatever breaks a connection as a TypeError with the cause. */
const isBroken = (error: unknown) =>
  error instanceof TypeError && /^(fetch failed|terminated)$/.test(error.message)

/** Whether the same request may succeed a moment later. A reply that cannot be read counts: it was cut off, or a page. */
const isTransient = (error: unknown): boolean =>
  !(error instanceof HttpFailure) || error.status === 408 || error.status === 429 || error.status >= 500

const unheard = () => {}
const silence = { info: unheard, warn: unheard, error: unheard, debug: unheard, dir: unheard }

interface CachedCandles {
  readonly candles: readonly Candle[]
  /** Whether there is nothing older. */
  readonly isWhole: boolean
  /** The moment from which the market has to be asked again. */
  readonly until: number
}

/** The US stock market as Yahoo Finance shows it; the client is loaded by the first request. */
export function createStocksSource(settings: StocksSettings = {}): Source {
  return new StocksSource(settings)
}

class StocksSource implements Source {
  /** Yahoo bounds what an address may ask in an hour, and does not say to what. */
  readonly freshSeconds = 15
  readonly #settings: StocksSettings
  readonly #clock: () => number
  readonly #queue: RequestQueue
  readonly #closing = new AbortController()
  readonly #remembered = new LRUCache<string, CachedCandles>({
    maxSize: maxCachedCandles,
    sizeCalculation: ({ candles }) => Math.max(1, candles.length),
  })
  #client: Promise<Yahoo> | undefined
  #directory: SymbolDirectory | undefined
  #directoryUntil = 0
  #loading: Promise<SymbolDirectory> | undefined

  constructor(settings: StocksSettings) {
    this.#settings = settings
    this.#clock = settings.clock ?? (() => Date.now() / 1000)
    const { requestsPerSecond = 4, maxPauseMs = 10_000 } = settings
    this.#queue = new RequestQueue({
      exchange: id,
      spacingMs: 1000 / requestsPerSecond,
      concurrency: 4,
      maxWaitMs: 60_000,
      maxPauseMs,
      signal: this.#closing.signal,
    })
  }

  async symbols(): Promise<readonly string[]> {
    return (await this.#list()).symbols
  }

  /**
   * Candles open when their session or the part of it does: intraday ones at 9:30 in New York and full lengths later,
   * days at 00:00 UTC of their date, weeks on Monday. Only as far back as Yahoo looks.
   */
  candles(
    symbol: string,
    timeframe: Timeframe,
    count: number,
    wanted: FetchOptions = {},
  ): readonly Candle[] | Promise<readonly Candle[]> {
    const ticker = symbol.toUpperCase()
    const spelling = yahooSpelling(ticker)
    if (spelling === undefined) throw this.#unknown(ticker)
    if (count < 1) return []
    const known = this.#remembered.get(`${ticker} ${timeframe}`)
    if (
      known &&
      wanted.until === undefined &&
      this.#clock() < known.until &&
      (known.isWhole || known.candles.length >= count)
    ) {
      return known.candles.slice(-count)
    }
    return this.#candles(ticker, spelling, timeframe, count, wanted)
  }

  async close(): Promise<void> {
    this.#closing.abort()
  }

  async #candles(
    ticker: string,
    spelling: string,
    timeframe: Timeframe,
    count: number,
    wanted: FetchOptions,
  ): Promise<readonly Candle[]> {
    try {
      return await this.#history(ticker, spelling, timeframe, count, wanted)
    } catch (error) {
      if (!(error instanceof SourceFailure) || error.kind !== 'unknown-symbol') throw error
      // BRK-B and BRK/B come as BRKB, which only the list of symbols can tell from a ticker.
      const listed = (await this.#list().catch(() => undefined))?.joined.get(ticker)
      const other = listed === undefined ? undefined : yahooSpelling(listed)
      if (other === undefined || other === spelling) throw error
      return this.#history(ticker, other, timeframe, count, wanted)
    }
  }

  async #history(
    ticker: string,
    spelling: string,
    timeframe: Timeframe,
    count: number,
    { until, isBackground = false }: FetchOptions,
  ): Promise<readonly Candle[]> {
    const { interval, perDay, reach, page } = intervalSpecs[timeframe]
    const now = this.#clock()
    const whole = timeframe === '1w' ? '1w' : '1d'
    const floor = Number.isFinite(reach) ? openOf('1d', now - reach * day) + day : genesis
    // Whole days and weeks, so that no candle is cut; an hour more, in case our clock is behind.
    const present = Math.ceil(now) + hour
    let high = until === undefined ? present : Math.min(present, openOf(whole, until - 1) + timeframes[whole])
    const trading = Math.ceil(count / perDay)
    // A year has 252 trading days; three more for a weekend with a holiday. Often today alone is enough.
    let span = isToday(timeframe, count, until ?? now, now) ? 0 : Math.ceil((trading * 365) / 252) + 3
    const pages: Page[] = []
    let found: Candle[] = []
    let isWhole = high <= floor
    for (let requests = 0; !isWhole && found.length < count && requests < maxPages; requests++) {
      let low = span === 0 ? sessionAt(now).date : openOf(whole, high - span * day)
      if (high - low > page * day) low = openOf(whole, high - page * day) + timeframes[whole]
      low = Math.max(floor, low)
      const answer = await this.#page(ticker, spelling, interval, low, high, isBackground)
      // Yahoo refuses a range without a single trade; one that reaches to the present can only be our mistake.
      if (answer instanceof SourceFailure && high === present) throw answer
      if (!(answer instanceof SourceFailure)) pages.push(answer)
      const known = found.length
      found = candlesOf(timeframe, pages)
      if (until !== undefined) found = found.filter(({ timestamp }) => timestamp < until)
      const firstTrade = pages.findLast(({ firstTrade }) => firstTrade !== undefined)?.firstTrade
      const isEnd = firstTrade === undefined && found.length === known && span > 0
      isWhole = isEnd || low <= Math.max(floor, firstTrade ?? floor)
      high = low
      span = Math.max(4, span * 2)
    }
    const asked = this.#clock()
    if (until === undefined) {
      const candles = Object.freeze(found)
      const goodUntil = unchangedUntil(asked, pages[0]?.lastTrade)
      if (goodUntil > asked)
        this.#remembered.set(`${ticker} ${timeframe}`, { candles, isWhole, until: goodUntil })
    }
    return found.slice(-count)
  }

  /** One reply of Yahoo's for the time from `start` to before `end`, or its refusal of that range. */
  async #page(
    ticker: string,
    spelling: string,
    interval: IntervalSpec['interval'],
    start: number,
    end: number,
    isBackground: boolean,
  ): Promise<Page | SourceFailure> {
    const client = await this.#open()
    try {
      return await this.#ask(isBackground, async () => {
        const answer = await client.chart(
          spelling,
          {
            period1: start,
            period2: end,
            interval,
            includePrePost: false,
            events: 'split',
            return: 'object',
          },
          { validateResult: false },
        )
        return pageOf(chartSchema.parse(answer), start, end)
      })
    } catch (error) {
      const { cause } = error as SourceFailure
      if (cause instanceof WrongMarket) throw this.#unknown(ticker, cause)
      if (!(cause instanceof HttpFailure)) throw error
      if (cause.status === 404 && cause.code === 'Not Found') throw this.#unknown(ticker, cause)
      if (cause.code === 'Bad Request' || cause.code === 'Unprocessable Entity') return error as SourceFailure
      throw error
    }
  }

  /** The list of symbols; concurrent calls share one fetch, and after a failure the next call fetches again. */
  #list(): Promise<SymbolDirectory> {
    if (this.#directory !== undefined && Date.now() < this.#directoryUntil)
      return Promise.resolve(this.#directory)
    this.#loading ??= this.#fetchDirectory().finally(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  async #fetchDirectory(): Promise<SymbolDirectory> {
    const { symbolsUrl = directoryUrl } = this.#settings
    try {
      this.#directory = await this.#ask(false, async () => {
        const response = await this.#fetch(symbolsUrl)
        const directory = readDirectory(await response.text())
        if (directory === undefined) throw new Error('the list of symbols is cut off or something else')
        return directory
      })
      this.#directoryUntil = Date.now() + goodMs
      return this.#directory
    } catch (error) {
      if (this.#directory === undefined || this.#closing.signal.aborted) throw error
      this.#directoryUntil = Date.now() + reprieveMs
      return this.#directory
    }
  }

  #open(): Promise<Yahoo> {
    this.#client ??= this.#create().catch(error => {
      this.#client = undefined
      throw new SourceFailure('unavailable', `${id} could not be set up`, { cause: error })
    })
    return this.#client
  }

  async #create(): Promise<Yahoo> {
    const [{ default: create }, { default: chart }] = await Promise.all([
      import('yahoo-finance2/createYahooFinance'),
      import('yahoo-finance2/modules/chart'),
    ])
    const { url = yahooUrl } = this.#settings
    const Client = create({ modules: { chart } })
    return new Client({
      fetch: (input, init) => {
        const { pathname, search } = new URL(String(input))
        return this.#fetch(url.replace(/\/$/, '') + pathname + search, init?.headers)
      },
      queue: { concurrency: Number.POSITIVE_INFINITY },
      logger: silence,
      suppressNotices: ['yahooSurvey'],
      versionCheck: false,
    })
  }

  /** A reply that has arrived in full; any status but 2xx is an HttpFailure. */
  async #fetch(url: string, headers?: RequestInit['headers']): Promise<Response> {
    const { timeoutMs = 10_000 } = this.#settings
    const response = await fetch(url, {
      ...(headers === undefined ? {} : { headers }),
      signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(timeoutMs)]),
    })
    const text = await response.text()
    if (response.ok) return new Response(text, { headers: response.headers })
    throw new HttpFailure(
      response.status,
      retryAfterMs(response.headers.get('retry-after'), longestSilenceMs),
      codeOf(text),
      text,
    )
  }

  /** Does one piece of work in its turn, again while the reason of its failure is a passing one. */
  async #ask<Answer>(isBackground: boolean, work: () => Promise<Answer>): Promise<Answer> {
    const { retries = 2, backoffMs = 500, maxPauseMs = 10_000 } = this.#settings
    return retry(() => this.#queue.run(work, 1, isBackground ? 'background' : 'client'), {
      exchange: id,
      retries,
      backoffMs,
      signal: this.#closing.signal,
      isRetryable: error => {
        const wait = error instanceof HttpFailure ? error.retryAfterMs : 0
        if (wait > 0) this.#queue.pauseFor(wait)
        return wait <= maxPauseMs && !(error instanceof WrongMarket) && isTransient(error)
      },
      failureOf: error => this.#failure(error),
    })
  }

  #unknown(ticker: string, cause?: unknown): SourceFailure {
    return new SourceFailure('unknown-symbol', `Symbol not found: ${ticker} on ${id}`, { cause })
  }

  /** What went wrong in words for the caller; the page that came instead of data stays in the cause. */
  #failure(error: unknown): SourceFailure {
    const wait = error instanceof HttpFailure ? error.retryAfterMs : 0
    if (error instanceof HttpFailure && error.status === 429 && wait > 0)
      return rateLimitFailure(id, wait, ' (HTTP 429)', error)
    const text = () => {
      if (isTimeout(error)) return `did not answer within ${this.#settings.timeoutMs ?? 10_000} ms`
      if (isBroken(error)) return 'cannot be reached'
      if (!(error instanceof HttpFailure)) return 'sent a reply that cannot be read'
      const suffix = ` (HTTP ${error.status})`
      if (error.status === 429) return `limits the rate of requests${suffix}`
      return error.status >= 500 ? `is not available${suffix}` : `refused the request${suffix}`
    }
    const retryAfter = wait > 0 ? Math.ceil(wait / 1000) : undefined
    return new SourceFailure('unavailable', `${id} ${text()}`, { cause: error, retryAfter })
  }
}

/** A symbol that Yahoo knows, but not as a share or a fund that is traded in New York. */
class WrongMarket extends Error {}

/** What a reply says of the time from `start` to before `end`. */
function pageOf(
  { meta, timestamp = [], events, indicators }: z.output<typeof chartSchema>,
  start: number,
  end: number,
): Page {
  if (
    meta.exchangeTimezoneName !== 'America/New_York' ||
    !['EQUITY', 'ETF'].includes(meta.instrumentType ?? '')
  ) {
    throw new WrongMarket(`${meta.instrumentType} in ${meta.exchangeTimezoneName}`)
  }
  const { open = [], high = [], low = [], close = [], volume = [] } = indicators.quote[0] ?? {}
  const closes = new Map<number, number>()
  for (const { end } of meta.tradingPeriods?.flat() ?? [])
    if (end !== undefined) closes.set(sessionAt(end - 1).date, end)
  return {
    rows: timestamp
      .map((time, i) =>
        typeof time === 'number' && time >= start && time < end
          ? rowOf(time, [open[i], high[i], low[i], close[i]], volume[i])
          : undefined,
      )
      .filter(row => row !== undefined),
    splits: Object.values(events?.splits ?? {}).flatMap(({ date, numerator, denominator }) =>
      date === undefined ? [] : [{ at: date, factor: numerator / denominator }],
    ),
    closes,
    firstTrade: meta.firstTradeDate,
    lastTrade: meta.regularMarketTime,
  }
}

/** Whether the newest `count` candles before `end` fall within the session of the day that it is now. */
function isToday(timeframe: Timeframe, count: number, end: number, now: number): boolean {
  const { open, close, isWeekend } = sessionAt(now)
  const length = timeframes[timeframe]
  return length < day && !isWeekend && Math.min(end, now, close) - open >= count * length
}

/** How long nothing new is to be expected of a market that was asked at the moment `asked`; `asked` itself if it moves. */
function unchangedUntil(asked: number, lastTrade: number | undefined): number {
  const { open, close, isWeekend } = sessionAt(asked)
  if (isWeekend || asked < open || asked >= close + settling) return Math.min(asked + hour, nextOpen(asked))
  return lastTrade !== undefined && asked - lastTrade > longestPause ? asked + 60 : asked
}
