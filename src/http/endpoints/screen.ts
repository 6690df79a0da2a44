import { z } from 'zod'
import type { Expressions } from '../../compute/expressions/expressions.js'
import { singleTable } from '../../compute/tables/table.js'
import { type Fields, named, readBodyFields } from '../../contract/fields.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import { breadthShape, screenShape } from '../../contract/requests.js'
import { formatShape } from '../../contract/table-format.js'
import type { MarketData } from '../../markets/history/market-data.js'
import type { Breadths } from '../../screens/breadth/breadths.js'
import { readBreadth } from '../../screens/breadth/request.js'
import { readScreen, type ScannedRequest } from '../../screens/request.js'
import type { Scan } from '../../screens/scan.js'
import type { ScreenAnswer, Screener } from '../../screens/screener.js'
import { replyWhenReady, staleHeaders } from '../candles-reply.js'
import {
  type Caller,
  ok,
  type QueryHead,
  type Reply,
  readAnswerOptions,
  refused,
  withHeaders,
} from '../reply.js'
import { type Call, type KeyRoute, maxShortBytes, post } from '../route.js'
import { breadthTable, screenTable } from '../tables/endpoint-tables.js'
import type { TableReplies } from '../tables/table-replies.js'

export interface Parts {
  readonly tables: TableReplies
  readonly screener: Screener
  readonly expressions: Expressions
}

export interface BreadthParts extends Parts {
  readonly breadths: Breadths
  readonly marketData: MarketData
}

interface ScanCall extends Pick<Call, 'account' | 'body'> {
  readonly request: QueryHead & Caller
}

/** A question over the markets of a scan, and the form of its answer. */
interface ScannedQuestion<Request extends ScannedRequest> {
  readonly kind: 'screen' | 'breadth'
  read(fields: Fields, expressions: Expressions): Request | Refusal
  answer(request: Request, scan: Scan, accountId: string): Promise<ScreenAnswer | Refusal>
  table(text: string, request: Request): Parameters<typeof singleTable>[0]
  /** Additional fields of a reply while candles are being fetched. */
  progress?(scan: Scan): object
}

/** Default time that a request waits for candles, in seconds. A few markets need less. */
const graceSeconds = 0.5

/** Reply to a request over many markets of an exchange. */
async function replyFromMarkets<Request extends ScannedRequest>(
  question: ScannedQuestion<Request>,
  { screener, expressions, tables }: Parts,
  { request: head, account, body }: ScanCall,
): Promise<Reply> {
  const asked = readAnswerOptions(head, formatShape, `/${question.kind}`)
  if (isRefusal(asked)) return refused(asked)
  const fields = readBodyFields(body)
  const request = isRefusal(fields) ? fields : question.read(fields, expressions)
  if (isRefusal(request)) return refused(request)
  const scan = await screener.scan(request, account)
  if (isRefusal(scan)) return refused(scan)
  const { format } = asked
  const answered = async (): Promise<Reply> => {
    const answer = await question.answer(request, scan, account.id)
    if (isRefusal(answer)) return refused(answer)
    const { text, age } = answer
    const reply =
      format === 'json'
        ? ok(text)
        : await tables.ofLayout(singleTable(question.table(text, request)), format, head, account.id)
    return age === undefined ? reply : withHeaders(reply, staleHeaders(age))
  }
  const others = screener.othersReady(request, account.id)
  if (scan.hasEnded && !others) return answered()
  const pending = {
    key: `${question.kind}:${request.exchange}:${request.timeframe}`,
    get progress() {
      return { done: scan.done, total: scan.markets.length, ...question.progress?.(scan) }
    },
    ready: () => Promise.all([scan.ended, others]),
  }
  return replyWhenReady(head, pending, answered, graceSeconds)
}

/** `POST /screen`: the markets of an exchange that meet a condition. */
export const answerScreen = (parts: Parts, call: ScanCall): Promise<Reply> =>
  replyFromMarkets(
    {
      kind: 'screen',
      read: readScreen,
      answer: (request, scan, accountId) => parts.screener.answer(request, scan, accountId),
      table: screenTable,
    },
    parts,
    call,
  )

/** `POST /breadth`: measures over the markets of an exchange. */
const answerBreadth = (parts: BreadthParts, call: ScanCall): Promise<Reply> =>
  replyFromMarkets(
    {
      kind: 'breadth',
      read: readBreadth,
      answer: (request, scan, accountId) => parts.breadths.answer(request, scan, accountId),
      table: breadthTable,
      progress: ({ markets }) => ({
        missing: markets.filter(market => !parts.marketData.recall(market)).map(({ symbol }) => symbol),
      }),
    },
    parts,
    call,
  )

const screenBody = named('Screen', () => z.strictObject(screenShape()))
const breadthBody = named('Breadth', () => z.strictObject(breadthShape()))

export const screenRoute: KeyRoute<Parts> = post({
  path: '/screen',
  hasNoQuery: false,
  maxBytes: maxShortBytes,
  mayBePending: true,
  answer: answerScreen,
  describe: () => ({
    id: 'screen',
    tag: 'Screens and signals',
    summary: 'The markets of an exchange at which a condition holds',
    description:
      'The first screen of an exchange fetches the candles of its markets under the exchange’s rate limit: during that it is pending (202), with `done` and `total`. Later ones are answered from memory.',
    query: formatShape(),
    body: screenBody(),
    replies: {
      200: {
        description: 'The matches.',
        schema: 'screenResult',
        headers: ['Warning', 'Age', 'Preference-Applied'],
        isTable: true,
      },
    },
    statuses: [404],
  }),
})

export const breadthRoute: KeyRoute<BreadthParts> = post({
  path: '/breadth',
  hasNoQuery: false,
  maxBytes: maxShortBytes,
  mayBePending: true,
  answer: answerBreadth,
  describe: () => ({
    id: 'breadth',
    tag: 'Screens and signals',
    summary: 'Measures over the markets of an exchange, by time',
    description:
      'The share of markets at which a condition holds, their number, the advance/decline line, the McClellan oscillator and others. A market counts at a candle where it has one and its values are defined. The first breadth over markets is pending (202) while their candles are fetched, with `done`, `total` and the `missing` symbols.',
    query: formatShape(),
    body: breadthBody(),
    replies: {
      200: {
        description: 'The values.',
        schema: 'breadthResult',
        headers: ['Warning', 'Preference-Applied'],
        isTable: true,
      },
    },
    statuses: [404],
  }),
})
