import type { Snapshot } from '../candles/columns.js'
import { maxWaitSeconds } from '../contract/limits.js'
import type { Market } from '../contract/market.js'
import type { MarketData, PendingMarket, RefusedMarket } from '../history/market-data.js'
import type { Reading } from '../history/reading.js'
import { withTimeout } from '../runtime/deadline.js'
import { type Reply, type RequestHead, refused, refusedAfterWork, withHeaders } from './reply.js'

/** RFC 9111's warning for a reply from candles that could not be refreshed. */
export const staleWarning = { Warning: '110 - "Response is Stale"' }

/** How long a client waits by `Prefer: wait=<seconds>` (RFC 7240); 0 where it does not. */
export function waitSecondsOf(prefer: string): number {
  const match = /(?:^|[,;\s])wait=(\d{1,6})(?:$|[,;\s])/i.exec(prefer)
  return match ? Math.min(Number(match[1]), maxWaitSeconds) : 0
}

const pendingReply = ({ key }: PendingMarket): Reply => ({
  status: 202,
  body: JSON.stringify({ pending: true, key }),
  headers: { 'Retry-After': '1' },
})

type Compose = (snapshot: Snapshot) => Reply | Promise<Reply>

/** A reply with a change, when it is there. */
const changed = (reply: Reply | Promise<Reply>, change: (reply: Reply) => Reply): Reply | Promise<Reply> =>
  reply instanceof Promise ? reply.then(change) : change(reply)

function replyOf(reading: Reading | RefusedMarket, compose: Compose): Reply | Promise<Reply> {
  if (reading.kind === 'refused') {
    const { refusal } = reading
    return refusal.status === 404 ? refused(refusal) : refusedAfterWork(refusal)
  }
  const reply = compose(reading.snapshot)
  return reading.stale ? changed(reply, settled => withHeaders(settled, staleWarning)) : reply
}

/** The reply after the exchange was asked, which counts as a request whatever it is. */
function replyAfterFetch(reading: Reading | RefusedMarket, compose: Compose): Reply | Promise<Reply> {
  if (reading.kind === 'refused') return refusedAfterWork(reading.refusal)
  return changed(replyOf(reading, compose), reply => (reply.isFree ? { ...reply, isFree: false } : reply))
}

/**
 * Replies from the candles of a market with `compose`: at once where they are fresh, after a refresh where they are
 * not, and with 202 while they are fetched for the first time, unless the client prefers to wait.
 */
export function replyFromCandles(
  marketData: MarketData,
  market: Market,
  accountId: string,
  head: Pick<RequestHead, 'header'>,
  compose: Compose,
): Reply | Promise<Reply> {
  const reading = marketData.read(market, accountId)
  if (!(reading instanceof Promise) && reading.kind !== 'pending') return replyOf(reading, compose)
  // The head cannot be read later.
  const seconds = waitSecondsOf(head.header('prefer'))
  if (!(reading instanceof Promise)) return replyWhenReady(reading, seconds, compose)
  return reading.then(settled =>
    settled.kind === 'pending'
      ? replyWhenReady(settled, seconds, compose)
      : replyAfterFetch(settled, compose),
  )
}

/** The reply while candles are fetched for the first time: 202, or the answer where the client waits for it. */
function replyWhenReady(reading: PendingMarket, seconds: number, compose: Compose): Reply | Promise<Reply> {
  if (seconds === 0) return pendingReply(reading)
  const applied = { 'Preference-Applied': `wait=${seconds}` }
  return withTimeout(reading.ready(), seconds)
    .then(settled => (settled ? replyAfterFetch(settled, compose) : pendingReply(reading)))
    .then(reply => withHeaders(reply, applied))
}
