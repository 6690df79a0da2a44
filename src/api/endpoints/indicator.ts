import type { Candle } from '../../candles/candle.js'
import type { Snapshot } from '../../candles/columns.js'
import { catalogue, type Entry } from '../../catalogue/index.js'
import { settledDigits } from '../../compute/answer.js'
import type { ComputeDispatcher, ResponseBody } from '../../compute/compute-dispatcher.js'
import type { BodyParser } from '../../compute/json/body-parser.js'
import { readSupplied, readSuppliedExpression, type SuppliedQuery } from '../../compute/supplied.js'
import type { BodyTask } from '../../compute/workers/worker-task.js'
import type { Fields } from '../../contract/fields.js'
import { type Market, marketFields, readQueriedMarket } from '../../contract/market.js'
import { nearIndicators } from '../../contract/near-indicators.js'
import { type Query, readQuery } from '../../contract/query.js'
import { readQueryString } from '../../contract/query-string.js'
import { isRefusal, type Refusal, unknownIndicator } from '../../contract/refusals.js'
import { planBytesOf } from '../../expression/compile.js'
import type { Expressions } from '../../expression/expressions.js'
import type { MarketData } from '../../history/market-data.js'
import { eventLoop } from '../../runtime/event-loop.js'
import { RepeatCache } from '../../runtime/repeat-cache.js'
import { replyFromCandles } from '../candles-reply.js'
import { type Caller, ok, type QueryHead, type Reply, refused, replyOf } from '../reply.js'

interface Dependencies {
  readonly marketData: MarketData
  readonly dispatch: ComputeDispatcher
  readonly bodyParser: BodyParser
  readonly expressions: Expressions
}

/** What is asked of a market. */
interface MarketQuery {
  readonly market: Market
  readonly query: Query
  readonly known: KnownAnswer
}

/** Longer replies are not kept, in characters. */
const maxKeptLength = 2_048
/** Bytes that a request takes without its key, its plan and its reply, about. */
const objectBytes = 800
const maxBytesOfRequests = 16_000_000

/** The last answer to a request: over the same candles it is the same again. */
class KnownAnswer {
  // Not the snapshot, which would keep the candles of a series in memory that was dropped.
  #columnsId = 0
  #closed = 0
  #forming: Candle | undefined
  #text: string | undefined

  /** The text of the answer over these candles, where it was the last one. */
  find({ columns, closed, forming }: Snapshot): string | undefined {
    const isSame = columns.id === this.#columnsId && closed === this.#closed && forming === this.#forming
    return isSame ? this.#text : undefined
  }

  keep({ columns, closed, forming }: Snapshot, text: string): void {
    this.#columnsId = columns.id
    this.#closed = closed
    this.#forming = forming
    this.#text = text.length <= maxKeptLength ? text : undefined
  }
}

/** Bytes of memory that a request takes in the cache with the longest reply that is kept, about. */
export const bytesOfRequest = ({ indicator }: Query, key: string): number =>
  key.length + objectBytes + maxKeptLength + planBytesOf(indicator)

/** One indicator or expression, over the candles of a market or over candles of the caller. */
export class IndicatorEndpoints {
  readonly #dependencies: Dependencies
  /** What was read, by path and query string: a bot sends the same every few seconds. */
  readonly #known = new RepeatCache<MarketQuery>({
    maxBytes: maxBytesOfRequests,
    bytesOf: ({ query }, key) => bytesOfRequest(query, key),
  })

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** `GET /indicator/<name>` */
  get(head: QueryHead, accountId: string, name: string): Reply | Promise<Reply> {
    return this.#answer(`${name}?${head.queryString}`, () => readRequest(name, head), head, accountId)
  }

  /** `GET /expression` */
  getExpression(head: QueryHead, accountId: string): Reply | Promise<Reply> {
    return this.#answer(
      `?${head.queryString}`,
      () => readExpressionRequest(this.#dependencies.expressions, head),
      head,
      accountId,
    )
  }

  /** `POST /indicator/<name>` */
  async post(caller: Caller, accountId: string, name: string, body: Uint8Array): Promise<Reply> {
    const indicator = findIndicator(name)
    if (isRefusal(indicator)) return refused(indicator)
    const { bodyParser } = this.#dependencies
    const task = { kind: 'indicator', body, indicator: indicator.name } as const
    return this.#answerSupplied(task, accountId, caller, () => readSupplied(bodyParser, indicator, body))
  }

  /** `POST /expression` */
  async postExpression(caller: Caller, accountId: string, body: Uint8Array): Promise<Reply> {
    const { bodyParser, expressions } = this.#dependencies
    const read = () => readSuppliedExpression(bodyParser, expressions, body)
    return this.#answerSupplied({ kind: 'expression', body }, accountId, caller, read)
  }

  /** Answers a request that is known by its key, or else read: where many of those arrive together, in its turn. */
  #answer(
    key: string,
    read: () => MarketQuery | Refusal,
    head: QueryHead,
    accountId: string,
  ): Reply | Promise<Reply> {
    const known = this.#known.get(key)
    if (known) return this.#answerFromMarket(known, head, accountId)
    const answerNew = () => {
      const request = read()
      if (isRefusal(request)) return refused(request)
      this.#known.add(key, request)
      return this.#answerFromMarket(request, head, accountId)
    }
    return !eventLoop.hasTime('requests') ? eventLoop.next('requests').then(answerNew) : answerNew()
  }

  #answerFromMarket(
    { market, query, known }: MarketQuery,
    head: QueryHead,
    accountId: string,
  ): Reply | Promise<Reply> {
    const { marketData, dispatch } = this.#dependencies
    return replyFromCandles(marketData, market, accountId, head, snapshot => {
      const headers = query.settled && settledHeaders(settledDigits(query, snapshot))
      const kept = known.find(snapshot)
      if (kept !== undefined) return ok(kept, headers)
      const answered = dispatch.answer(query, snapshot, accountId)
      // A text at hand is answered in this turn (ADR 3).
      if (typeof answered !== 'string') return replyLater(answered, headers)
      known.keep(snapshot, answered)
      return ok(answered, headers)
    })
  }

  /** Answers a body with candles: a thread reads one that is long, and computes what takes long. */
  async #answerSupplied(
    task: BodyTask,
    accountId: string,
    caller: Caller,
    read: () => SuppliedQuery | Refusal,
  ): Promise<Reply> {
    const { dispatch } = this.#dependencies
    if (dispatch.isLong(task.body)) {
      const answered = await dispatch.runBody(task, caller, accountId)
      if (isRefusal(answered)) return refused(answered)
      const { body, settledDigits: digits } = answered
      return ok(body, digits === undefined ? undefined : settledHeaders(digits))
    }
    const supplied = read()
    if (isRefusal(supplied)) return refused(supplied)
    const { query, snapshot } = supplied
    const headers = query.settled && settledHeaders(settledDigits(query, snapshot))
    return replyOf(await dispatch.answer(query, snapshot, accountId, { isKept: false }), headers)
  }
}

const replyLater = async (
  answer: Refusal | ResponseBody | Promise<ResponseBody | Refusal>,
  headers: Reply['headers'],
): Promise<Reply> => replyOf(await answer, headers)

/** How many digits of the newest value have settled. */
const settledHeaders = (digits: number) => ({ 'Settled-Digits': String(digits) })

const findIndicator = (name: string): Entry | Refusal =>
  catalogue.get(name) ?? unknownIndicator(name.slice(0, 60), nearIndicators(name))

function readRequest(name: string, head: QueryHead): MarketQuery | Refusal {
  const indicator = findIndicator(name)
  if (isRefusal(indicator)) return indicator
  return readQueried(head, fields => readQuery(indicator, fields, 'text', marketFields))
}

const readExpressionRequest = (expressions: Expressions, head: QueryHead): MarketQuery | Refusal =>
  readQueried(head, (fields, { timeframe }) => expressions.readQuery(fields, 'text', marketFields, timeframe))

/** Reads a query string that names a market, and what `read` makes of it. */
function readQueried(
  { queryString }: QueryHead,
  read: (fields: Fields, market: Market) => Query | Refusal,
): MarketQuery | Refusal {
  const fields = readQueryString(queryString)
  if (isRefusal(fields)) return fields
  const market = readQueriedMarket(fields)
  if (isRefusal(market)) return market
  const query = read(fields, market)
  return isRefusal(query) ? query : { market, query, known: new KnownAnswer() }
}
