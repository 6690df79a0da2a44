import { barsOf } from '../../candles/charts/bars.js'
import { candleAt, rewind, type Snapshot } from '../../candles/columns.js'
import { formatTime } from '../../candles/format-time.js'
import { formatNumber } from '../../compute/json/number-writer.js'
import { refuseRange, withinRange } from '../../compute/range.js'
import { singleTable } from '../../compute/tables/table.js'
import { refuseUnknown } from '../../contract/fields.js'
import { type Market, readQueriedMarket } from '../../contract/market.js'
import { type QueryWindow, readWindow } from '../../contract/query.js'
import { readQueryString } from '../../contract/query-string.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import { candlesShape } from '../../contract/requests.js'
import type { AnswerFormat } from '../../contract/table-format.js'
import type { MarketData } from '../../history/market-data.js'
import { eventLoop } from '../../runtime/event-loop.js'
import { replyFromCandles } from '../candles-reply.js'
import { type Caller, ok, type QueryHead, type Reply, refused } from '../reply.js'
import { formatOf, readNamedFormat } from '../tables/asked-format.js'
import { candlesTable } from '../tables/endpoint-tables.js'
import type { TableReplies } from '../tables/table-replies.js'

interface CandlesRequest extends QueryWindow {
  readonly market: Market
  /** The format that the request names. */
  readonly format?: AnswerFormat | undefined
}

interface Dependencies {
  readonly marketData: MarketData
  readonly tables: TableReplies
}

/** `GET /candles`: raw candles or the bars of a chart, oldest first. */
export function getCandles(
  { marketData, tables }: Dependencies,
  head: QueryHead & Partial<Caller>,
  accountId: string,
): Reply | Promise<Reply> {
  const request = readRequest(head.queryString)
  if (isRefusal(request)) return refused(request)
  const format = formatOf(request.format, head)
  return replyFromCandles(marketData, request.market, accountId, head, candles => {
    const snapshot = barsOf(request.chart, candles)
    const { results, backtrack, range } = withinRange(request, snapshot)
    const outside = range && refuseRange(range, results, snapshot)
    if (outside) return refused(outside)
    const shown = rewind(snapshot, backtrack)
    const from = Math.max(0, shown.count - results)
    if (format === 'json') return writeCandles(shown, from)
    return tables.ofLayout(singleTable(candlesTable(shown, from)), format, head, accountId)
  })
}

function readRequest(queryString: string): CandlesRequest | Refusal {
  const fields = readQueryString(queryString)
  if (isRefusal(fields)) return fields
  const market = readQueriedMarket(fields)
  if (isRefusal(market)) return market
  const window =
    refuseUnknown(fields.keys(), 'candles', Object.keys(candlesShape())) ?? readWindow(fields, 'text')
  if (isRefusal(window)) return window
  const named = readNamedFormat(fields)
  return isRefusal(named) ? named : { market, ...window, ...named }
}

/** Candles that are written at a time: more would keep others waiting. */
const candlesPerPiece = 500
/** So few are written at once, however much this turn of the event loop has done. */
const fewCandles = 20

function writeCandles(snapshot: Snapshot, from: number): Reply | Promise<Reply> {
  const count = snapshot.count - from
  const isAtOnce = count <= fewCandles || (count <= candlesPerPiece && eventLoop.hasTime('requests'))
  return isAtOnce ? ok(`[${textOf(snapshot, from, snapshot.count)}]`) : writeInPieces(snapshot, from)
}

async function writeInPieces(snapshot: Snapshot, from: number): Promise<Reply> {
  const texts: string[] = []
  for (let at = from; at < snapshot.count; at += candlesPerPiece) {
    if (!eventLoop.hasTime('requests')) await eventLoop.next('requests')
    texts.push(textOf(snapshot, at, Math.min(at + candlesPerPiece, snapshot.count)))
  }
  return ok(`[${texts.join(',')}]`)
}

/** The candles [from, to) as JSON objects. */
function textOf(snapshot: Snapshot, from: number, to: number): string {
  const list: string[] = []
  for (let i = from; i < to; i++) {
    const { timestamp, open, high, low, close, volume } = candleAt(snapshot, i)
    list.push(
      `{"timestamp":${timestamp},"timestampHuman":"${formatTime(timestamp)}","open":${formatNumber(open)},"high":${formatNumber(high)},"low":${formatNumber(low)},"close":${formatNumber(close)},"volume":${formatNumber(volume)}}`,
    )
  }
  return list.join(',')
}
