import type { Snapshot } from '../../candles/columns.js'
import { factsOf, refuseShort } from '../../compute/answer.js'
import { barsInSlices } from '../../compute/bars-in-slices.js'
import { withinRange } from '../../compute/range.js'
import { candlesOf, type RangeQuestion } from '../../compute/ranges/range-answers.js'
import { tableOfColumns } from '../../compute/tables/result-columns.js'
import { singleTable, type TableLayout } from '../../compute/tables/table.js'
import { TableAnswers } from '../../compute/tables/table-answers.js'
import type { Query } from '../../contract/query.js'
import { isRefusal } from '../../contract/refusals.js'
import { mediaTypes, type TableFormat } from '../../contract/table-format.js'
import {
  answerHeaders,
  type BodyFragments,
  type Caller,
  ok,
  type QueryHead,
  type Reply,
  refused,
} from '../reply.js'
import { compressTable } from './compression.js'
import { candlesTable } from './endpoint-tables.js'

/** The request that is answered: a tool of a language model has no connection that could be watched. */
export type TableHead = Pick<QueryHead, 'header'> & Partial<Caller>

/** Replies that are tables. */
export class TableReplies {
  readonly answers: TableAnswers

  constructor(dependencies: ConstructorParameters<typeof TableAnswers>[0]) {
    this.answers = new TableAnswers(dependencies)
  }

  /** The answer to one query. */
  async ofQuery(
    asked: Query,
    candles: Snapshot,
    format: TableFormat,
    head: TableHead,
    accountId: string,
  ): Promise<Reply> {
    const snapshot = await barsInSlices(asked.chart, candles)
    const query = withinRange(asked, snapshot)
    const refusal = refuseShort(query, snapshot)
    if (refusal) return refused(refusal)
    const written = await this.answers.answer(query, snapshot, format, callerOf(head), accountId)
    return isRefusal(written)
      ? refused(written)
      : this.ofBytes(written, format, head, answerHeaders(factsOf(query, snapshot)))
  }

  /** The values of a time, or its candles, of a history that is longer than what is in memory. */
  async ofRange(
    question: RangeQuestion,
    format: TableFormat,
    head: TableHead,
    accountId: string,
  ): Promise<Reply> {
    const found = await this.answers.ranges.columns(question, callerOf(head), accountId)
    if (isRefusal(found)) return refused(found)
    const { query } = question
    const table = query ? tableOfColumns(query.indicator, found.columns) : candlesTable(candlesOf(found), 0)
    const settledDigits = query?.settled && found.settling?.digits
    return this.ofLayout(singleTable(table), format, head, accountId, answerHeaders({ settledDigits }))
  }

  /** The table of a layout. */
  async ofLayout(
    layout: TableLayout,
    format: TableFormat,
    head: TableHead,
    accountId: string,
    headers?: Reply['headers'],
  ): Promise<Reply> {
    const written = await this.answers.write(layout, format, callerOf(head), accountId)
    return isRefusal(written) ? refused(written) : this.ofBytes(written, format, head, headers)
  }

  /** A table that is written. */
  async ofBytes(
    written: BodyFragments,
    format: TableFormat,
    head: TableHead,
    headers?: Reply['headers'],
  ): Promise<Reply> {
    const { signal } = callerOf(head)
    const { body, encoding } = await compressTable(written, head.header('accept-encoding'), signal)
    return ok(body, {
      ...headers,
      'Content-Type': mediaTypes[format],
      ...(encoding !== undefined && { 'Content-Encoding': encoding }),
      Vary: 'Accept, Accept-Encoding, Origin',
    })
  }
}

const callerOf = ({ signal = new AbortController().signal }: TableHead): Caller => ({ signal })
