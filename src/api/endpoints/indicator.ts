import { LRUCache } from 'lru-cache'
import type { Columns, Snapshot } from '../../candles/columns.js'
import { catalogue, type Entry } from '../../catalogue/index.js'
import { answer } from '../../compute/answer.js'
import type { BulkDispatcher } from '../../compute/bulk-dispatch.js'
import type { Calculator } from '../../compute/calculator.js'
import type { BodyParser } from '../../compute/json/body-parser.js'
import type { ResultCache } from '../../compute/results/result-cache.js'
import { answerSupplied, answerSuppliedExpression } from '../../compute/supplied-indicator.js'
import { type Market, marketFields, readQueriedMarket } from '../../contract/market.js'
import { nearIndicators } from '../../contract/near-indicators.js'
import { type Fields, type Query, readQuery } from '../../contract/query.js'
import { readQueryString } from '../../contract/query-string.js'
import { isRefusal, type Refusal, unknownIndicator } from '../../contract/refusals.js'
import { readExpressionQuery } from '../../expression/query.js'
import type { MarketData } from '../../history/market-data.js'
import { replyFromCandles } from '../candles-reply.js'
import { type Caller, ok, type Reply, type RequestHead, refused, replyOf } from '../reply.js'

interface Dependencies {
  readonly calculator: Calculator
  readonly resultCache: ResultCache
  readonly marketData: MarketData
}

interface SuppliedDependencies {
  readonly calculator: Calculator
  readonly bodyParser: BodyParser
  readonly dispatch: BulkDispatcher
}

/** A checked request for an indicator or an expression on exchange data. */
interface IndicatorRequest {
  readonly market: Market
  readonly query: Query
}

/** Requests by their path and query string. They recur: a bot sends the same one every few seconds. */
const requestCache = new LRUCache<string, IndicatorRequest>({ max: 5_000 })

/** Replies to cached requests: the same query over the same candles has the same reply, until the candles change. */
class CachedReplies {
  #snapshot: Snapshot | undefined
  /** The first one. Where candles move before every request there is no other, and one costs nothing to replace. */
  #firstQuery: Query | undefined
  #firstReply: Reply | undefined
  readonly #others = new Map<Query, Reply>()

  /** The reply over these candles, which are the newest ones of their series. */
  find(snapshot: Snapshot, query: Query): Reply | undefined {
    if (snapshot === this.#snapshot)
      return query === this.#firstQuery ? this.#firstReply : this.#others.get(query)
    this.#snapshot = snapshot
    this.#firstQuery = undefined
    if (this.#others.size > 0) this.#others.clear()
    return undefined
  }

  /** Keeps the reply to a query for which `find` found none. */
  add(query: Query, reply: Reply): void {
    if (this.#firstQuery === undefined) {
      this.#firstQuery = query
      this.#firstReply = reply
    } else if (this.#others.size < maxCachedReplies) this.#others.set(query, reply)
  }
}

/** By the columns of their series. */
const replyCache = new WeakMap<Columns, CachedReplies>()

/** How many replies are cached for one series. */
const maxCachedReplies = 200
/** Longer replies are not cached, in characters. */
const maxCachedLength = 2_048

/** `GET /indicator/<name>`: one indicator on exchange data. */
export const getIndicator = (
  dependencies: Dependencies,
  name: string,
  head: RequestHead,
  accountId: string,
): Reply | Promise<Reply> =>
  getValues(dependencies, `${name}?${head.queryString}`, () => readRequest(name, head), head, accountId)

/** `GET /expression`: an expression on exchange data. */
export const getExpression = (
  dependencies: Dependencies,
  head: RequestHead,
  accountId: string,
): Reply | Promise<Reply> =>
  getValues(dependencies, `?${head.queryString}`, () => readExpressionRequest(head), head, accountId)

/** Replies to a request that is known by its key, or else read. */
function getValues(
  { calculator, resultCache, marketData }: Dependencies,
  key: string,
  read: () => IndicatorRequest | Refusal,
  head: RequestHead,
  accountId: string,
): Reply | Promise<Reply> {
  let request = requestCache.get(key)
  if (!request) {
    const fresh = read()
    if (isRefusal(fresh)) return refused(fresh)
    request = fresh
    requestCache.set(key, request)
  }
  const { market, query } = request
  return replyFromCandles(marketData, market, accountId, head, snapshot => {
    const replies = cachedReplies(snapshot)
    const cached = replies.find(snapshot, query)
    if (cached) return cached
    const reply = replyTo(calculator, resultCache, query, snapshot)
    const { body } = reply
    if (typeof body === 'string' && body.length <= maxCachedLength) replies.add(query, reply)
    return reply
  })
}

/** `POST /indicator/<name>`: one indicator on supplied candles. */
export function postIndicator(
  dependencies: SuppliedDependencies,
  name: string,
  body: Uint8Array,
  accountId: string,
  caller: Caller,
): Reply | Promise<Reply> {
  const indicator = findIndicator(name)
  if (isRefusal(indicator)) return refused(indicator)
  const { dispatch } = dependencies
  if (!dispatch.isLong(body)) return replyOf(answerSupplied(dependencies, indicator, body))
  const task = { kind: 'indicator', body, indicator: indicator.name } as const
  return dispatch.runBody(task, caller, accountId).then(answered => replyOf(answered))
}

/** `POST /expression`: an expression on supplied candles. */
export function postExpression(
  dependencies: SuppliedDependencies,
  body: Uint8Array,
  accountId: string,
  caller: Caller,
): Reply | Promise<Reply> {
  const { dispatch } = dependencies
  if (!dispatch.isLong(body)) return replyOf(answerSuppliedExpression(dependencies, body))
  const task = { kind: 'expression', body } as const
  return dispatch.runBody(task, caller, accountId).then(answered => replyOf(answered))
}

function cachedReplies({ columns }: Snapshot): CachedReplies {
  let replies = replyCache.get(columns)
  if (!replies) {
    replies = new CachedReplies()
    replyCache.set(columns, replies)
  }
  return replies
}

function replyTo(calculator: Calculator, resultCache: ResultCache, query: Query, snapshot: Snapshot): Reply {
  const json = answer(calculator, query, snapshot, resultCache)
  return isRefusal(json) ? refused(json) : ok(json)
}

const findIndicator = (name: string): Entry | Refusal =>
  catalogue.get(name) ?? unknownIndicator(name.slice(0, 60), nearIndicators(name))

function readRequest(name: string, head: RequestHead): IndicatorRequest | Refusal {
  const indicator = findIndicator(name)
  if (isRefusal(indicator)) return indicator
  return readQueried(head, fields => readQuery(indicator, fields, 'text', marketFields))
}

const readExpressionRequest = (head: RequestHead): IndicatorRequest | Refusal =>
  readQueried(head, (fields, { timeframe }) => readExpressionQuery(fields, 'text', marketFields, timeframe))

/** Reads a query string that names a market, and what `read` makes of it. */
function readQueried(
  { queryString }: RequestHead,
  read: (fields: Fields, market: Market) => Query | Refusal,
): IndicatorRequest | Refusal {
  const fields = readQueryString(queryString)
  if (isRefusal(fields)) return fields
  const market = readQueriedMarket(fields)
  if (isRefusal(market)) return market
  const query = read(fields, market)
  return isRefusal(query) ? query : { market, query }
}
