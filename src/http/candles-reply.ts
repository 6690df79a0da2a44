import type { Inputs } from '../candles/columns.js'
import type { RangeAnswers } from '../compute/ranges/range-answers.js'
import { maxWaitSeconds } from '../contract/limits.js'
import type { Market } from '../contract/market.js'
import type { PreparedQuestion } from '../contract/query.js'
import { candlesTooLate, isRefusal } from '../contract/refusals.js'
import type { SeriesHandle } from '../markets/history/cache-entry.js'
import { failureCacheSeconds } from '../markets/history/candle-fetcher.js'
import {
  type MarketData,
  type RefusedMarket,
  type RequestedHistory,
  whenReady,
} from '../markets/history/market-data.js'
import { readMultiMarket } from '../markets/history/multi-market-reading.js'
import type { Reading } from '../markets/history/reading.js'
import { withTimeout } from '../runtime/deadline.js'
import {
  ok,
  type Reply,
  type Requester,
  type RequestHead,
  refused,
  refusedAfterWork,
  withHeaders,
} from './reply.js'

/** Warning of RFC 9111 for a reply from candles that could not be refreshed. */
const staleWarning = '110 - "Response is Stale"'

/**
 * Header fields of a reply from candles that are old or could not be refreshed. The newest candle ended `age` seconds
 * ago.
 */
export const staleHeaders = (age: number) => ({ Warning: staleWarning, Age: String(age) })

/** Header fields of a reply over many markets: the age of the oldest stale candles. Undefined if none are stale. */
export function oldestHeaders(readings: readonly (Reading | RefusedMarket)[]): Reply['headers'] {
  let oldest: number | undefined
  for (const reading of readings)
    if (reading.kind === 'candles' && reading.age !== undefined) oldest = Math.max(oldest ?? 0, reading.age)
  return oldest === undefined ? undefined : staleHeaders(oldest)
}

/** Header fields about stale candles that a reply has; undefined if it has none. */
export const ageHeaders = ({ headers: { Age, Warning } = {} }: Reply): Reply['headers'] =>
  Age === undefined || Warning === undefined ? undefined : { Age, Warning }

/** Seconds that a client waits according to `Prefer: wait=<seconds>` (RFC 7240). 0 without that field. */
function waitSecondsOf(head: Pick<RequestHead, 'header'>): number {
  const match = /(?:^|[,;\s])wait=(\d{1,6})(?:$|[,;\s])/i.exec(head.header('prefer'))
  return match ? Math.min(Number(match[1]), maxWaitSeconds) : 0
}

/** Candles that are being fetched. */
interface PendingCandles<Read> {
  /** Name of the fetched data. */
  readonly key: string
  readonly progress?: object | undefined
  /** Resolves when the candles have arrived or cannot be fetched. */
  ready(): Promise<Read>
}

/**
 * Replies from candles that are being fetched, if they arrive while the client prefers to wait, or within
 * `graceSeconds`. Else the reply is 202.
 */
export async function replyWhenReady<Read extends object>(
  head: Pick<RequestHead, 'header'>,
  pending: PendingCandles<Read>,
  compose: (read: Read) => Promise<Reply>,
  graceSeconds = 0,
): Promise<Reply> {
  const seconds = waitSecondsOf(head)
  const longest = Math.max(seconds, graceSeconds)
  const read = longest > 0 ? await withTimeout(pending.ready(), longest) : undefined
  const reply = read ? await compose(read) : pendingReply(pending)
  return seconds > 0 ? withHeaders(reply, { 'Preference-Applied': `wait=${seconds}` }) : reply
}

const pendingReply = ({ key, progress }: PendingCandles<object>): Reply => ({
  status: 202,
  body: JSON.stringify({ pending: true, key, ...progress }),
  headers: { 'Retry-After': '1' },
})

type Compose = (inputs: Inputs) => Reply | Promise<Reply>

/** Cached series of a request's own market. */
export interface KnownSeries {
  /** Handle of the series, once it was found in memory. */
  series?: SeriesHandle | undefined
}

/** A market whose candles are read repeatedly. */
export interface AskedSeries extends KnownSeries {
  readonly market: Market
}

/**
 * Replies from the candles of a question with `compose`. Fresh candles are answered at once (ADR 3), others after a
 * refresh. While candles are fetched for the first time, the reply is 202, unless the client prefers to wait.
 */
export function replyFromCandles(
  marketData: MarketData,
  question: PreparedQuestion & KnownSeries,
  requester: Requester,
  head: Pick<RequestHead, 'header'>,
  compose: Compose,
): Reply | Promise<Reply> {
  const { markets, maxAge, query, asOf } = question
  // Only `replyLater` joins other markets, fetches older candles and refuses stale ones.
  const isPlain =
    markets.length === 1 && maxAge === undefined && (query.range === undefined || asOf !== undefined)
  const inputs = isPlain ? marketData.readNow(markets[0], question) : undefined
  return inputs ? compose(inputs) : replyLater(marketData, question, requester, head, compose)
}

async function replyLater(
  marketData: MarketData,
  question: PreparedQuestion & KnownSeries,
  { id, plan }: Requester,
  head: Pick<RequestHead, 'header'>,
  compose: Compose,
): Promise<Reply> {
  const { markets, query, asOf } = question
  const { range, chart } = query
  // Candles that are fetched now were not known at `asOf`.
  const reach =
    range && asOf === undefined && marketData.requestedHistory(range.from, plan, chart !== undefined)
  const read = readMultiMarket(marketData, question, id, reach || undefined)
  const isAtHand = 'kind' in read && read.kind !== 'pending'
  const isComputed = markets.every(each => marketData.isComputed(each))
  const reply = (arrived: Reading | RefusedMarket) =>
    replyFromReading(arrived, isAtHand || isComputed, compose)
  const reading = await read
  return reading.kind === 'pending' ? replyWhenReady(head, reading, reply) : reply(reading)
}

/** Reply from candles that were read. Every reply counts as a request, unless no exchange was contacted (`isFree`). */
async function replyFromReading(
  reading: Reading | RefusedMarket,
  isFree: boolean,
  compose: Compose,
): Promise<Reply> {
  if (reading.kind === 'refused') {
    const { refusal } = reading
    return isFree && refusal.status === 404 ? refused(refusal) : refusedAfterWork(refusal)
  }
  const composed = await compose(reading.inputs)
  const reply = composed.isFree && !isFree ? { ...composed, isFree: false } : composed
  if (!reading.stale) return reply
  const stale = staleHeaders(reading.age ?? 0)
  const own = reply.headers?.Warning
  const Warning = own === undefined ? stale.Warning : `${stale.Warning}, ${own}`
  return { ...reply, headers: { ...reply.headers, ...stale, Warning } }
}

/** Reply with the candles of a range of a history that is longer than the one in memory. */
export async function replyDeep(answered: ReturnType<RangeAnswers['answer']>): Promise<Reply> {
  const found = await answered
  return isRefusal(found) ? refused(found) : ok(found.body)
}

/**
 * Reads the candles of several markets, and waits at most `seconds` for them. Markets whose candles have not arrived by
 * then are refused; the result does not change afterwards.
 */
export async function readMarkets(
  marketData: MarketData,
  asked: readonly AskedSeries[],
  accountId: string,
  seconds: number,
  reaches: readonly (RequestedHistory | undefined)[] = [],
): Promise<readonly (Reading | RefusedMarket)[]> {
  const missing: Promise<void>[] = []
  const readings: (Reading | RefusedMarket)[] = []
  for (const [at, each] of asked.entries()) {
    const { market } = each
    const reach = reaches[at]
    const inputs = reach ? undefined : marketData.readNow(market, each)
    if (inputs) {
      readings.push({ kind: 'candles', inputs, stale: false })
      continue
    }
    const reading = marketData.read(market, accountId, reach)
    if ('kind' in reading && reading.kind !== 'pending') {
      readings.push(reading)
      continue
    }
    const refusal = candlesTooLate(market.exchange, seconds, failureCacheSeconds.unavailable)
    readings.push({ kind: 'refused', refusal })
    missing.push(
      whenReady(reading).then(arrived => {
        readings[at] = arrived
      }),
    )
  }
  if (missing.length > 0) await withTimeout(Promise.all(missing), seconds)
  return [...readings]
}
