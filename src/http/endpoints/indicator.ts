import type { Candle } from '../../candles/candle.js'
import type { Snapshot } from '../../candles/columns.js'
import { catalogue, type Entry } from '../../catalogue/index.js'
import type { Answer, Executor } from '../../compute/executor.js'
import { otherMarketsOf, planBytesOf } from '../../compute/expressions/compile.js'
import type { Expressions } from '../../compute/expressions/expressions.js'
import { type Market, marketNames, marketShape, readQueriedMarket } from '../../contract/market.js'
import { nearIndicators } from '../../contract/near-indicators.js'
import { type Query, readQuery, settledShape, windowShape } from '../../contract/query.js'
import { readQueryString } from '../../contract/query-string.js'
import { isRefusal, type Refusal, unknownIndicator } from '../../contract/refusals.js'
import { expressionResult } from '../../contract/replies.js'
import { expressionShape } from '../../contract/requests.js'
import type { AnswerFormat } from '../../contract/table-format.js'
import { formatShape } from '../../contract/table-format.js'
import {
  ageNames,
  ageShape,
  asOfName,
  type CandleAge,
  maxAgeName,
  readAge,
} from '../../contract/time-range.js'
import type { SeriesHandle } from '../../markets/history/cache-entry.js'
import type { MarketData } from '../../markets/history/market-data.js'
import { knownAsOf } from '../../markets/history/multi-market-reading.js'
import { TextCache } from '../../runtime/caches.js'
import { scheduler } from '../../runtime/scheduler.js'
import { type AskedCandles, replyFromCandles } from '../candles-reply.js'
import {
  answerHeaders,
  type Caller,
  ok,
  type QueryHead,
  type Reply,
  type Requester,
  refused,
} from '../reply.js'
import { get, type KeyRoute } from '../route.js'
import { formatOf, readNamedFormat } from '../tables/answer-format.js'
import type { TableReplies } from '../tables/table-replies.js'

interface Dependencies {
  readonly marketData: MarketData
  readonly executor: Executor
  readonly expressions: Expressions
  readonly tables: TableReplies
}

/** A GET, which a tool of a language model makes without a connection. */
type MarketHead = QueryHead & Partial<Caller>

/** Longer replies are not kept, in characters. */
const maxKeptLength = 2_048
/** The characters of a number of a reply with its comma at most, about, and those of the name of an output. */
const numberLength = 24
/** Bytes that a request takes without its key, its plan and its reply, about. */
const objectBytes = 800
const maxBytesOfRequests = 16_000_000

/** What a request says, whoever makes it. */
interface Asked extends CandleAge {
  readonly market: Market
  /** The other markets that an expression names. */
  readonly others: readonly Market[]
  readonly query: Query
  /** The format that the request names. */
  readonly format?: AnswerFormat | undefined
}

/**
 * A question about one indicator or expression over the candles of a market, in its final form and independent of who asks. It has a
 * handle of its series, and its last reply, which is the same for as long as the candles are.
 */
class PreparedQuestion implements AskedCandles {
  readonly market: Market
  readonly others: readonly Market[]
  readonly query: Query
  readonly range: Query['range']
  readonly chart: Query['chart']
  readonly asOf: number | undefined
  readonly maxAge: number | undefined
  readonly format: AnswerFormat | undefined
  series: SeriesHandle | undefined
  #reply: Reply | undefined
  // Not the snapshot, which would keep the candles of a series in memory that was dropped.
  #columnsId = 0
  #closed = 0
  #forming: Candle | undefined

  constructor({ market, others, query, asOf, maxAge, format }: Asked) {
    this.market = market
    this.others = others
    this.query = query
    this.range = query.range
    this.chart = query.chart
    this.asOf = asOf
    this.maxAge = maxAge
    this.format = format
  }

  /** The last reply, if it was made of these candles. */
  replyOver({ columns, closed, forming }: Snapshot): Reply | undefined {
    const isSame = columns.id === this.#columnsId && closed === this.#closed && forming === this.#forming
    return isSame ? this.#reply : undefined
  }

  /**
   * Keeps a reply that is not too long, from its second time over the same candles on: if candles change before each request, to keep
   * it in vain costs the garbage collector as much as the answer costs.
   */
  keep({ columns, closed, forming }: Snapshot, text: string, reply: Reply): void {
    const isSame = columns.id === this.#columnsId && closed === this.#closed && forming === this.#forming
    this.#reply = isSame && text.length <= keptLength(this.query) ? reply : undefined
    this.#columnsId = columns.id
    this.#closed = closed
    this.#forming = forming
  }
}

/** The characters of the longest reply to a query that is kept: room for numbers in all its outputs, beside the times. */
const keptLength = ({ indicator, results }: Query): number =>
  Math.min(maxKeptLength, (indicator.columns + 1) * (results + 1) * numberLength)

/** Bytes of memory that a request takes in the cache with the longest reply that is kept, about. */
export const bytesOfRequest = (query: Query, key: string): number =>
  key.length + objectBytes + keptLength(query) + planBytesOf(query.indicator)

/** One indicator or expression over the candles of a market. */
export class IndicatorEndpoints {
  readonly #dependencies: Dependencies
  /** By indicator and query string: a bot sends the same every few seconds. */
  readonly #questions = new TextCache<PreparedQuestion>({
    maxBytes: maxBytesOfRequests,
    bytesOf: ({ query }, key) => bytesOfRequest(query, key),
  })

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** `GET /indicator/<name>`, and `GET /expression` without a name. */
  readonly get = (head: MarketHead, requester: Requester, name = ''): Reply | Promise<Reply> => {
    const question = this.#questions.get(`${name}?${head.queryString}`)
    if (question) return this.#answer(question, head, requester)
    return scheduler.hasTime('requests')
      ? this.#answerNew(name, head, requester)
      : scheduler.next('requests').then(() => this.#answerNew(name, head, requester))
  }

  /** Reads a question that is not known, and answers it. */
  #answerNew(name: string, head: MarketHead, requester: Requester): Reply | Promise<Reply> {
    const { queryString } = head
    const asked = readAsked(name, queryString, this.#dependencies.expressions)
    if (isRefusal(asked)) return refused(asked)
    const question = new PreparedQuestion(asked)
    this.#questions.add(`${name}?${queryString}`, question)
    return this.#answer(question, head, requester)
  }

  #answer(question: PreparedQuestion, head: MarketHead, requester: Requester): Reply | Promise<Reply> {
    const { marketData, executor, tables } = this.#dependencies
    const { id } = requester
    const { market, others, query, range, asOf } = question
    const format = formatOf(question.format, head)
    const compose = (now: Snapshot) => {
      const snapshot = asOf === undefined ? now : knownAsOf(marketData, market, others, now, asOf)
      if ('error' in snapshot) return refused(snapshot)
      if (format !== 'json') return tables.ofQuery(query, snapshot, format, head, id)
      const known = question.replyOver(snapshot)
      if (known) return known
      const caller = range ? { accountId: id, signal: head.signal } : { accountId: id }
      // Nothing else is computed from candles as they were known.
      const answered = executor.execute({ query, snapshot, isKept: asOf === undefined }, caller)
      // A text at hand is answered in this turn (ADR 3).
      if ('then' in answered) return answered.then(toReply)
      const reply = toReply(answered)
      if ('body' in answered && typeof answered.body === 'string')
        question.keep(snapshot, answered.body, reply)
      return reply
    }
    return replyFromCandles(marketData, question, requester, head, compose)
  }
}

const toReply = (answered: Answer | Refusal): Reply =>
  isRefusal(answered) ? refused(answered) : ok(answered.body, answerHeaders(answered.warnings))

/** The entry of an indicator of a path. */
export const findIndicator = (name: string): Entry | Refusal =>
  catalogue.get(name) ?? unknownIndicator(name.slice(0, 60), nearIndicators(name))

/** The fields of a query string that are read elsewhere than those of a query. */
const otherFields = [...marketNames, ...ageNames, 'format']

/** Reads the query string of a request for an indicator, or for an expression if `name` is empty. */
function readAsked(name: string, queryString: string, expressions: Expressions): Asked | Refusal {
  const indicator = name === '' ? undefined : findIndicator(name)
  if (isRefusal(indicator)) return indicator
  const fields = readQueryString(queryString)
  if (isRefusal(fields)) return fields
  const market = readQueriedMarket(fields)
  if (isRefusal(market)) return market
  const query = indicator
    ? readQuery(indicator, fields, 'text', otherFields)
    : expressions.readQuery(fields, 'text', otherFields, market.timeframe)
  if (isRefusal(query)) return query
  const age = fields.has(asOfName) || fields.has(maxAgeName) ? readAge(fields, 'text') : undefined
  if (isRefusal(age)) return age
  const named = fields.has('format') ? readNamedFormat(fields) : undefined
  if (isRefusal(named)) return named
  return { market, others: otherMarketsOf(query.indicator, market), query, ...age, ...named }
}

/** What the document says of expressions. */
export const expressionText =
  'A number or a condition per candle, in a small language over the catalogue: indicators, columns of the candles, arithmetic, comparisons, `and`, `or`, `not`, `[n]` for n candles ago, `@4h` for a longer timeframe and `{ETHUSDT}` for another market.'

const newestValues = {
  description: 'The newest values.',
  headers: ['Warning', 'Age', 'Preference-Applied', 'Settled-Digits'],
  isTable: true,
}

export const expressionRoute: KeyRoute<{ readonly indicators: IndicatorEndpoints }> = get({
  path: '/expression',
  mayBePending: true,
  answer: ({ indicators }, { request, account }) => indicators.get(request, account),
  describe: () => ({
    id: 'expression',
    tag: 'Expressions',
    summary: 'An expression over the candles of an exchange',
    description: expressionText,
    query: {
      ...marketShape(),
      ...expressionShape(),
      ...windowShape(),
      ...ageShape(),
      ...formatShape(),
      ...settledShape(),
    },
    replies: { 200: { ...newestValues, schema: expressionResult() } },
    statuses: [404],
  }),
})

/** The document describes it once for each indicator. */
export const indicatorRoute: KeyRoute<{ readonly indicators: IndicatorEndpoints }> = get({
  path: '/indicator/{name}',
  mayBePending: true,
  answer: ({ indicators }, { request, account, segment }) => indicators.get(request, account, segment),
  describe: () => ({
    id: 'get',
    tag: 'Catalogue',
    summary: 'An indicator over the candles of an exchange',
    description: 'On exchange data.',
    query: { ...marketShape(), ...windowShape(), ...settledShape(), ...ageShape(), ...formatShape() },
    replies: { 200: newestValues },
    statuses: [404],
  }),
})
