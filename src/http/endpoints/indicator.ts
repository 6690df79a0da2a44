import type { Candle } from '../../candles/candle.js'
import type { Inputs } from '../../candles/columns.js'
import { catalogue, type Entry } from '../../catalogue/index.js'
import type { Executor } from '../../compute/executor.js'
import { marketsOf, planBytesOf } from '../../compute/expressions/compile.js'
import type { Expressions } from '../../compute/expressions/expressions.js'
import type { KnownResults } from '../../compute/results/result-cache.js'
import { readQueryString } from '../../contract/fields.js'
import { marketNames, marketShape, readQueriedMarket } from '../../contract/market.js'
import { nearIndicators } from '../../contract/near-indicators.js'
import {
  type PreparedQuestion,
  type Query,
  readQuery,
  settledShape,
  windowShape,
} from '../../contract/query.js'
import { isRefusal, type Refusal, unknownIndicator } from '../../contract/refusals.js'
import { expressionShape } from '../../contract/requests.js'
import { type AnswerFormat, formatShape } from '../../contract/table-format.js'
import { ageNames, ageShape, asOfName, maxAgeName, readAge } from '../../contract/time-range.js'
import type { MarketData } from '../../markets/history/market-data.js'
import { knownAsOf } from '../../markets/history/multi-market-reading.js'
import { TextCache } from '../../runtime/caches.js'
import { scheduler } from '../../runtime/scheduler.js'
import { type KnownSeries, replyFromCandles } from '../candles-reply.js'
import {
  type Caller,
  formatOf,
  type QueryHead,
  type Reply,
  type Requester,
  readNamedFormat,
  refused,
  replyTo,
} from '../reply.js'
import { get, type KeyRoute } from '../route.js'
import type { TableReplies } from '../tables/table-replies.js'

/** Parts of the service that answer questions. */
export interface Parts {
  readonly marketData: MarketData
  readonly executor: Executor
  readonly expressions: Expressions
  readonly tables: TableReplies
  /** Questions by indicator and query string, because a bot sends the same request every few seconds. */
  readonly questions: TextCache<KnownQuestion>
}

/** A request for an indicator, or for an expression without a segment. A tool of a language model sends it without a connection. */
interface QuestionCall {
  readonly request: QueryHead & Partial<Caller>
  readonly account: Requester
  readonly segment: string
}

/** Maximum length of a cached reply, in characters. */
const maxKeptLength = 2_048
/** Approximate maximum length of a number in a reply with its comma, and of the name of an output, in characters. */
const numberLength = 24
/** Approximate memory of a cached request without its key, plan and reply, in bytes. */
const objectBytes = 800
const maxBytesOfRequests = 16_000_000

/**
 * A question about one indicator or expression over the candles of a market, in its final form and independent of its
 * caller. It knows its series, its kept results and its last reply, which stays valid while the candles are unchanged.
 */
interface KnownQuestion extends PreparedQuestion, KnownSeries, KnownResults {
  /** Format that the request names. */
  readonly format: AnswerFormat | undefined
  reply: Reply | undefined
  // Instead of the snapshot, which would keep the candles of an evicted series in memory.
  columnsId: number
  closed: number
  forming: Candle | undefined
}

/** Maximum length of a kept reply, in characters: room for numbers in all outputs and for the times. */
const keptLength = ({ indicator, results }: Query): number =>
  Math.min(maxKeptLength, (indicator.columns + 1) * (results + 1) * numberLength)

/** Approximate memory of a cached request with its longest kept reply, in bytes. */
export const bytesOfRequest = (query: Query, key: string): number =>
  key.length + objectBytes + keptLength(query) + planBytesOf(query.indicator)

export const createQuestions = (): Parts['questions'] =>
  new TextCache({
    maxBytes: maxBytesOfRequests,
    bytesOf: ({ query }, key) => bytesOfRequest(query, key),
  })

/** `GET /indicator/<name>`, and `GET /expression` without a name. */
export function answerQuestion(parts: Parts, call: QuestionCall): Reply | Promise<Reply> {
  const { marketData, executor, tables, questions } = parts
  const { request, account, segment } = call
  const question = questions.get(request.queryString, segment) ?? readQuestion(parts, call)
  if ('error' in question) return refused(question)
  const { markets, query, asOf } = question
  const format = formatOf(question.format, request)
  const compose = (now: Inputs) => {
    const inputs = asOf === undefined ? now : knownAsOf(marketData, markets, now, asOf)
    if ('error' in inputs) return refused(inputs)
    if (format !== 'json') return tables.ofQuery({ query, inputs }, format, request, account.id)
    const { columns, closed, forming } = inputs[0]
    const isSame =
      columns.id === question.columnsId && closed === question.closed && forming === question.forming
    if (isSame && question.reply) return question.reply
    if (!isSame) {
      question.columnsId = columns.id
      question.closed = closed
      question.forming = forming
      question.reply = undefined
    }
    const caller = { accountId: account.id, signal: query.range && request.signal }
    // Answers as of an earlier time are not kept, because no other request computes from their candles.
    const answered = executor.execute({ query, inputs, isKept: asOf === undefined, known: question }, caller)
    // A text that is available immediately is answered in this turn (ADR 3).
    if ('then' in answered) return answered.then(replyTo)
    const reply = replyTo(answered)
    if (isRefusal(answered)) return reply
    // Caches the reply only if the same candles were requested before. If candles change before each request, no cached
    // reply is used, and collecting them as garbage would cost as much as computing the answers.
    if (isSame && typeof reply.body === 'string' && reply.body.length <= keptLength(query))
      question.reply = reply
    return reply
  }
  return replyFromCandles(marketData, question, account, request, compose)
}

/** `GET /expression`. Compiling a new expression waits until the turn has time for it. */
const answerExpression = (parts: Parts, call: QuestionCall): Reply | Promise<Reply> =>
  parts.questions.get(call.request.queryString)
    ? answerQuestion(parts, call)
    : scheduler.run('requests', () => answerQuestion(parts, call))

export const findIndicator = (name: string): Entry | Refusal =>
  catalogue.get(name) ?? unknownIndicator(name.slice(0, 60), nearIndicators(name))

/** Fields of a query string that are not part of the query. */
const otherFields = [...marketNames, ...ageNames, 'format']

/** Reads the question of a request, and keeps it by its indicator and its query string. */
function readQuestion(
  { expressions, questions }: Parts,
  { request, segment }: QuestionCall,
): KnownQuestion | Refusal {
  const indicator = segment === '' ? undefined : findIndicator(segment)
  if (isRefusal(indicator)) return indicator
  const fields = readQueryString(request.queryString)
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
  const question: KnownQuestion = {
    query,
    markets: indicator ? [market] : marketsOf(query.indicator, market),
    asOf: age?.asOf,
    maxAge: age?.maxAge,
    format: named?.format,
    series: undefined,
    kept: undefined,
    reply: undefined,
    columnsId: 0,
    closed: 0,
    forming: undefined,
  }
  questions.add(request.queryString, question, segment)
  return question
}

/** Description of expressions in the OpenAPI document. */
export const expressionText =
  'A number or a condition per candle, in a small language over the catalogue: indicators, columns of the candles, arithmetic, comparisons, `and`, `or`, `not`, `[n]` for n candles ago, `@4h` for a longer timeframe and `{ETHUSDT}` for another market.'

const newestValues = {
  description: 'The newest values.',
  headers: ['Warning', 'Age', 'Preference-Applied', 'Settled-Digits'],
  isTable: true,
}

export const expressionRoute: KeyRoute<Parts> = get({
  path: '/expression',
  mayBePending: true,
  answer: answerExpression,
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
    replies: { 200: { ...newestValues, schema: 'expressionResult' } },
    statuses: [404],
  }),
})

/** The OpenAPI document describes it once for each indicator. */
export const indicatorRoute: KeyRoute<Parts> = get({
  path: '/indicator/{name}',
  mayBePending: true,
  answer: answerQuestion,
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
