import { LRUCache } from 'lru-cache'
import type { Snapshot } from '../../candles/columns.js'
import { catalogue, type Entry } from '../../catalogue/index.js'
import { answer } from '../../compute/answer.js'
import type { Calculator } from '../../compute/calculator.js'
import { type BodyParser, readCandlesField } from '../../compute/json/body-parser.js'
import { type Market, marketFields, readQueriedMarket } from '../../contract/market.js'
import { type Query, readQuery } from '../../contract/query.js'
import { readQueryString } from '../../contract/query-string.js'
import { isRefusal, missingCandles, type Refusal, unknownIndicator } from '../../contract/refusals.js'
import type { MarketData } from '../../history/market-data.js'
import { replyFromCandles } from '../candles-reply.js'
import { ok, type Reply, type RequestHead, refused } from '../reply.js'

/** A checked request for an indicator on exchange data. */
interface IndicatorRequest {
  readonly market: Market
  readonly query: Query
}

/** Requests by their path and query string. They recur: a bot sends the same one every few seconds. */
const requestCache = new LRUCache<string, IndicatorRequest>({ max: 5_000 })

/** Replies to cached requests: the same query over the same candles has the same reply, until the candles change. */
const replyCache = new WeakMap<Snapshot, Map<Query, Reply>>()

/** How many replies are cached for one snapshot. */
const maxCachedReplies = 200
/** Longer replies are not cached, in characters. */
const maxCachedLength = 2_048

/** `GET /indicator/<name>`: one indicator on exchange data. */
export function getIndicator(
  { calculator, marketData }: { readonly calculator: Calculator; readonly marketData: MarketData },
  name: string,
  head: RequestHead,
  accountId: string,
): Reply | Promise<Reply> {
  const { queryString } = head
  const key = `${name}?${queryString}`
  let request = requestCache.get(key)
  if (!request) {
    const read = readRequest(name, queryString)
    if (isRefusal(read)) return refused(read)
    request = read
    requestCache.set(key, request)
  }
  const { market, query } = request
  return replyFromCandles(marketData, market, accountId, head, snapshot => {
    const replies = cachedReplies(snapshot)
    const cached = replies.get(query)
    if (cached) return cached
    const reply = replyTo(calculator, query, snapshot)
    const { body } = reply
    if (replies.size < maxCachedReplies && typeof body === 'string' && body.length <= maxCachedLength)
      replies.set(query, reply)
    return reply
  })
}

/** `POST /indicator/<name>`: one indicator on supplied candles. */
export function postIndicator(
  { calculator, bodyParser }: { readonly calculator: Calculator; readonly bodyParser: BodyParser },
  name: string,
  body: Uint8Array,
): Reply {
  const indicator = findIndicator(name)
  if (isRefusal(indicator)) return refused(indicator)
  const fields = bodyParser.fields(body, whole => [whole])
  if (isRefusal(fields)) return refused(fields)
  const query = readQuery(indicator, fields, 'json', ['candles'])
  if (isRefusal(query)) return refused(query)
  const snapshot = fields.has('candles') ? readCandlesField(fields.get('candles')) : missingCandles()
  return isRefusal(snapshot) ? refused(snapshot) : replyTo(calculator, query, snapshot)
}

function cachedReplies(snapshot: Snapshot): Map<Query, Reply> {
  let replies = replyCache.get(snapshot)
  if (!replies) {
    replies = new Map()
    replyCache.set(snapshot, replies)
  }
  return replies
}

function replyTo(calculator: Calculator, query: Query, snapshot: Snapshot): Reply {
  const json = answer(calculator, query, snapshot)
  return isRefusal(json) ? refused(json) : ok(json)
}

const findIndicator = (name: string): Entry | Refusal =>
  catalogue.get(name) ?? unknownIndicator(name.slice(0, 60))

function readRequest(name: string, queryString: string): IndicatorRequest | Refusal {
  const indicator = findIndicator(name)
  if (isRefusal(indicator)) return indicator
  const fields = readQueryString(queryString)
  if (isRefusal(fields)) return fields
  const market = readQueriedMarket(fields)
  if (isRefusal(market)) return market
  const query = readQuery(indicator, fields, 'text', marketFields)
  return isRefusal(query) ? query : { market, query }
}
