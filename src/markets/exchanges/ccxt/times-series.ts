import type { Candle } from '../../../candles/candle.js'
import { type Timeframe, timeframes } from '../../../candles/timeframe.js'
import { type TimesKind, usualIntervals } from '../../../contract/market.js'
import type { ListedMarket } from './client.js'
import type { OpenClient } from './open-client.js'
import type { AskedCandles, PagedSeries } from './paged-history.js'

/** Values per request. Exchanges return 100 to 1,000 of them. */
const usualPageSize = 100
/** Page sizes that differ. Kraken always returns all settlements, whatever range is requested. */
const pageSizes: Readonly<Record<string, number>> = { krakenfutures: 10_000 }
/** Seconds to which times are rounded, because exchanges settle some milliseconds late. */
const jitter = 60

/** A value of a derivative at one time (milliseconds), as ccxt returns it. */
interface TimedValue {
  readonly timestamp?: number | undefined
  readonly fundingRate?: number | undefined
  readonly openInterestAmount?: number | undefined
  readonly openInterestValue?: number | undefined
}

/** Requests the values of a kind. `period` is the time between two values, for kinds with several periods. */
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

/**
 * Exchanges that count open interest in contracts. ccxt knows the contract size in the base currency for linear
 * contracts.
 */
const inContracts: ReadonlySet<string> = new Set(['gate', 'gateeu', 'kucoin'])

const unitOf = (exchange: string, { linear, contractSize }: ListedMarket): number =>
  linear && inContracts.has(exchange) ? (contractSize ?? 1) : 1

/**
 * Turns each value into a candle with a single price, ascending. Omits values with a future time, because they are
 * announced but not final. `unit` is the worth of one contract of open interest.
 */
function timesOf(values: readonly TimedValue[], now: number, unit: number): Candle[] {
  const candles = new Map<number, Candle>()
  for (const each of values) {
    const { fundingRate, openInterestAmount, openInterestValue } = each
    const amount = openInterestAmount === undefined ? openInterestValue : openInterestAmount * unit
    const value = Number(fundingRate ?? amount ?? Number.NaN)
    const timestamp = Math.round(Number(each.timestamp) / 1000 / jitter) * jitter
    if (!Number.isFinite(value) || !(timestamp > 0 && timestamp <= now)) continue
    candles.set(timestamp, { timestamp, open: value, high: value, low: value, close: value, volume: 0 })
  }
  return [...candles.values()].sort((a, b) => a.timestamp - b.timestamp)
}

/** Periods of open interest: the usual ones, and the ones of exchanges that differ. */
const usualPeriods: readonly Timeframe[] = ['5m', '15m', '1h', '4h', '1d']
const periodsOf: Readonly<Record<string, readonly Timeframe[]>> = {
  okx: ['5m', '1h', '1d'],
  okxus: ['5m', '1h', '1d'],
  myokx: ['5m', '1h', '1d'],
  htx: ['1h', '4h', '1d'],
  extended: ['1h', '1d'],
}

/** The longest period of open interest that is at most a quarter of a timeframe, or else the shortest period. */
function periodOf(exchange: string, timeframe: Timeframe): Timeframe {
  const periods = periodsOf[exchange] ?? usualPeriods
  const isShort = (period: Timeframe) => timeframes[period] * 4 <= timeframes[timeframe]
  return periods.findLast(isShort) ?? (periods[0] as Timeframe)
}

/** Sends one request for values. Times are Unix milliseconds. */
type Ask = (since: number | undefined, limit: number, params: object) => Promise<Candle[]>

/** Requests the values from `since` to `until` (Unix seconds), at most one page. */
type AskRange = (since: number, limit: number, until: number) => Promise<Candle[]>

const untilParam = (ask: Ask): AskRange => {
  return (since, limit, until) => ask(since * 1000, limit, { until: until * 1000 })
}

/** OKX names the end of a range differently: values are older than `after`. */
const afterParam = (ask: Ask): AskRange => {
  return (since, limit, until) => ask(since * 1000, limit, { after: String(until * 1000 + 1) })
}

/** Bitget has numbered pages instead of ranges. `newest` is the first page. */
const numberedPages = (ask: Ask, newest: readonly Candle[]): AskRange => {
  // A page that is not full may have older values than it has returned.
  const endOf = (page: readonly Candle[]) => (page[0]?.timestamp ?? 0) - (page.length < usualPageSize ? 1 : 0)
  /** End of each requested page, newest first. */
  const ends = [endOf(newest)]
  return async (since, _limit, until) => {
    const known = ends.findIndex(end => end < until)
    const values: Candle[] = []
    for (let at = known < 0 ? ends.length : known; ; at++) {
      const page = await ask(undefined, usualPageSize, { pageNo: String(at + 1) })
      const first = page[0]?.timestamp
      if (first === undefined) return values
      values.unshift(...page)
      ends[at] = endOf(page)
      if (first <= since) return values
    }
  }
}

/** Range requests for settlements of exchanges for which ccxt does not pass on the end of a range. */
const settlementRanges: Readonly<Record<string, (ask: Ask, newest: readonly Candle[]) => AskRange>> = {
  okx: afterParam,
  okxus: afterParam,
  myokx: afterParam,
  bitget: numberedPages,
}

/**
 * Values of a derivative at single times, each as a candle at its own time. The caller makes candles of the
 * timeframe from them.
 */
export async function timesSeries(
  { opened, market, request, timeframe }: AskedCandles,
  kind: TimesKind,
): Promise<PagedSeries> {
  const exchange = opened.client.id
  const period = periodOf(exchange, timeframe)
  const unit = unitOf(exchange, market)
  const ask: Ask = async (...range) =>
    timesOf(
      await request(() => fetchTimes(opened, kind, market.symbol, period, ...range)),
      opened.clock.now(),
      unit,
    )
  const pageSize = pageSizes[exchange] ?? usualPageSize
  // The interval between settlements can only be read from the settlements.
  const newest = kind === 'funding' ? await ask(undefined, pageSize, {}) : undefined
  const length = newest ? intervalOf(newest) : timeframes[period]
  const rangeOf = newest && settlementRanges[exchange]
  const askRange = rangeOf ? rangeOf(ask, newest) : untilParam(ask)
  return {
    name: `${market.symbol} ${kind} ${period}`,
    length,
    // Ranges overlap by one value; numbered pages do not.
    pageSize: rangeOf === numberedPages ? pageSize + 1 : pageSize,
    async page(since, limit, end = Number.POSITIVE_INFINITY) {
      if (since === undefined) return newest ?? ask(undefined, limit, {})
      const until = Math.min(end, since + (limit - 1) * length)
      const values = await askRange(since, limit, until)
      // An empty page would end the history, so it is requested once more.
      return values.length > 0 ? values : askRange(since, limit, until)
    },
  }
}

/** Seconds between two settlements: the shortest distance, so that missing settlements do not count. */
const intervalOf = (settlements: readonly Candle[]): number =>
  settlements
    .slice(1)
    .reduce<number>(
      (least, { timestamp }, k) => Math.min(least, timestamp - (settlements[k] as Candle).timestamp),
      usualIntervals.funding,
    )

/** Minimum number of fetched values. A candle shorter than the distance between values needs a value before it. */
const minTimes = 10

/** Number of values in the time of `count + 1` candles, at least `minTimes`. Some of the values may be missing. */
export const timesWithin = ({ timeframe }: AskedCandles, { length }: PagedSeries, count: number): number =>
  Math.max(minTimes, Math.ceil(((count + 1) * timeframes[timeframe]) / length))
