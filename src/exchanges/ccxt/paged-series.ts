import type { Candle } from '../../candles/candle.js'
import { type Timeframe, timeframes } from '../../candles/timeframe.js'
import type { DerivativeKind, TimesKind } from '../../contract/derivative.js'
import type { Anomaly } from '../source.js'
import type { Client, ListedMarket, Row } from './client.js'
import type { OpenClient } from './open-client.js'
import { readRows } from './rows.js'

/** A series as an exchange gives it, page by page. */
export interface PagedSeries {
  /** Names it among those of its exchange. */
  readonly name: string
  /** Seconds between two of its candles. */
  readonly length: number
  /** Candles per request. */
  readonly pageSize: number
  /**
   * The valid candles of one request, ascending: those from `since` (Unix seconds) on, or the newest ones. None after `end` is needed.
   */
  page(since: number | undefined, limit: number, end?: number): Promise<Candle[]>
}

/** What is requested of an exchange, and how. */
export interface AskedCandles {
  readonly opened: OpenClient
  readonly market: ListedMarket
  readonly timeframe: Timeframe
  /** Runs one request, and repeats it where this may help. */
  readonly request: <Answer>(work: () => Promise<Answer>) => Promise<Answer>
  /** Maximum candles per request; the exchange's own limit holds where it is lower. */
  readonly pageLimit: number
  readonly onAnomaly: (anomaly: Anomaly) => void
}

/** Prices that have candles beside those of trades. */
type Prices = Exclude<DerivativeKind, TimesKind>

/** Candles per request where ccxt does not know the exchange's limit. */
const defaultPageSize = 500

type FetchRows = (
  symbol: string,
  timeframe: Timeframe,
  since: number | undefined,
  limit: number,
  params?: object,
) => Promise<Row[]>

/** How ccxt fetches candles of these prices. */
const rowsOf = (client: Client, prices: Prices | undefined): FetchRows =>
  prices === undefined
    ? client.fetchOHLCV.bind(client)
    : prices === 'markprice'
      ? client.fetchMarkOHLCV.bind(client)
      : client.fetchIndexOHLCV.bind(client)

/** The candles of a market in a timeframe that its exchange has: those of trades, or of other prices. */
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
      // Nothing is traded at mark and index prices.
      const priced = prices === undefined ? rows : rows.map((row): Row => [...row.slice(0, 5), 0] as Row)
      return readRows(priced, clock.latestOpen(timeframe), onAnomaly)
    },
  }
}

/** Values per request: exchanges give 100 to 1,000 of them. */
const timesPageSize = 100
/** Seconds in which times of a series may differ from those of others: exchanges settle some milliseconds late. */
const jitter = 60
/** Seconds between two settlements of a market that has had fewer than two: the most usual time. */
const usualInterval = timeframes['8h']

/** A value of a derivative at one time (milliseconds), as ccxt has it. */
interface TimedValue {
  readonly timestamp?: number | undefined
  readonly fundingRate?: number | undefined
  readonly openInterestAmount?: number | undefined
  readonly openInterestValue?: number | undefined
}

/** How the values of a kind are requested. `period` is the time between two of them where it can be chosen. */
const fetchTimes = (
  { client }: OpenClient,
  kind: TimesKind,
  symbol: string,
  period: Timeframe,
  ...range: [since: number | undefined, limit: number, params: object]
): Promise<readonly TimedValue[]> =>
  kind === 'funding'
    ? client.fetchFundingRateHistory(symbol, ...range)
    : client.fetchOpenInterestHistory(symbol, period, ...range)

/** The value at each time as a candle of one price, ascending. What is dated in the future is announced, and not known yet. */
function timesOf(values: readonly TimedValue[], now: number): Candle[] {
  const candles = new Map<number, Candle>()
  for (const each of values) {
    const value = Number(each.fundingRate ?? each.openInterestAmount ?? each.openInterestValue ?? Number.NaN)
    const timestamp = Math.round(Number(each.timestamp) / 1000 / jitter) * jitter
    if (!Number.isFinite(value) || !(timestamp > 0 && timestamp <= now)) continue
    candles.set(timestamp, { timestamp, open: value, high: value, low: value, close: value, volume: 0 })
  }
  return [...candles.values()].sort((a, b) => a.timestamp - b.timestamp)
}

/** The periods of open interest that exchanges give, where these are not the usual ones. */
const usualPeriods: readonly Timeframe[] = ['5m', '15m', '1h', '4h', '1d']
const periodsOf: Readonly<Record<string, readonly Timeframe[]>> = {
  okx: ['5m', '1h', '1d'],
  okxus: ['5m', '1h', '1d'],
  myokx: ['5m', '1h', '1d'],
  htx: ['1h', '4h', '1d'],
  extended: ['1h', '1d'],
}

/** The longest period of open interest that is a quarter of a timeframe at most, or the shortest one that there is. */
function periodOf(exchange: string, timeframe: Timeframe): Timeframe {
  const periods = periodsOf[exchange] ?? usualPeriods
  const isShort = (period: Timeframe) => timeframes[period] * 4 <= timeframes[timeframe]
  return periods.findLast(isShort) ?? (periods[0] as Timeframe)
}

/** The values of a derivative at single times, each as a candle of its own time; candles of the timeframe are made of them. */
export async function timesSeries(
  { opened, market, request, timeframe }: AskedCandles,
  kind: TimesKind,
): Promise<PagedSeries> {
  const period = periodOf(opened.client.id, timeframe)
  const ask = async (...range: [since: number | undefined, limit: number, params: object]) =>
    timesOf(
      await request(() => fetchTimes(opened, kind, market.symbol, period, ...range)),
      opened.clock.now(),
    )
  // Only the settlements themselves show how far they are apart.
  const newest = kind === 'funding' ? await ask(undefined, timesPageSize, {}) : undefined
  const length = newest ? intervalOf(newest) : timeframes[period]
  return {
    name: `${market.symbol} ${kind} ${period}`,
    length,
    pageSize: timesPageSize,
    async page(since, limit, end = Number.POSITIVE_INFINITY) {
      if (since === undefined) return newest ?? ask(undefined, limit, {})
      const until = Math.min(end, since + (limit - 1) * length) * 1000
      const values = await ask(since * 1000, limit, { until })
      // An empty page ends the history, so it is requested once more.
      return values.length > 0 ? values : ask(since * 1000, limit, { until })
    },
  }
}

/** Seconds between two settlements: the shortest time that was between any two, so that missing ones do not count. */
const intervalOf = (settlements: readonly Candle[]): number =>
  settlements
    .slice(1)
    .reduce<number>(
      (least, { timestamp }, k) => Math.min(least, timestamp - (settlements[k] as Candle).timestamp),
      usualInterval,
    )

/** Values that are fetched at least, so that candles shorter than the time between two of them have one before them. */
const minTimes = 10

/** How many values there are in the time of `count` candles and one more, of which not all may be there. */
export const timesWithin = ({ timeframe }: AskedCandles, { length }: PagedSeries, count: number): number =>
  Math.max(minTimes, Math.ceil(((count + 1) * timeframes[timeframe]) / length))
