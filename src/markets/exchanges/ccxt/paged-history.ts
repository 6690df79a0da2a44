import type { Candle } from '../../../candles/candle.js'
import { type Timeframe, timeframes } from '../../../candles/timeframe.js'
import type { DerivativeKind, TimesKind } from '../../../contract/market.js'
import { type Anomaly, SourceFailure } from '../source.js'
import type { Client, ErrorClasses, ListedMarket, Row } from './client.js'
import type { OpenClient } from './open-client.js'

/** Maximum price. Above it a 64-bit float cannot represent cents exactly. Prices in weak currencies reach 10^10. */
const maxPrice = 1e15
/** Maximum volume. Far above any real volume: the coins with the most units have about 10^24 of them. */
const maxVolume = 1e30

const isPrice = (value: unknown): boolean => typeof value === 'number' && value > 0 && value <= maxPrice

const isVolume = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= maxVolume

/**
 * The candle of ccxt's row, or undefined if the row is invalid. A row is invalid if its time or a price is not a
 * number, or if a price is zero, negative or above `maxPrice`. It is also invalid if its high is below its low, or
 * if it opens after `end` (Unix seconds). Open and close may lie outside of low and high: on some exchanges the
 * open is the previous close. An improbable row is valid.
 */
export function candleOf([time, open, high, low, close, volume]: Row, end: number): Candle | undefined {
  if (!isPrice(open) || !isPrice(high) || !isPrice(low) || !isPrice(close)) return undefined
  const timestamp = Math.floor(Number(time) / 1000)
  if (!(timestamp > 0 && timestamp <= end) || (high as number) < (low as number)) return undefined
  return {
    timestamp,
    open: open as number,
    high: high as number,
    low: low as number,
    close: close as number,
    volume: isVolume(volume) ? volume : 0,
  }
}

/**
 * Valid candles of ccxt's rows that open at or before `end`: ascending, without duplicates. If two candles open at
 * the same time, the one with more volume wins, because it includes more trades.
 */
export function readRows(rows: readonly Row[], end: number, onAnomaly: (anomaly: Anomaly) => void): Candle[] {
  const candles = new Map<number, Candle>()
  for (const row of rows) {
    const candle = candleOf(row, end)
    if (candle === undefined) {
      onAnomaly('invalid')
      continue
    }
    if (!isVolume(row[5])) onAnomaly('no-volume')
    const duplicate = candles.get(candle.timestamp)
    if (duplicate) onAnomaly('duplicate')
    if (!duplicate || candle.volume >= duplicate.volume) candles.set(candle.timestamp, candle)
  }
  return [...candles.values()].sort((a, b) => a.timestamp - b.timestamp)
}

/** A series that an exchange returns page by page. */
export interface PagedSeries {
  /** Name of the series, unique within the exchange. */
  readonly name: string
  /** Seconds between two candles. */
  readonly length: number
  /** Candles per request. */
  readonly pageSize: number
  /**
   * Valid candles of one request, ascending: from `since` (Unix seconds) on, or the newest ones. Candles after
   * `end` are not needed.
   */
  page(since: number | undefined, limit: number, end?: number): Promise<Candle[]>
}

export interface AskedCandles {
  readonly opened: OpenClient
  readonly market: ListedMarket
  readonly timeframe: Timeframe
  /** Runs one request, and retries it while its failure is transient. */
  readonly request: <Answer>(work: () => Promise<Answer>) => Promise<Answer>
  /** Maximum candles per request. A lower limit of the exchange takes precedence. */
  readonly pageLimit: number
  readonly onAnomaly: (anomaly: Anomaly) => void
}

/** Price kinds with candles of their own, in addition to trade prices. */
type Prices = Exclude<DerivativeKind, TimesKind>

/** Candles per request if ccxt does not know the exchange's limit. */
const defaultPageSize = 500

type FetchRows = (
  symbol: string,
  timeframe: Timeframe,
  since: number | undefined,
  limit: number,
  params?: object,
) => Promise<Row[]>

/** ccxt's method that fetches candles of these prices. */
const rowsOf = (client: Client, prices: Prices | undefined): FetchRows =>
  prices === undefined
    ? client.fetchOHLCV.bind(client)
    : prices === 'markprice'
      ? client.fetchMarkOHLCV.bind(client)
      : client.fetchIndexOHLCV.bind(client)

/** Candles of a market in a native timeframe: of trades, or of other prices. */
export function candleSeries(asked: AskedCandles, prices?: Prices): PagedSeries {
  const { opened, market, timeframe, pageLimit, request, onAnomaly } = asked
  const { client, errors, clock } = opened
  const length = timeframes[timeframe]
  const fetchRows = rowsOf(client, prices)
  const limitOfExchange =
    client.featureValueByType(market.type, market.subType, 'fetchOHLCV', 'limit', defaultPageSize) ??
    defaultPageSize
  return {
    name: `${market.symbol} ${timeframe}${prices === undefined ? '' : ` ${prices}`}`,
    length,
    pageSize: Math.max(2, Math.min(pageLimit, limitOfExchange)),
    async page(since, limit) {
      const rows = await request(async () => {
        try {
          return await fetchRows(market.symbol, timeframe, since && since * 1000, limit)
        } catch (error) {
          if (!(error instanceof errors.ArgumentsRequired)) throw error
          // A few exchanges (pacifica, zebpay) require both ends of the range.
          const rangeMs = limit * length * 1000
          const from = since === undefined ? Date.now() - rangeMs : since * 1000
          return fetchRows(market.symbol, timeframe, from, limit, { until: from + rangeMs })
        }
      })
      // Mark and index prices have no trades, so their volume is 0.
      const priced = prices === undefined ? rows : rows.map((row): Row => [...row.slice(0, 5), 0] as Row)
      return readRows(priced, clock.latestOpen(timeframe), onAnomaly)
    },
  }
}

/**
 * Minimum size of the newest page. Several exchanges turn the size into a time range and return nothing for one
 * candle.
 */
const minPageSize = 10
/** Unix seconds of 2009-01-03, the first block of Bitcoin. No market is older, and some exchanges refuse the epoch. */
const genesis = Date.UTC(2009, 0, 3) / 1000
/**
 * Maximum consecutive refetches that fill no gap. After them the market counts as illiquid, and its gaps are not
 * refetched.
 */
const maxFruitlessRefetches = 3

interface Options {
  readonly series: PagedSeries
  readonly count: number
  readonly maxPages: number
  /** Known real gaps. The exchange returned each of them twice, so nothing was traded in them. */
  readonly gaps: { has(gap: string): boolean; set(gap: string, isReal: true): unknown }
  readonly errors: Pick<ErrorClasses, 'BadRequest' | 'BadSymbol'>
  readonly onAnomaly: (anomaly: Anomaly) => void
}

const ascending = (times: Iterable<number>) => [...new Set(times)].sort((a, b) => a - b)

/** A gap, as the open times of the candles on either side. */
type Gap = readonly [before: number, after: number]

export class PagedHistory {
  readonly #candles = new Map<number, Candle>()
  #pages = 0
  #fruitlessRefetches = 0

  constructor(private readonly options: Options) {}

  /**
   * Newest candles of a market, ascending; only candles that open before `until` if it is defined. Fetches pages
   * backwards from the newest one, and refetches the part of a page around its gaps. The history ends at the first
   * page without older candles. A gap longer than a page also ends it.
   */
  async fetch(until: number | undefined): Promise<readonly Candle[]> {
    let end = (until ?? 0) - 1
    let oldest: number | undefined
    if (until === undefined) {
      oldest = await this.#fetchNewest()
      if (oldest === undefined) return []
      end = oldest
    }
    const { count, maxPages, series } = this.options
    const { length, pageSize } = series
    while (this.#candles.size < count && this.#pages < maxPages && end > genesis) {
      // Ranges overlap by one candle, because some exchanges omit the candle that opens at `since`.
      const since = Math.max(genesis, end - (pageSize - 1) * length)
      const known = this.#candles.size
      const times = await this.#addRange(since, end)
      if (this.#candles.size === known) break
      await this.#refetchGaps(oldest === undefined ? times : ascending([...times, oldest]))
      oldest = Math.min(oldest ?? Number.POSITIVE_INFINITY, times[0] as number)
      end = since
    }
    return [...this.#candles.values()].sort((a, b) => a.timestamp - b.timestamp).slice(-count)
  }

  /** Adds the newest page. Returns the open time of its oldest candle, or undefined if the page is empty. */
  async #fetchNewest(): Promise<number | undefined> {
    const candles = await this.#page(
      undefined,
      Math.min(this.options.series.pageSize, Math.max(this.options.count, minPageSize)),
    )
    for (const candle of candles) this.#candles.set(candle.timestamp, candle)
    if (candles.length > 0) await this.#refetchGaps([...this.#candles.keys()])
    return candles[0]?.timestamp
  }

  /** Valid candles of one request: from `since` (Unix seconds) on, or the newest ones. */
  #page(since: number | undefined, limit: number, end?: number): Promise<Candle[]> {
    this.#pages++
    return this.options.series.page(since, limit, end)
  }

  /** All candles from `since` to `end`, both included. Empty if the history has ended or no page is left. */
  async #range(since: number, end: number): Promise<Iterable<Candle>> {
    const { length, pageSize } = this.options.series
    const candles = new Map<number, Candle>()
    for (let from = since; this.#pages < this.options.maxPages; ) {
      const page = await this.#page(from, pageSize, end)
      const known = candles.size
      let newest = from
      for (const candle of page) {
        newest = Math.max(newest, candle.timestamp)
        if (candle.timestamp <= end) candles.set(candle.timestamp, candle)
      }
      if (candles.size === known || newest + length >= end) return candles.values()
      // The page holds fewer candles than requested and ends before `end`.
      from = newest
    }
    return []
  }

  /** Adds all candles from `since` to `end`. Returns their open times, ascending. */
  async #addRange(since: number, end: number): Promise<readonly number[]> {
    const { errors } = this.options
    const times: number[] = []
    try {
      for (const candle of await this.#range(since, end)) {
        this.#candles.set(candle.timestamp, candle)
        times.push(candle.timestamp)
      }
    } catch (error) {
      // Several exchanges refuse a range that is too old instead of returning nothing.
      const cause = error instanceof SourceFailure ? error.cause : undefined
      if (!(cause instanceof errors.BadRequest) || cause instanceof errors.BadSymbol) throw error
    }
    return ascending(times)
  }

  /**
   * Refetches the range from the first to the last gap between these open times, and repeats that while it fills
   * gaps. Exchanges sometimes omit candles that they have. Gaps that remain are real.
   */
  async #refetchGaps(times: readonly number[]): Promise<void> {
    const { count, maxPages, gaps, onAnomaly } = this.options
    // Gaps before the oldest returned candle do not matter.
    let shown = times.slice(Math.max(0, this.#candles.size - count))
    for (;;) {
      const found = this.#gapsAmong(shown)
      const [first, last] = [found[0], found.at(-1)]
      if (first === undefined || last === undefined) return
      if (this.#fruitlessRefetches >= maxFruitlessRefetches || this.#pages >= maxPages) return
      const known = this.#candles.size
      const refetched = await this.#addRange(first[0], last[1])
      if (refetched.length === 0) {
        // The exchange returned nothing for these gaps, so they may not be real.
        for (let k = 0; k < found.length; k++) onAnomaly('gap')
        return
      }
      const filled = this.#candles.size - known
      for (let k = 0; k < filled; k++) onAnomaly('filled-gap')
      shown = ascending([...shown, ...refetched])
      if (filled > 0) {
        this.#fruitlessRefetches = 0
        continue
      }
      this.#fruitlessRefetches++
      for (const gap of this.#gapsAmong(shown)) {
        gaps.set(this.#nameOf(gap), true)
        onAnomaly('gap')
      }
      return
    }
  }

  /** Gaps between ascending open times, without known real gaps. */
  #gapsAmong(times: readonly number[]): readonly Gap[] {
    return times
      .slice(1)
      .map((after, at): Gap => [times[at] as number, after])
      .filter(
        gap => gap[1] - gap[0] > this.options.series.length && !this.options.gaps.has(this.#nameOf(gap)),
      )
  }

  #nameOf([before, after]: Gap): string {
    return `${this.options.series.name} ${before} ${after}`
  }
}
