import { type Inputs, rewind, type Snapshot, timestampAt } from '../../candles/columns.js'
import { catalogue, type Entry } from '../../catalogue/index.js'
import { fewerThanAsked, refuseRange, withinRange } from '../../compute/answer.js'
import { barsInSlices, type Executor } from '../../compute/executor.js'
import { candlesText, candleText } from '../../compute/json/candle-text.js'
import { NumberWriter } from '../../compute/json/sink.js'
import type { Calculator } from '../../compute/kernels/calculator.js'
import { isDeep } from '../../compute/ranges/range-answers.js'
import { singleTable } from '../../compute/tables/table.js'
import { readQueryString, refuseUnknown } from '../../contract/fields.js'
import { readQueriedMarket } from '../../contract/market.js'
import { type PreparedQuestion, readWindow } from '../../contract/query.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import { candlesShape } from '../../contract/requests.js'
import type { AnswerFormat } from '../../contract/table-format.js'
import { readAge } from '../../contract/time-range.js'
import type { MarketData } from '../../markets/history/market-data.js'
import { knownAsOf } from '../../markets/history/multi-market-reading.js'
import { BodyFragments } from '../../runtime/buffer-pool.js'
import { scheduler } from '../../runtime/scheduler.js'
import { replyDeep, replyFromCandles } from '../candles-reply.js'
import {
  answerHeaders,
  type Caller,
  formatOf,
  ok,
  type QueryHead,
  type Reply,
  type Requester,
  readNamedFormat,
  refused,
} from '../reply.js'
import { get, type KeyRoute } from '../route.js'
import { candlesTable } from '../tables/endpoint-tables.js'
import type { TableReplies } from '../tables/table-replies.js'

interface CandlesRequest extends PreparedQuestion {
  /** Format that the request names. */
  readonly format?: AnswerFormat | undefined
}

export interface Parts {
  readonly marketData: MarketData
  readonly tables: TableReplies
  readonly executor: Executor
  readonly calculator: Calculator
}

interface CandlesCall {
  readonly request: QueryHead & Partial<Caller>
  readonly account: Requester
}

/** `GET /candles`: raw candles or the bars of a chart, oldest first. */
export function answerCandles(
  { marketData, tables, executor, calculator: { writer } }: Parts,
  { request: head, account }: CandlesCall,
): Reply | Promise<Reply> {
  const { id } = account
  const request = readRequest(head.queryString)
  if (isRefusal(request)) return refused(request)
  const format = formatOf(request.format, head)
  const { markets, query, asOf } = request
  const { range, chart } = query
  const compose = (now: Inputs) => {
    const inputs = asOf === undefined ? now : knownAsOf(marketData, markets, now, asOf)
    if ('error' in inputs) return refused(inputs)
    if (range && isDeep(inputs) && (chart || range.from < timestampAt(inputs[0], 0))) {
      const question = { range, chart, inputs }
      if (format !== 'json') return tables.ofRange(question, format, head, id)
      return replyDeep(executor.ranges.answer(question, { accountId: id, signal: head.signal }))
    }
    const show = (bars: Inputs) => {
      const [snapshot] = bars
      const { results, backtrack } = withinRange(query, snapshot)
      const outside = range && refuseRange(range, results, snapshot)
      if (outside) return refused(outside)
      const [shown] = rewind(bars, backtrack)
      const from = Math.max(0, shown.count - results)
      const headers = answerHeaders({ fewer: fewerThanAsked(query, snapshot, 0) })
      if (format === 'json') return writeCandles(shown, from, headers, writer)
      return tables.ofLayout(singleTable(candlesTable(shown, from)), format, head, id, headers)
    }
    const bars = barsInSlices(chart, inputs)
    return 'then' in bars ? bars.then(show) : show(bars)
  }
  return replyFromCandles(marketData, request, account, head, compose)
}

function readRequest(queryString: string): CandlesRequest | Refusal {
  const fields = readQueryString(queryString)
  if (isRefusal(fields)) return fields
  const market = readQueriedMarket(fields)
  if (isRefusal(market)) return market
  const window =
    refuseUnknown(fields.keys(), 'candles', Object.keys(candlesShape())) ?? readWindow(fields, 'text')
  if (isRefusal(window)) return window
  const age = readAge(fields, 'text')
  if (isRefusal(age)) return age
  const named = readNamedFormat(fields)
  const query = { indicator: catalogue.get('candle') as Entry, params: {}, ...window }
  return isRefusal(named) ? named : { query, markets: [market], ...age, ...named }
}

/** Number of candles written at a time. More candles would delay other requests. */
const candlesPerPiece = NumberWriter.batchSize
/** Up to this number, candles are written at once, however busy this turn of the event loop is. */
const fewCandles = 20

function writeCandles(
  snapshot: Snapshot,
  from: number,
  headers: Reply['headers'],
  writer: NumberWriter,
): Reply | Promise<Reply> {
  const count = snapshot.count - from
  const isAtOnce = count <= fewCandles || (count <= candlesPerPiece && scheduler.hasTime('requests'))
  return isAtOnce
    ? ok(`[${candlesJson(snapshot, from, snapshot.count, writer)}]`, headers)
    : writeInPieces(snapshot, from, headers, writer)
}

async function writeInPieces(
  snapshot: Snapshot,
  from: number,
  headers: Reply['headers'],
  writer: NumberWriter,
): Promise<Reply> {
  const fragments: Uint8Array[] = []
  // One text of all candles would be copied and encoded in one turn.
  for (let at = from; at < snapshot.count; at += candlesPerPiece) {
    await scheduler.slice('requests')
    const to = Math.min(at + candlesPerPiece, snapshot.count)
    const text = candlesJson(snapshot, at, to, writer)
    fragments.push(Buffer.from(`${at === from ? '[' : ','}${text}${to === snapshot.count ? ']' : ''}`))
  }
  return ok(new BodyFragments(fragments), headers)
}

/** Candles [from, to), at most `candlesPerPiece`, as JSON objects. */
function candlesJson(
  { columns, closed, forming }: Snapshot,
  from: number,
  to: number,
  writer: NumberWriter,
): string {
  const texts = from < closed ? [candlesText(columns, from, Math.min(to, closed), writer)] : []
  if (to > closed && forming) texts.push(candleText(forming))
  return texts.join(',')
}

export const candlesRoute: KeyRoute<Parts> = get({
  path: '/candles',
  mayBePending: true,
  answer: answerCandles,
  describe: () => ({
    id: 'candles',
    tag: 'Market data',
    summary: 'Raw candles',
    query: candlesShape(),
    replies: {
      200: {
        description: 'Candles, oldest first.',
        schema: 'candles',
        headers: ['Warning', 'Age', 'Preference-Applied'],
        isTable: true,
      },
    },
    statuses: [404],
  }),
})
