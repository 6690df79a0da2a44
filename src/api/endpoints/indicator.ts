import type { Candle } from '../../candles/candle.js'
import type { Snapshot } from '../../candles/columns.js'
import { catalogue, type Entry } from '../../catalogue/index.js'
import { answer } from '../../compute/answer.js'
import type { ComputeDispatcher } from '../../compute/compute-dispatcher.js'
import type { BodyParser } from '../../compute/json/body-parser.js'
import type { Calculator } from '../../compute/kernels/calculator.js'
import type { ResultCache } from '../../compute/results/result-cache.js'
import { readSupplied, readSuppliedExpression, type SuppliedQuery } from '../../compute/supplied-indicator.js'
import type { BodyTask } from '../../compute/workers/worker-task.js'
import { type Market, marketFields, readQueriedMarket } from '../../contract/market.js'
import { nearIndicators } from '../../contract/near-indicators.js'
import { type Fields, type Query, readQuery } from '../../contract/query.js'
import { readQueryString } from '../../contract/query-string.js'
import { isRefusal, type Refusal, unknownIndicator } from '../../contract/refusals.js'
import { planBytesOf } from '../../expression/compile.js'
import { readExpressionQuery } from '../../expression/query.js'
import type { MarketData } from '../../history/market-data.js'
import { RepeatCache } from '../../runtime/repeat-cache.js'
import { turnClock } from '../../runtime/turn-clock.js'
import { replyFromCandles } from '../candles-reply.js'
import { keepHead } from '../later.js'
import { type Caller, ok, type Reply, type RequestHead, refused, replyOf } from '../reply.js'

interface Dependencies {
  readonly calculator: Calculator
  readonly resultCache: ResultCache
  readonly marketData: MarketData
  readonly dispatch: ComputeDispatcher
}

interface SuppliedDependencies {
  readonly calculator: Calculator
  readonly bodyParser: BodyParser
  readonly dispatch: ComputeDispatcher
}

/** A checked request for an indicator or an expression on exchange data. */
interface IndicatorRequest {
  readonly market: Market
  readonly query: Query
  readonly known: KnownReply
}

/** Longer replies are not kept, in characters. */
const maxKeptLength = 2_048
/** Bytes that a request takes without its key, its plan and its reply, about. */
const objectBytes = 800
const maxBytesOfRequests = 16_000_000
/** The kernel runs over so few candles at once, however much this turn of the event loop has done. */
const fewCandles = 20

/** The last reply to a request: over the same candles it is the same again. */
class KnownReply {
  // Not the snapshot, which would keep the candles of a series in memory that was dropped.
  #columnsId = 0
  #closed = 0
  #forming: Candle | undefined
  #reply: Reply | undefined

  /** The reply over these candles, where it was the last one. */
  find({ columns, closed, forming }: Snapshot): Reply | undefined {
    const isSame = columns.id === this.#columnsId && closed === this.#closed && forming === this.#forming
    return isSame ? this.#reply : undefined
  }

  keep({ columns, closed, forming }: Snapshot, reply: Reply): void {
    const { body } = reply
    this.#columnsId = columns.id
    this.#closed = closed
    this.#forming = forming
    this.#reply = typeof body === 'string' && body.length <= maxKeptLength ? reply : undefined
  }
}

/** Requests by their path and query string: a bot sends the same one every few seconds. */
const requestCache = new RepeatCache<IndicatorRequest>({
  maxBytes: maxBytesOfRequests,
  bytesOf: ({ query }, key) => bytesOfRequest(query, key),
})

/** Bytes of memory that a request takes in the cache with the longest reply that is kept, about. */
export const bytesOfRequest = ({ indicator }: Query, key: string): number =>
  key.length + objectBytes + maxKeptLength + planBytesOf(indicator)

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

/** Replies to a request that is known by its key, or else read: where many of those arrive together, in its turn. */
function getValues(
  dependencies: Dependencies,
  key: string,
  read: () => IndicatorRequest | Refusal,
  head: RequestHead,
  accountId: string,
): Reply | Promise<Reply> {
  const cached = requestCache.get(key)
  if (cached) return replyTo(dependencies, cached, head, accountId)
  const replyToNew = (whole: Pick<RequestHead, 'header'>) => {
    const request = read()
    if (isRefusal(request)) return refused(request)
    requestCache.add(key, request)
    return replyTo(dependencies, request, whole, accountId)
  }
  if (!turnClock.isOver()) return replyToNew(head)
  const kept = keepHead(head)
  return turnClock.next().then(() => replyToNew(kept))
}

function replyTo(
  { calculator, resultCache, marketData, dispatch }: Dependencies,
  { market, query, known }: IndicatorRequest,
  head: Pick<RequestHead, 'header'>,
  accountId: string,
): Reply | Promise<Reply> {
  return replyFromCandles(marketData, market, accountId, head, snapshot => {
    const kept = known.find(snapshot)
    if (kept) return kept
    const long = dispatch.runLong(query, snapshot, accountId)
    if (long !== undefined) return long instanceof Promise ? long.then(body => replyOf(body)) : replyOf(long)
    const compute = () => {
      const reply = compose(calculator, resultCache, query, snapshot)
      known.keep(snapshot, reply)
      return reply
    }
    const isLater = turnClock.isOver() && resultCache.candlesToRun(query, snapshot) > fewCandles
    return isLater ? turnClock.next().then(compute) : compute()
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
  const task = { kind: 'indicator', body, indicator: indicator.name } as const
  return replyToSupplied(dependencies, task, accountId, caller, () =>
    readSupplied(dependencies.bodyParser, indicator, body),
  )
}

/** `POST /expression`: an expression on supplied candles. */
export const postExpression = (
  dependencies: SuppliedDependencies,
  body: Uint8Array,
  accountId: string,
  caller: Caller,
): Reply | Promise<Reply> =>
  replyToSupplied(dependencies, { kind: 'expression', body }, accountId, caller, () =>
    readSuppliedExpression(dependencies.bodyParser, body),
  )

/** Replies to a body with candles: a thread reads one that is long, and computes what takes long. */
function replyToSupplied(
  { calculator, dispatch }: SuppliedDependencies,
  task: BodyTask,
  accountId: string,
  caller: Caller,
  read: () => SuppliedQuery | Refusal,
): Reply | Promise<Reply> {
  if (!dispatch.isLong(task.body)) {
    const supplied = read()
    if (isRefusal(supplied)) return refused(supplied)
    const { query, snapshot } = supplied
    if (dispatch.isShort(query, snapshot)) return replyOf(answer(calculator, query, snapshot))
  }
  return dispatch.runBody(task, caller, accountId).then(answered => replyOf(answered))
}

function compose(calculator: Calculator, resultCache: ResultCache, query: Query, snapshot: Snapshot): Reply {
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
  return isRefusal(query) ? query : { market, query, known: new KnownReply() }
}
