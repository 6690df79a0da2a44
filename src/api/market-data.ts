import type { Market } from '../contract/market.js'
import { exchangeNotFound } from '../contract/refusals.js'
import type { ExchangeLookup } from '../exchanges/registry.js'
import { withTimeout } from '../exchanges/timeout.js'
import type { History, Pending, Reading } from '../history/history.js'
import { sourceRefusal } from '../history/source-refusal.js'
import { ok, type Reply, refused, withHeaders } from './reply.js'

/** The longest a client may ask to be held for pending data, in seconds. */
const maxWaitSeconds = 10

/** RFC 9111's warning for an answer from candles that could not be refreshed. */
export const staleWarning = { Warning: '110 - "Response is Stale"' }

/** Seconds a client asks to wait by `Prefer: wait=<seconds>` (RFC 7240); 0 where it does not. */
function waitOf(prefer: string): number {
  const match = /(?:^|[,;\s])wait=(\d{1,6})(?:$|[,;\s])/i.exec(prefer)
  return match ? Math.min(Number(match[1]), maxWaitSeconds) : 0
}

const pendingReply = ({ key }: Pending): Reply => ({
  status: 202,
  body: JSON.stringify({ pending: true, key }),
  headers: { 'Retry-After': '1' },
})

/**
 * Answers from the candles of a market with `compose`: at once where they are there and fresh, after a refresh
 * where they are old, and with 202 while they are fetched for the first time (unless the client prefers to wait).
 */
export function answerFromCandles(
  { exchanges, history }: { readonly exchanges: ExchangeLookup; readonly history: History },
  market: Market,
  prefer: string,
  compose: (reading: Reading) => Reply,
): Reply | Promise<Reply> {
  const exchange = exchanges.find(market.exchange)
  if (!exchange) return refused(exchangeNotFound(market.exchange))
  const answered = (reading: Reading) =>
    reading.stale ? withHeaders(compose(reading), staleWarning) : compose(reading)
  const failed = (error: unknown) => refused(sourceRefusal(error, exchange.id, market.symbol))
  let reading: Reading | Pending | Promise<Reading>
  try {
    reading = history.read({ ...market, exchange: exchange.id }, exchange.source)
  } catch (error) {
    return failed(error)
  }
  if (reading instanceof Promise) return reading.then(answered, failed)
  if (!('ready' in reading)) return answered(reading)
  const seconds = waitOf(prefer)
  if (seconds === 0) return pendingReply(reading)
  const applied = { 'Preference-Applied': `wait=${seconds}` }
  return withTimeout(reading.ready, seconds).then(
    arrived => withHeaders(arrived ? answered(arrived) : pendingReply(reading), applied),
    error => withHeaders(failed(error), applied),
  )
}

/** The identifiers of all exchanges. */
export const exchangeList = (exchanges: ExchangeLookup): Reply => {
  const ids = exchanges.ids()
  return ok(JSON.stringify({ exchanges: ids, count: ids.length }))
}

/** The symbols of one exchange. */
export function symbolList(exchanges: ExchangeLookup, id: string): Reply | Promise<Reply> {
  const exchange = exchanges.find(id.toLowerCase())
  if (!exchange) return refused(exchangeNotFound(id))
  const listed = (symbols: readonly string[]) => ok(JSON.stringify({ count: symbols.length, symbols }))
  const failed = (error: unknown) => refused(sourceRefusal(error, exchange.id, ''))
  const symbols = exchange.source.symbols()
  return symbols instanceof Promise ? symbols.then(listed, failed) : listed(symbols)
}
