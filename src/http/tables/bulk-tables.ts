import type { Snapshot } from '../../candles/columns.js'
import { refuseShort } from '../../compute/answer.js'
import type { BulkSection } from '../../compute/bulk/bulk-layout.js'
import { withinRange } from '../../compute/range.js'
import { isDeep, questionsOf } from '../../compute/ranges/range-answers.js'
import { tableOfColumns } from '../../compute/tables/result-columns.js'
import { type CodedTable, numberColumn, type Part, textColumn } from '../../compute/tables/table.js'
import type { Query } from '../../contract/query.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import type { TableFormat } from '../../contract/table-format.js'
import { type Reply, refused } from '../reply.js'
import type { TableHead, TableReplies } from './table-replies.js'

interface TableOptions {
  readonly format: TableFormat
  readonly layout?: 'long' | 'wide' | undefined
}

/** A result that is computed. */
interface Wanted {
  readonly construct: string
  readonly item: string
  readonly query: Query
  readonly snapshot: Snapshot
}

/**
 * The answer to a bulk request as one table. A result that there is none of has no rows; with `isVerbose` it has one, without
 * a time, with the reason in the column `error`.
 */
export async function bulkReply(
  tables: TableReplies,
  sections: readonly BulkSection[],
  isVerbose: boolean,
  { format, layout = 'long' }: TableOptions,
  head: TableHead & Parameters<TableReplies['answers']['compute']>[1],
  accountId: string,
): Promise<Reply> {
  const isWide = layout === 'wide'
  const wanted: Wanted[] = []
  const failed: Part[] = []
  const fail = (construct: string, item: string, error: string) => {
    const table = errorTable(isWide ? `${item}.error` : 'error', error)
    if (isVerbose) failed.push({ table, labels: labelsOf(construct, item, isWide) })
  }
  for (const { construct, item, query, candles } of itemsOf(sections)) {
    const isRanged = typeof candles !== 'string' && query.range !== undefined && isDeep(candles)
    const error =
      typeof candles === 'string' ? candles : isRanged ? undefined : refuseShort(query, candles)?.error
    if (error === undefined) wanted.push({ construct, item, query, snapshot: candles as Snapshot })
    else fail(construct, item, error)
  }
  const found = await ranged(tables, wanted, head, accountId)
  const others = wanted.filter(each => !found.has(each))
  const columns = await tables.answers.compute(others, head, accountId)
  if (isRefusal(columns)) return refused(columns)
  for (const [k, each] of others.entries()) found.set(each, columns[k] as Float64Array)
  const parts: Part[] = []
  for (const each of wanted) {
    const { construct, item, query } = each
    const values = found.get(each) as Float64Array | Refusal
    if (isRefusal(values)) {
      fail(construct, item, values.error)
      continue
    }
    const { outputs } = query.indicator
    const rename = (output: string) => (outputs.length === 1 ? item : `${item}.${output}`)
    parts.push({
      table: tableOfColumns(query.indicator, values, isWide ? rename : undefined),
      labels: labelsOf(construct, item, isWide),
    })
  }
  const labelNames = isWide ? ['construct'] : ['construct', 'indicator']
  return tables.ofLayout({ parts: [...parts, ...failed], labelNames, isWide }, format, head, accountId)
}

/** The columns of the results that are about times of histories which are longer than what is in memory, or why there are none. */
async function ranged(
  { answers: { ranges } }: TableReplies,
  wanted: readonly Wanted[],
  head: Parameters<TableReplies['answers']['compute']>[1],
  accountId: string,
): Promise<Map<Wanted, Float64Array | Refusal>> {
  const found = new Map<Wanted, Float64Array | Refusal>()
  await ranges.all(
    questionsOf(wanted),
    async (each, question) => {
      const answered = await ranges.columns(question, head, accountId)
      found.set(each, isRefusal(answered) ? answered : answered.columns)
    },
    (each, refusal) => found.set(each, refusal),
  )
  return found
}

function* itemsOf(sections: readonly BulkSection[]) {
  for (const { id, items, candles: all, shown } of sections)
    for (const [k, item] of items.entries()) {
      const candles = shown?.[k] ?? all
      const query = typeof candles === 'string' ? item.query : withinRange(item.query, candles)
      yield { construct: id, item: item.id, query, candles }
    }
}

const labelsOf = (construct: string, indicator: string, isWide: boolean): Part['labels'] =>
  isWide ? { construct } : { construct, indicator }

const errorTable = (name: string, error: string): CodedTable => ({
  rows: 1,
  columns: [numberColumn('time', 'time', [null]), textColumn(name, [error])],
})
