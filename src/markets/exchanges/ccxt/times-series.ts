import type { Candle } from '../../../candles/candle.js'
import { type Timeframe, timeframes } from '../../../candles/timeframe.js'
import { type TimesKind, usualIntervals } from '../../../contract/market.js'
import type { ListedMarket } from './client.js'
import type { OpenClient } from './open-client.js'
import type { AskedCandles, PagedSeries } from './paged-history.js'

/** Values per request: exchanges give 100 to 1,000 of them. */
const usualPageSize = 100
/** Kraken answers with all settlements that there were, whatever it is asked for. */
const pageSizes: Readonly<Record<string, number>> = { krakenfutures: 10_000 }
/** Seconds in which times of a series may differ from those of others: exchanges settle some milliseconds late. */
const jitter = 60

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

/** Exchanges that count open interest in contracts, whose size in the base currency ccxt knows of linear ones. */
const inContracts: ReadonlySet<string> = new Set(['gate', 'gateeu', 'kucoin'])

const unitOf = (exchange: string, { linear, contractSize }: ListedMarket): number =>
  linear && inContracts.has(exchange) ? (contractSize ?? 1) : 1

/**
 * The value at each time as a candle of one price, ascending. What is dated in the future is announced, and not known yet. `unit` is
 * what one contract of open interest is worth.
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

/** Sends one request for values. Times are Unix milliseconds. */
type Ask = (since: number | undefined, limit: number, params: object) => Promise<Candle[]>

/** The values from `since` to `until` (Unix seconds), of at most one page. */
type AskRange = (since: number, limit: number, until: number) => Promise<Candle[]>

const untilParam = (ask: Ask): AskRange => {
  return (since, limit, until) => ask(since * 1000, limit, { until: until * 1000 })
}

/** OKX has the end of a range under another name: values are older than `after`. */
const afterParam = (ask: Ask): AskRange => {
  return (since, limit, until) => ask(since * 1000, limit, { after: String(until * 1000 + 1) })
}

/** Bitget has no ranges, but pages with numbers, of which the first one is `newest`. */
const numberedPages = (ask: Ask, newest: readonly Candle[]): AskRange => {
  // A page that lacks values may have older ones than it has shown.
  const endOf = (page: readonly Candle[]) => (page[0]?.timestamp ?? 0) - (page.length < usualPageSize ? 1 : 0)
  /** The end of each page that was requested, newest first. */
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

/** How settlements of a range are requested where ccxt does not pass on its end. */
const settlementRanges: Readonly<Record<string, (ask: Ask, newest: readonly Candle[]) => AskRange>> = {
  okx: afterParam,
  okxus: afterParam,
  myokx: afterParam,
  bitget: numberedPages,
}

/** The values of a derivative at single times, each as a candle of its own time; candles of the timeframe are made of them. */
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
  // Only the settlements themselves show how far they are apart.
  const newest = kind === 'funding' ? await ask(undefined, pageSize, {}) : undefined
  const length = newest ? intervalOf(newest) : timeframes[period]
  const rangeOf = newest && settlementRanges[exchange]
  const askRange = rangeOf ? rangeOf(ask, newest) : untilParam(ask)
  return {
    name: `${market.symbol} ${kind} ${period}`,
    length,
    // Ranges overlap by one value; pages with numbers do not.
    pageSize: rangeOf === numberedPages ? pageSize + 1 : pageSize,
    async page(since, limit, end = Number.POSITIVE_INFINITY) {
      if (since === undefined) return newest ?? ask(undefined, limit, {})
      const until = Math.min(end, since + (limit - 1) * length)
      const values = await askRange(since, limit, until)
      // An empty page ends the history, so it is requested once more.
      return values.length > 0 ? values : askRange(since, limit, until)
    },
  }
}

/** Seconds between two settlements: the shortest time that was between any two, so that missing ones do not count. */
const intervalOf = (settlements: readonly Candle[]): number =>
  settlements
    .slice(1)
    .reduce<number>(
      (least, { timestamp }, k) => Math.min(least, timestamp - (settlements[k] as Candle).timestamp),
      usualIntervals.funding,
    )

/** Values that are fetched at least, so that candles shorter than the time between two of them have one before them. */
const minTimes = 10

/** How many values there are in the time of `count` candles and one more, of which not all may be there. */
export const timesWithin = ({ timeframe }: AskedCandles, { length }: PagedSeries, count: number): number =>
  Math.max(minTimes, Math.ceil(((count + 1) * timeframes[timeframe]) / length))
