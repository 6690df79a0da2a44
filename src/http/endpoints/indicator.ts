import type { Candle } from '../../candles/candle.js'
import type { Snapshot } from '../../candles/columns.js'
import { catalogue, type Entry } from '../../catalogue/index.js'
import { factsOf } from '../../compute/answer.js'
import { barsInSlices } from '../../compute/bars-in-slices.js'
import type { ComputeDispatcher, ResponseBody } from '../../compute/compute-dispatcher.js'
import { otherMarketsOf, planBytesOf } from '../../compute/expressions/compile.js'
import type { Expressions } from '../../compute/expressions/expressions.js'
import { isDeep } from '../../compute/ranges/range-answers.js'
import type { Fields } from '../../contract/fields.js'
import { type Market, marketNames, marketShape, readQueriedMarket } from '../../contract/market.js'
import { nearIndicators } from '../../contract/near-indicators.js'
import { type Query, readQuery, settledShape, windowShape } from '../../contract/query.js'
import { readQueryString } from '../../contract/query-string.js'
import { isRefusal, type Refusal, unknownIndicator } from '../../contract/refusals.js'
import { expressionResult } from '../../contract/replies.js'
import { expressionShape } from '../../contract/requests.js'
import type { AnswerFormat } from '../../contract/table-format.js'
import { formatShape } from '../../contract/table-format.js'
import { ageNames, ageShape, type CandleAge, readAge } from '../../contract/time-range.js'
import type { SeriesFinder, SeriesPlace } from '../../markets/history/cache-entry.js'
import type { MarketData } from '../../markets/history/market-data.js'
import { knownAsOf } from '../../markets/history/multi-market-reading.js'
import { RepeatCache } from '../../runtime/repeat-cache.js'
import { scheduler } from '../../runtime/scheduler.js'
import { whenKnown } from '../../runtime/when-known.js'
import { reachOf, replyDeep, replyFromCandles } from '../candles-reply.js'
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
  readonly dispatch: ComputeDispatcher
  readonly expressions: Expressions
  readonly tables: TableReplies
}

/** A GET, which a tool of a language model makes without a connection. */
type MarketHead = QueryHead & Partial<Caller>

/** What is asked of a market. */
interface MarketQuery extends CandleAge {
  readonly market: Market
  /** The other markets that an expression names. */
  readonly others: readonly Market[]
  readonly query: Query
  readonly known: KnownAnswer
  /** The format that the request names. */
  readonly format?: AnswerFormat | undefined
}

/** Longer replies are not kept, in characters. */
const maxKeptLength = 2_048
/** The characters of a number of a reply with its comma at most, about, and those of the name of an output. */
const numberLength = 24
/** Bytes that a request takes without its key, its plan and its reply, about. */
const objectBytes = 800
const maxBytesOfRequests = 16_000_000

/**
 * The last answer to a request, and where its candles are: over the same candles it is the same again. It is kept from its second time on: where candles
 * change before each request, what is kept in vain costs the garbage collector as much as the answer takes.
 */
class KnownAnswer implements SeriesFinder {
  place: SeriesPlace | undefined
  // Not the snapshot, which would keep the candles of a series in memory that was dropped.
  #columnsId = 0
  #closed = 0
  #forming: Candle | undefined
  #reply: Reply | undefined

  /** The answer over these candles, where it was the last one. */
  find(snapshot: Snapshot): Reply | undefined {
    return this.#isOver(snapshot) ? this.#reply : undefined
  }

  /** To be called with each answer that was not found; keeps one of so many characters at most. */
  keep(snapshot: Snapshot, text: string, reply: Reply, maxLength: number): void {
    this.#reply = this.#isOver(snapshot) && text.length <= maxLength ? reply : undefined
    this.#columnsId = snapshot.columns.id
    this.#closed = snapshot.closed
    this.#forming = snapshot.forming
  }

  #isOver({ columns, closed, forming }: Snapshot): boolean {
    return columns.id === this.#columnsId && closed === this.#closed && forming === this.#forming
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
  /** What was read, by indicator and query string: a bot sends the same every few seconds. */
  readonly #known = new RepeatCache<MarketQuery>({
    maxBytes: maxBytesOfRequests,
    bytesOf: ({ query }, key) => bytesOfRequest(query, key),
  })

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** `GET /indicator/<name>` */
  get(head: MarketHead, requester: Requester, name: string): Reply | Promise<Reply> {
    return this.#answer(name, () => readRequest(name, head), head, requester)
  }

  /** `GET /expression` */
  getExpression(head: MarketHead, requester: Requester): Reply | Promise<Reply> {
    return this.#answer(
      '',
      () => readExpressionRequest(this.#dependencies.expressions, head),
      head,
      requester,
    )
  }

  /**
   * Answers a request that is known by the name of its indicator and its query string, or else read: where many of those arrive
   * together, in its turn.
   */
  #answer(
    name: string,
    read: () => MarketQuery | Refusal,
    head: MarketHead,
    requester: Requester,
  ): Reply | Promise<Reply> {
    const { queryString } = head
    const known = this.#known.get(queryString, name)
    if (known) return this.#answerFromMarket(known, head, requester)
    const answerNew = () => {
      const request = read()
      if (isRefusal(request)) return refused(request)
      this.#known.add(queryString, request, name)
      return this.#answerFromMarket(request, head, requester)
    }
    return !scheduler.hasTime('requests') ? scheduler.next('requests').then(answerNew) : answerNew()
  }

  #answerFromMarket(
    { market, others, query, asOf, maxAge, known, format: named }: MarketQuery,
    head: MarketHead,
    { id, plan }: Requester,
  ): Reply | Promise<Reply> {
    const { marketData, dispatch, tables } = this.#dependencies
    const format = formatOf(named, head)
    const { range } = query
    const compose = (now: Snapshot) => {
      const snapshot = asOf === undefined ? now : knownAsOf(marketData, market, others, now, asOf)
      if ('error' in snapshot) return refused(snapshot)
      if (range && isDeep(snapshot)) {
        const question = { query, range, snapshot }
        return format === 'json'
          ? replyDeep(dispatch.ranges.answer(question, head, id), query)
          : tables.ofRange(question, format, head, id)
      }
      if (format !== 'json') return tables.ofQuery(query, snapshot, format, head, id)
      const kept = known.find(snapshot)
      if (kept !== undefined) return kept
      return whenKnown(barsInSlices(query.chart, snapshot), bars => {
        const answered = dispatch.answer(query, bars, id, asOf === undefined ? undefined : notKept)
        // A text at hand is answered in this turn (ADR 3).
        if (typeof answered !== 'string') return replyLater(answered, query, bars)
        const reply = ok(answered, answerHeaders(factsOf(query, bars)))
        known.keep(snapshot, answered, reply, keptLength(query))
        return reply
      })
    }
    // What is fetched now was not known then.
    const reach = asOf === undefined ? reachOf(query, marketData, plan) : undefined
    return replyFromCandles(marketData.notOlderThan(maxAge), market, id, head, compose, reach, others, known)
  }
}

const replyLater = async (
  answer: Refusal | ResponseBody | Promise<ResponseBody | Refusal>,
  query: Query,
  bars: Snapshot,
): Promise<Reply> => {
  const answered = await answer
  return isRefusal(answered) ? refused(answered) : ok(answered, answerHeaders(factsOf(query, bars)))
}

/** The entry of an indicator of a path. */
export const findIndicator = (name: string): Entry | Refusal =>
  catalogue.get(name) ?? unknownIndicator(name.slice(0, 60), nearIndicators(name))

/** The fields of a query string that are read elsewhere than those of a query. */
const otherFields = [...marketNames, ...ageNames, 'format']

/** Nothing else is computed from candles as they were known. */
const notKept = { isKept: false }

function readRequest(name: string, head: QueryHead): MarketQuery | Refusal {
  const indicator = findIndicator(name)
  if (isRefusal(indicator)) return indicator
  return readQueried(head, fields => readQuery(indicator, fields, 'text', otherFields))
}

const readExpressionRequest = (expressions: Expressions, head: QueryHead): MarketQuery | Refusal =>
  readQueried(head, (fields, { timeframe }) => expressions.readQuery(fields, 'text', otherFields, timeframe))

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
  if (isRefusal(query)) return query
  const age = readAge(fields, 'text')
  if (isRefusal(age)) return age
  const others = otherMarketsOf(query.indicator, market)
  const named = readNamedFormat(fields)
  return isRefusal(named) ? named : { market, others, query, ...age, known: new KnownAnswer(), ...named }
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
  answer: ({ indicators }, { request, account }) => indicators.getExpression(request, account),
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
