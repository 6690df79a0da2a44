import type { Candle } from '../../../candles/candle.js'
import { type Timeframe, timeframes } from '../../../candles/timeframe.js'
import type { DerivativeKind, TimesKind } from '../../../contract/market.js'
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
