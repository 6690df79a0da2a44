import { z } from 'zod'
import { Columns, type Snapshot } from '../../candles/columns.js'
import { refuseShort, withinRange } from '../../compute/answer.js'
import { barsInSlices, type Executor } from '../../compute/executor.js'
import { type Expressions, timeframeOf } from '../../compute/expressions/expressions.js'
import type { BodyParser } from '../../compute/json/body-parser.js'
import {
  joinSupplied,
  ownMarket,
  readSupplied,
  readSuppliedExpression,
  type SuppliedQuery,
} from '../../compute/supplied.js'
import type { BodyTask } from '../../compute/task.js'
import type { Account } from '../../contract/account.js'
import type { Fields } from '../../contract/fields.js'
import { maxSuppliedCandles } from '../../contract/limits.js'
import { type Query, readQuery, settledShape, windowShape } from '../../contract/query.js'
import { readQueryString } from '../../contract/query-string.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import { expressionResult } from '../../contract/replies.js'
import { expressionShape, suppliedCandles, withShape } from '../../contract/requests.js'
import { settledCandles } from '../../contract/settled-candles.js'
import { formatShape, type TableFormat, tableFormatOf } from '../../contract/table-format.js'
import { finishInSlices } from '../../runtime/scheduler.js'
import {
  answerHeaders,
  BodyFragments,
  type Caller,
  ok,
  type QueryHead,
  type Reply,
  type RequestHead,
  refused,
} from '../reply.js'
import { type Charge, type KeyRoute, post } from '../route.js'
import { formatOf, readAnswerOptions, readNamedFormat } from '../tables/answer-format.js'
import type { TableReplies } from '../tables/table-replies.js'
import { expressionText, findIndicator } from './indicator.js'

interface Dependencies {
  readonly executor: Executor
  readonly bodyParser: BodyParser
  readonly expressions: Expressions
  readonly tables: TableReplies
  /** Maximum number of candles in a body that is a table. */
  readonly tableCandles: number
}

/** A request with a body. */
export interface SuppliedRequest extends QueryHead, Caller, Pick<RequestHead, 'contentType'> {}

/** A question about the candles in a body. */
interface Target {
  /** Path that the refusal of a query string names. */
  readonly path: string
  readonly task: BodyTask & { readonly kind: 'indicator' | 'expression' }
  /** Reads a JSON body. */
  readonly read: () => SuppliedQuery | Refusal
  /** Reads the query of a body that is a table, from the fields of the query string. */
  readonly readQuery: (fields: Fields, snapshot: Snapshot) => Query | Refusal
}

const formatFields = ['format']

/** Snapshot of columns that are completely filled with closed candles. */
const closedOf = (columns: Columns): Snapshot => {
  const { capacity: count } = columns
  return { columns, closed: count, forming: undefined, count }
}

/** Refusal of a query that needs more candles than there are. */
async function refuseOver(query: Query, candles: Snapshot): Promise<Refusal | undefined> {
  const bars = await barsInSlices(query.chart, candles)
  return refuseShort(withinRange(query, bars), bars)
}

/** Answers one indicator or expression over candles of the caller. */
export class SuppliedEndpoints {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** `POST /indicator/<name>` */
  async post(
    request: SuppliedRequest,
    account: Account,
    name: string,
    body: Uint8Array,
    charge: Charge,
  ): Promise<Reply> {
    const indicator = findIndicator(name)
    if (isRefusal(indicator)) return refused(indicator)
    const { bodyParser } = this.#dependencies
    const target: Target = {
      path: '/indicator/{name}',
      task: { kind: 'indicator', body, indicator: indicator.name },
      read: () => readSupplied(bodyParser, indicator, body),
      readQuery: fields => readQuery(indicator, fields, 'text', formatFields),
    }
    return this.#answer(target, request, account, charge)
  }

  /** `POST /expression` */
  async postExpression(
    request: SuppliedRequest,
    account: Account,
    body: Uint8Array,
    charge: Charge,
  ): Promise<Reply> {
    const { bodyParser, expressions } = this.#dependencies
    const target: Target = {
      path: '/expression',
      task: { kind: 'expression', body },
      read: () => readSuppliedExpression(bodyParser, expressions, body),
      readQuery: (fields, snapshot) =>
        expressions.readQuery(fields, 'text', formatFields, timeframeOf(snapshot)),
    }
    return this.#answer(target, request, account, charge)
  }

  /** Answers a JSON body, or a table. A worker thread reads long bodies and runs long computations. */
  async #answer(target: Target, request: SuppliedRequest, account: Account, charge: Charge): Promise<Reply> {
    const bodyFormat = tableFormatOf(request.contentType)
    if (bodyFormat !== undefined) return this.#answerTable(target, bodyFormat, request, account, charge)
    const { path, task, read } = target
    const { executor, tables } = this.#dependencies
    const asked = readAnswerOptions(request, formatShape, path)
    if (isRefusal(asked)) return refused(asked)
    const { format } = asked
    if (executor.isLong(task.body)) {
      const asTable = format === 'json' ? task : { ...task, format }
      const answered = await executor.run(asTable, { accountId: account.id, signal: request.signal })
      if (isRefusal(answered)) return refused(answered)
      const body = new BodyFragments(answered.answer)
      const headers = answerHeaders(answered.warnings ?? {})
      return format === 'json' ? ok(body, headers) : tables.ofBytes(body, format, request, headers)
    }
    const supplied = read()
    if (isRefusal(supplied)) return refused(supplied)
    return this.#answerQuery(supplied, format, request, account.id)
  }

  /** Answers a body that is a table. The query string has the question. */
  async #answerTable(
    { task, readQuery }: Target,
    bodyFormat: TableFormat,
    request: SuppliedRequest,
    account: Account,
    charge: Charge,
  ): Promise<Reply> {
    const { tableCandles } = this.#dependencies
    const fields = readQueryString(request.queryString)
    if (isRefusal(fields)) return refused(fields)
    const named = readNamedFormat(fields)
    if (isRefusal(named)) return refused(named)
    const maxCandles = Math.min(tableCandles, account.requests * maxSuppliedCandles)
    const candles = { kind: 'candles', body: task.body, format: bodyFormat, maxCandles } as const
    const markets = await this.#readCandles(candles, request, account.id)
    if (isRefusal(markets)) return refused(markets)
    const own = markets.get(ownMarket) as Snapshot
    const others = [...markets].filter(([name]) => name !== ownMarket)
    const query = readQuery(fields, own)
    if (isRefusal(query)) return refused(query)
    const snapshot = joinSupplied(query, own, others, other => other)
    if (isRefusal(snapshot)) return refused(snapshot)
    const refusal = await refuseOver(query, snapshot)
    if (refusal) return refused(refusal)
    const count = others.reduce((sum, [, other]) => sum + other.count, own.count)
    const requests = Math.ceil(count / maxSuppliedCandles)
    const overLimit = requests > 1 ? await charge(requests - 1) : undefined
    if (overLimit) return refused(overLimit)
    const format = formatOf(named.format, request)
    const reply = await this.#answerQuery({ query, snapshot }, format, request, account.id)
    return reply.status === 200
      ? { ...reply, headers: { ...reply.headers, 'Settled-Candles': settledCandles(query) } }
      : reply
  }

  /** Reads the candles of each market of a table. A worker thread reads long tables. */
  async #readCandles(
    task: BodyTask & { readonly kind: 'candles' },
    caller: Caller,
    accountId: string,
  ): Promise<ReadonlyMap<string, Snapshot> | Refusal> {
    const { executor } = this.#dependencies
    if (!executor.isLong(task.body)) {
      const { readCandlesTable } = await import('../../compute/tables/read-candles.js')
      const read = await finishInSlices('requests', readCandlesTable(task))
      return isRefusal(read) ? read : new Map([...read].map(([name, columns]) => [name, closedOf(columns)]))
    }
    const read = await executor.run(task, { accountId, signal: caller.signal })
    if (isRefusal(read)) return read
    const { markets = [], answer } = read
    const columns = answer.map(({ buffer }) => Columns.over(buffer))
    return new Map(markets.map((name, k) => [name, closedOf(columns[k] as Columns)]))
  }

  async #answerQuery(
    { query, snapshot }: SuppliedQuery,
    format: 'json' | TableFormat,
    request: SuppliedRequest,
    accountId: string,
  ): Promise<Reply> {
    const { executor, tables } = this.#dependencies
    if (format !== 'json') return tables.ofQuery(query, snapshot, format, request, accountId)
    const answered = await executor.execute({ query, snapshot, isKept: false }, { accountId })
    return isRefusal(answered) ? refused(answered) : ok(answered.body, answerHeaders(answered.warnings))
  }
}

const tableBody =
  'As CSV or Apache Arrow, with more candles, they come with the other fields in the query string.'

const newestValues = {
  description: 'The newest values.',
  headers: ['Warning', 'Settled-Digits', 'Settled-Candles'],
  isTable: true,
}

export const suppliedExpressionRoute: KeyRoute<{ readonly supplied: SuppliedEndpoints }> = post({
  path: '/expression',
  hasNoQuery: false,
  takesTables: true,
  answer: ({ supplied }, { request, account, body, charge }) =>
    supplied.postExpression(request, account, body, charge),
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
    replies: { 200: { ...newestValues, schema: expressionResult() } },
  }),
})

/** The OpenAPI document describes it once for each indicator. */
export const suppliedIndicatorRoute: KeyRoute<{ readonly supplied: SuppliedEndpoints }> = post({
  path: '/indicator/{name}',
  hasNoQuery: false,
  takesTables: true,
  answer: ({ supplied }, { request, account, segment, body, charge }) =>
    supplied.post(request, account, segment, body, charge),
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
