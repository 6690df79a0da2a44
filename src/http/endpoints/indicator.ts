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

/** Head of a GET. A tool of a language model sends it without a connection. */
type MarketHead = QueryHead & Partial<Caller>

/** Maximum length of a cached reply, in characters. */
const maxKeptLength = 2_048
/** Approximate maximum length of a number in a reply with its comma, and of the name of an output, in characters. */
const numberLength = 24
/** Approximate memory of a cached request without its key, plan and reply, in bytes. */
const objectBytes = 800
const maxBytesOfRequests = 16_000_000

/** Parsed request, independent of its caller. */
interface Asked extends CandleAge {
  readonly market: Market
  /** Other markets that an expression names. */
  readonly others: readonly Market[]
  readonly query: Query
  /** Format that the request names. */
  readonly format?: AnswerFormat | undefined
}

/**
 * A question about one indicator or expression over the candles of a market, in its final form and independent of its
 * caller. It has a handle of its series. It keeps its last reply, which stays valid while the candles are unchanged.
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
  // Instead of the snapshot, which would keep the candles of an evicted series in memory.
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

  /** Last reply, if it was computed from these candles. */
  replyOver({ columns, closed, forming }: Snapshot): Reply | undefined {
    const isSame = columns.id === this.#columnsId && closed === this.#closed && forming === this.#forming
    return isSame ? this.#reply : undefined
  }

  /**
   * Keeps a reply that is not too long, from its second computation over the same candles on. If candles change before
   * each request, keeping replies in vain would cost the garbage collector as much as the answers cost.
   */
  keep({ columns, closed, forming }: Snapshot, text: string, reply: Reply): void {
    const isSame = columns.id === this.#columnsId && closed === this.#closed && forming === this.#forming
    this.#reply = isSame && text.length <= keptLength(this.query) ? reply : undefined
    this.#columnsId = columns.id
    this.#closed = closed
    this.#forming = forming
  }
}

/** Maximum length of a kept reply, in characters: room for numbers in all outputs and for the times. */
const keptLength = ({ indicator, results }: Query): number =>
  Math.min(maxKeptLength, (indicator.columns + 1) * (results + 1) * numberLength)

/** Approximate memory of a cached request with its longest kept reply, in bytes. */
export const bytesOfRequest = (query: Query, key: string): number =>
  key.length + objectBytes + keptLength(query) + planBytesOf(query.indicator)

/** One indicator or expression over the candles of a market. */
export class IndicatorEndpoints {
  readonly #dependencies: Dependencies
  /** Questions by indicator and query string, because a bot sends the same request every few seconds. */
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
    return scheduler.run('requests', () => this.#answerNew(name, head, requester))
  }

  /** Reads and answers a question that is not cached. */
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
      // Answers as of an earlier time are not kept, because no other request computes from their candles.
      const answered = executor.execute({ query, snapshot, isKept: asOf === undefined }, caller)
      // A text that is available immediately is answered in this turn (ADR 3).
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

/** Entry of the indicator that a path names. */
export const findIndicator = (name: string): Entry | Refusal =>
  catalogue.get(name) ?? unknownIndicator(name.slice(0, 60), nearIndicators(name))

/** Fields of a query string that are not part of the query. */
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

/** Description of expressions in the OpenAPI document. */
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

/** The OpenAPI document describes it once for each indicator. */
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
