import type { Snapshot } from '../../candles/columns.js'
import { refuseShort } from '../../compute/answer.js'
import type { BulkSection } from '../../compute/bulk/bulk-layout.js'
import { withinRange } from '../../compute/range.js'
import { tableOfColumns } from '../../compute/tables/result-columns.js'
import { type CodedTable, numberColumn, type Part, textColumn } from '../../compute/tables/table.js'
import type { Query } from '../../contract/query.js'
import { isRefusal } from '../../contract/refusals.js'
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
  for (const { construct, item, query, candles } of itemsOf(sections)) {
    const error = typeof candles === 'string' ? candles : refuseShort(query, candles)?.error
    if (error === undefined) wanted.push({ construct, item, query, snapshot: candles as Snapshot })
    else if (isVerbose)
      failed.push({
        table: errorTable(isWide ? `${item}.error` : 'error', error),
        labels: labelsOf(construct, item, isWide),
      })
  }
  const columns = await tables.answers.compute(wanted, head, accountId)
  if (isRefusal(columns)) return refused(columns)
  const parts = wanted.map(({ construct, item, query: { indicator } }, k): Part => {
    const { outputs } = indicator
    const rename = (output: string) => (outputs.length === 1 ? item : `${item}.${output}`)
    return {
      table: tableOfColumns(indicator, columns[k] as Float64Array, isWide ? rename : undefined),
      labels: labelsOf(construct, item, isWide),
    }
  })
  const labelNames = isWide ? ['construct'] : ['construct', 'indicator']
  return tables.ofLayout({ parts: [...parts, ...failed], labelNames, isWide }, format, head, accountId)
}

function* itemsOf(sections: readonly BulkSection[]) {
  for (const { id, items, candles, bars } of sections)
    for (const [k, item] of items.entries()) {
      const shown = bars?.[k] ?? candles
      const query = typeof shown === 'string' ? item.query : withinRange(item.query, shown)
      yield { construct: id, item: item.id, query, candles: shown }
    }
}

const labelsOf = (construct: string, indicator: string, isWide: boolean): Part['labels'] =>
  isWide ? { construct } : { construct, indicator }

const errorTable = (name: string, error: string): CodedTable => ({
  rows: 1,
  columns: [numberColumn('time', 'time', [null]), textColumn(name, [error])],
})
