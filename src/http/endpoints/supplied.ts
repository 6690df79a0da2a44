import { z } from 'zod'
import { Columns, type Inputs, type Snapshot, timeframeOf } from '../../candles/columns.js'
import { type Entry, readsClosesOnly } from '../../catalogue/index.js'
import { refuseShort, withinRange } from '../../compute/answer.js'
import { barsInSlices, type Executor } from '../../compute/executor.js'
import type { Expressions } from '../../compute/expressions/expressions.js'
import type { BodyParser } from '../../compute/json/body-parser.js'
import {
  joinSupplied,
  ownMarket,
  readSupplied,
  readSuppliedExpression,
  type SuppliedQuery,
} from '../../compute/supplied.js'
import type { BodyTask } from '../../compute/task.js'
import { readQueryString } from '../../contract/fields.js'
import { maxSuppliedCandles } from '../../contract/limits.js'
import { type Query, readQuery, settledShape, windowShape } from '../../contract/query.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import { expressionShape, suppliedCandles, withShape } from '../../contract/requests.js'
import { settledCandles } from '../../contract/settled-candles.js'
import { formatShape, type TableFormat, tableFormatOf } from '../../contract/table-format.js'
import { finishInSlices } from '../../runtime/scheduler.js'
import {
  answerHeaders,
  BodyFragments,
  type Caller,
  formatOf,
  ok,
  type QueryHead,
  type Reply,
  type RequestHead,
  readAnswerOptions,
  readNamedFormat,
  refused,
  replyTo,
  withHeaders,
} from '../reply.js'
import { type Call, type KeyRoute, post } from '../route.js'
import type { TableReplies } from '../tables/table-replies.js'
import { expressionText, findIndicator } from './indicator.js'

/** Parts of the service that answer questions about supplied candles. */
export interface Parts {
  readonly executor: Executor
  readonly bodyParser: BodyParser
  readonly expressions: Expressions
  readonly tables: TableReplies
  /** Maximum number of candles in a body that is a table. */
  readonly tableCandles: number
}

interface SuppliedCall extends Pick<Call, 'account' | 'segment' | 'body' | 'charge'> {
  readonly request: QueryHead & Caller & Pick<RequestHead, 'contentType'>
}

const formatFields = ['format']

/** Snapshot of columns that are completely filled with closed candles. */
const closedOf = (columns: Columns): Snapshot => {
  const { capacity: count } = columns
  return { columns, closed: count, forming: undefined, count }
}

/** Refusal of a query that needs more candles than there are. */
async function refuseOver(query: Query, candles: Inputs): Promise<Refusal | undefined> {
  const bars = await barsInSlices(query.chart, candles)
  return refuseShort(withinRange(query, bars[0]), bars)
}

/**
 * `POST /indicator/<name>`, and `POST /expression` without a name. The body is JSON, or a table. A worker thread reads
 * long bodies and runs long computations.
 */
export async function answerSupplied(parts: Parts, call: SuppliedCall): Promise<Reply> {
  const { request, account, segment, body } = call
  const indicator = segment === '' ? undefined : findIndicator(segment)
  if (isRefusal(indicator)) return refused(indicator)
  const bodyFormat = tableFormatOf(request.contentType)
  if (bodyFormat !== undefined) return answerTable(parts, call, indicator, bodyFormat)
  const asked = readAnswerOptions(request, formatShape, indicator ? '/indicator/{name}' : '/expression')
  if (isRefusal(asked)) return refused(asked)
  const { format } = asked
  const { executor, tables, bodyParser, expressions } = parts
  if (executor.isLong(body)) {
    const task = indicator
      ? { kind: 'indicator' as const, body, indicator: indicator.name }
      : { kind: 'expression' as const, body }
    const asTable = format === 'json' ? task : { ...task, format }
    const answered = await executor.run(asTable, { accountId: account.id, signal: request.signal })
    if (isRefusal(answered)) return refused(answered)
    const fragments = new BodyFragments(answered.answer)
    const headers = answerHeaders(answered.warnings ?? {})
    return format === 'json' ? ok(fragments, headers) : tables.ofBytes(fragments, format, request, headers)
  }
  const supplied = indicator
    ? readSupplied(bodyParser, indicator, body)
    : readSuppliedExpression(bodyParser, expressions, body)
  return isRefusal(supplied) ? refused(supplied) : answerQuery(parts, call, supplied, format)
}

/** Answers a body that is a table. The query string has the question. */
async function answerTable(
  parts: Parts,
  call: SuppliedCall,
  indicator: Entry | undefined,
  bodyFormat: TableFormat,
): Promise<Reply> {
  const { request, account, body, charge } = call
  const fields = readQueryString(request.queryString)
  if (isRefusal(fields)) return refused(fields)
  const named = readNamedFormat(fields)
  if (isRefusal(named)) return refused(named)
  const maxCandles = Math.min(parts.tableCandles, account.requests * maxSuppliedCandles)
  const closesSuffice =
    indicator !== undefined && !fields.has('chart') && readsClosesOnly(indicator, fields.get('source'))
  const candles = { kind: 'candles', body, format: bodyFormat, maxCandles, closesSuffice } as const
  const markets = await readCandles(parts, call, candles)
  if (isRefusal(markets)) return refused(markets)
  const own = markets.get(ownMarket) as Snapshot
  const others = [...markets].filter(([name]) => name !== ownMarket)
  const query = indicator
    ? readQuery(indicator, fields, 'text', formatFields)
    : parts.expressions.readQuery(fields, 'text', formatFields, timeframeOf(own))
  if (isRefusal(query)) return refused(query)
  const inputs = joinSupplied(query, own, others, other => other)
  if (isRefusal(inputs)) return refused(inputs)
  const refusal = await refuseOver(query, inputs)
  if (refusal) return refused(refusal)
  const count = others.reduce((sum, [, other]) => sum + other.count, own.count)
  const requests = Math.ceil(count / maxSuppliedCandles)
  const overLimit = requests > 1 ? await charge(requests - 1) : undefined
  if (overLimit) return refused(overLimit)
  const reply = await answerQuery(parts, call, { query, inputs }, formatOf(named.format, request))
  return reply.status === 200 ? withHeaders(reply, { 'Settled-Candles': settledCandles(query) }) : reply
}

/** Reads the candles of each market of a table. A worker thread reads long tables. */
async function readCandles(
  { executor }: Parts,
  { request, account }: SuppliedCall,
  task: BodyTask & { readonly kind: 'candles' },
): Promise<ReadonlyMap<string, Snapshot> | Refusal> {
  if (!executor.isLong(task.body)) {
    const { readCandlesTable } = await import('../../compute/tables/read-candles.js')
    const read = await finishInSlices('requests', readCandlesTable(task))
    return isRefusal(read) ? read : new Map([...read].map(([name, columns]) => [name, closedOf(columns)]))
  }
  const read = await executor.run(task, { accountId: account.id, signal: request.signal })
  if (isRefusal(read)) return read
  const { markets = [], answer } = read
  return new Map(markets.map((name, k) => [name, closedOf(Columns.over((answer[k] as Uint8Array).buffer))]))
}

async function answerQuery(
  { executor, tables }: Parts,
  { request, account: { id: accountId } }: SuppliedCall,
  supplied: SuppliedQuery,
  format: 'json' | TableFormat,
): Promise<Reply> {
  if (format !== 'json') return tables.ofQuery(supplied, format, request, accountId)
  return replyTo(await executor.execute({ ...supplied, isKept: false }, { accountId }))
}

const tableBody =
  'As CSV or Apache Arrow, with more candles, they come with the other fields in the query string.'

const newestValues = {
  description: 'The newest values.',
  headers: ['Warning', 'Settled-Digits', 'Settled-Candles'],
  isTable: true,
}

export const suppliedExpressionRoute: KeyRoute<Parts> = post({
  path: '/expression',
  hasNoQuery: false,
  takesTables: true,
  answer: answerSupplied,
  describe: () => ({
    id: 'compute_expression',
    tag: 'Expressions',
    summary: 'An expression over supplied candles',
    description: `${expressionText} The smallest distance between two candles is their timeframe. ${tableBody} There a column \`with\` names the market of a row where it is another one.`,
    query: formatShape(),
    body: z.strictObject({
      candles: suppliedCandles(),
      with: z
        .record(z.string(), suppliedCandles())
        .optional()
        .meta({ description: withShape().with.description }),
      ...expressionShape(),
      ...windowShape(),
      ...settledShape(),
    }),
    replies: { 200: { ...newestValues, schema: 'expressionResult' } },
  }),
})

/** The OpenAPI document describes it once for each indicator. */
export const suppliedIndicatorRoute: KeyRoute<Parts> = post({
  path: '/indicator/{name}',
  hasNoQuery: false,
  takesTables: true,
  answer: answerSupplied,
  describe: () => ({
    id: 'post',
    tag: 'Catalogue',
    summary: 'An indicator over supplied candles',
    description: `On supplied candles. ${tableBody}`,
    query: formatShape(),
    body: z.strictObject({ candles: suppliedCandles(), ...windowShape(), ...settledShape() }),
    replies: { 200: newestValues },
  }),
})
