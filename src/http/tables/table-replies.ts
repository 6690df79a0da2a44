import type { Executor, Question } from '../../compute/executor.js'
import { candlesOf, type RangeQuestion } from '../../compute/ranges/range-answers.js'
import { singleTable, type TableLayout } from '../../compute/tables/table.js'
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

/** Head of the answered request. A tool of a language model has no connection to watch. */
export type TableHead = Pick<QueryHead, 'header'> & Partial<Caller>

export class TableReplies {
  readonly executor: Executor

  constructor({ executor }: { readonly executor: Executor }) {
    this.executor = executor
  }

  /** Answer to one query. */
  async ofQuery(question: Question, format: TableFormat, head: TableHead, accountId: string): Promise<Reply> {
    const answer = await this.executor.executeTable(question, format, callerOf(head, accountId))
    if (isRefusal(answer)) return refused(answer)
    return this.ofBytes(answer.body, format, head, answerHeaders(answer.warnings ?? {}))
  }

  /** Candles of a range of a history that is longer than the one in memory. */
  async ofRange(
    question: RangeQuestion,
    format: TableFormat,
    head: TableHead,
    accountId: string,
  ): Promise<Reply> {
    const found = await this.executor.ranges.columns(question, callerOf(head, accountId))
    if (isRefusal(found)) return refused(found)
    return this.ofLayout(singleTable(candlesTable(candlesOf(found), 0)), format, head, accountId)
  }

  async ofLayout(
    layout: TableLayout,
    format: TableFormat,
    head: TableHead,
    accountId: string,
    headers?: Reply['headers'],
  ): Promise<Reply> {
    const written = await this.executor.writeTable(layout, format, callerOf(head, accountId))
    return isRefusal(written) ? refused(written) : this.ofBytes(written, format, head, headers)
  }

  /** Reply with a table that is already written. */
  async ofBytes(
    written: BodyFragments,
    format: TableFormat,
    head: TableHead,
    headers?: Reply['headers'],
  ): Promise<Reply> {
    const { signal = new AbortController().signal } = head
    const { body, encoding } = await compressTable(written, head.header('accept-encoding'), signal)
    return ok(body, {
      ...headers,
      'Content-Type': mediaTypes[format],
      ...(encoding !== undefined && { 'Content-Encoding': encoding }),
      Vary: 'Accept, Accept-Encoding, Origin',
    })
  }
}

const callerOf = ({ signal }: TableHead, accountId: string) => ({ accountId, signal })
