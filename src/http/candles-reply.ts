import type { Snapshot } from '../candles/columns.js'
import type { RangeAnswers } from '../compute/ranges/range-answers.js'
import { maxWaitSeconds } from '../contract/limits.js'
import type { Market } from '../contract/market.js'
import type { Query, QueryWindow } from '../contract/query.js'
import { candlesTooLate, isRefusal } from '../contract/refusals.js'
import type { Plan } from '../contract/storage/stores.js'
import type { SeriesFinder } from '../markets/history/cache-entry.js'
import { failureCacheSeconds } from '../markets/history/failure.js'
import {
  type MarketData,
  type MarketReader,
  type MarketReading,
  type PendingMarket,
  type Reach,
  type RefusedMarket,
  whenReady,
} from '../markets/history/market-data.js'
import { readMultiMarket } from '../markets/history/multi-market-reading.js'
import type { Reading } from '../markets/history/reading.js'
import { withTimeout } from '../runtime/deadline.js'
import {
  answerHeaders,
  ok,
  type Reply,
  type RequestHead,
  refused,
  refusedAfterWork,
  withHeaders,
} from './reply.js'

/** RFC 9111's warning for a reply from candles that could not be refreshed. */
const staleWarning = '110 - "Response is Stale"'

/** What is said of candles that are old, or could not be brought up to date: the newest one ended `age` seconds ago. */
export const staleHeaders = (age: number) => ({ Warning: staleWarning, Age: String(age) })

/** The same of many markets, where candles of any are old: how old the oldest are. */
export function oldestHeaders(readings: readonly (Reading | RefusedMarket)[]): Reply['headers'] {
  const ages = readings.flatMap(reading => (reading.kind === 'candles' ? (reading.age ?? []) : []))
  return ages.length > 0 ? staleHeaders(Math.max(...ages)) : undefined
}

/** What a reply says of old candles. */
export const ageHeaders = ({ headers: { Age, Warning } = {} }: Reply): Reply['headers'] =>
  Age === undefined || Warning === undefined ? undefined : { Age, Warning }

/** How long a client waits by `Prefer: wait=<seconds>` (RFC 7240); 0 where it does not. */
export function waitSecondsOf(head: Pick<RequestHead, 'header'>): number {
  const match = /(?:^|[,;\s])wait=(\d{1,6})(?:$|[,;\s])/i.exec(head.header('prefer'))
  return match ? Math.min(Number(match[1]), maxWaitSeconds) : 0
}

const pendingReply = ({ key, progress }: PendingMarket): Reply => ({
  status: 202,
  body: JSON.stringify({ pending: true, key, ...progress }),
  headers: { 'Retry-After': '1' },
})

type Compose = (snapshot: Snapshot) => Reply | Promise<Reply>

/**
 * Replies from the candles of a market with `compose`: in this turn where they are fresh (ADR 3), after a refresh where they
 * are not, and with 202 while they are fetched for the first time, unless the client prefers to wait. `reach` is that of a
 * query for a time; the candles of other markets are joined with the market's. `finder` always reads this market.
 */
export function replyFromCandles(
  marketData: MarketReader,
  market: Market,
  accountId: string,
  head: Pick<RequestHead, 'header'>,
  compose: Compose,
  reach?: Reach,
  others: readonly Market[] = [],
  finder?: SeriesFinder,
): Reply | Promise<Reply> {
  const reading =
    others.length > 0
      ? readMultiMarket(marketData, market, others, accountId, reach)
      : marketData.read(market, accountId, reach, finder)
  if ('kind' in reading && reading.kind !== 'pending') return replyFrom(reading, compose)
  if (marketData.isComputed(market) && others.every(other => marketData.isComputed(other)))
    return replyComputed(reading as Promise<Reading | RefusedMarket>, compose)
  return replyLater(reading, waitSecondsOf(head), compose)
}

function replyFrom(reading: Reading | RefusedMarket, compose: Compose): Reply | Promise<Reply> {
  if (reading.kind === 'candles')
    return reading.stale ? replyFromStale(reading, compose) : compose(reading.snapshot)
  return reading.refusal.status === 404 ? refused(reading.refusal) : refusedAfterWork(reading.refusal)
}

/** The reply for candles that no exchange was asked for. */
const replyComputed = async (reading: Promise<Reading | RefusedMarket>, compose: Compose): Promise<Reply> =>
  replyFrom(await reading, compose)

async function replyFromStale({ snapshot, age = 0 }: Reading, compose: Compose): Promise<Reply> {
  const reply = await compose(snapshot)
  const own = reply.headers?.Warning
  const headers = staleHeaders(age)
  const Warning = own === undefined ? headers.Warning : `${headers.Warning}, ${own}`
  return { ...reply, headers: { ...reply.headers, ...headers, Warning } }
}

async function replyLater(
  refreshed: PendingMarket | Promise<MarketReading>,
  seconds: number,
  compose: Compose,
): Promise<Reply> {
  const reading = await refreshed
  if (reading.kind !== 'pending') return replyAfterFetch(reading, compose)
  if (seconds === 0) return pendingReply(reading)
  const fetched = await withTimeout(reading.ready(), seconds)
  const reply = fetched ? await replyAfterFetch(fetched, compose) : pendingReply(reading)
  return withHeaders(reply, { 'Preference-Applied': `wait=${seconds}` })
}

/** The reply after the exchange was asked, which counts as a request whatever it is. */
async function replyAfterFetch(reading: Reading | RefusedMarket, compose: Compose): Promise<Reply> {
  if (reading.kind === 'refused') return refusedAfterWork(reading.refusal)
  const reply = await (reading.stale ? replyFromStale(reading, compose) : compose(reading.snapshot))
  return reply.isFree ? { ...reply, isFree: false } : reply
}

/** What a query for a time needs of a history; undefined where it is about what is in memory. */
export const reachOf = (
  { range, chart }: Partial<Pick<QueryWindow, 'range' | 'chart'>>,
  marketData: MarketData,
  plan: Plan,
): Reach | undefined => range && marketData.reach(range.from, plan, chart !== undefined)

/** The reply for a time of a history that is longer than what is in memory, to a query or for candles. */
export async function replyDeep(answered: ReturnType<RangeAnswers['answer']>, query?: Query): Promise<Reply> {
  const found = await answered
  if (isRefusal(found)) return refused(found)
  return ok(found.body, answerHeaders({ settledDigits: query?.settled && found.settling?.digits }))
}

/**
 * The candles of markets when they are there. Those that are not there after `seconds` are refused; they change no more then.
 */
export async function readMarkets(
  marketData: MarketData,
  markets: readonly Market[],
  accountId: string,
  seconds: number,
  reaches: readonly (Reach | undefined)[] = [],
): Promise<readonly (Reading | RefusedMarket)[]> {
  const missing: Promise<void>[] = []
  const readings = markets.map((market, at): Reading | RefusedMarket => {
    const reading = marketData.read(market, accountId, reaches[at])
    if ('kind' in reading && reading.kind !== 'pending') return reading
    missing.push(
      whenReady(reading).then(arrived => {
        readings[at] = arrived
      }),
    )
    const refusal = candlesTooLate(market.exchange, seconds, failureCacheSeconds.unavailable)
    return { kind: 'refused', refusal }
  })
  if (missing.length > 0) await withTimeout(Promise.all(missing), seconds)
  return [...readings]
}
