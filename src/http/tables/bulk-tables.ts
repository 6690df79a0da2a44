import type { BulkSection } from '../../compute/bulk-layout.js'
import type { Question } from '../../compute/executor.js'
import {
  type CodedTable,
  numberColumn,
  type Part,
  tableOfColumns,
  textColumn,
} from '../../compute/tables/table.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import type { TableFormat } from '../../contract/table-format.js'
import { type Reply, refused } from '../reply.js'
import type { TableHead, TableReplies } from './table-replies.js'

interface TableOptions {
  readonly format: TableFormat
  readonly layout?: 'long' | 'wide' | undefined
}

/** Names of a result. */
interface Item {
  readonly construct: string
  readonly item: string
}

/**
 * Answer to a bulk request as one table. A missing result has no rows. With `isVerbose` it has one row without a time,
 * with the reason in the column `error`.
 */
export async function bulkReply(
  tables: TableReplies,
  sections: readonly BulkSection[],
  isVerbose: boolean,
  { format, layout = 'long' }: TableOptions,
  head: TableHead,
  accountId: string,
): Promise<Reply> {
  const isWide = layout === 'wide'
  const parts: Part[] = []
  const failed: Part[] = []
  const fail = ({ construct, item }: Item, error: string) => {
    const table = errorTable(isWide ? `${item}.error` : 'error', error)
    if (isVerbose) failed.push({ table, labels: labelsOf(construct, item, isWide) })
  }
  const wanted: (Item & Question)[] = []
  for (const item of itemsOf(sections))
    if (typeof item.snapshot === 'string') fail(item, item.snapshot)
    else wanted.push({ ...item, snapshot: item.snapshot })
  const caller = { accountId, signal: head.signal }
  const found = await tables.executor.executeColumns(wanted, caller)
  if (isRefusal(found)) return refused(found)
  for (const [k, each] of wanted.entries()) {
    const { construct, item, query } = each
    const values = found[k] as Float64Array | Refusal
    if (isRefusal(values)) {
      fail(each, values.error)
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

function* itemsOf(sections: readonly BulkSection[]) {
  for (const { id: construct, items, candles, shown } of sections)
    for (const [k, { id: item, query }] of items.entries())
      yield { construct, item, query, snapshot: shown?.[k] ?? candles }
}

const labelsOf = (construct: string, indicator: string, isWide: boolean): Part['labels'] =>
  isWide ? { construct } : { construct, indicator }

const errorTable = (name: string, error: string): CodedTable => ({
  rows: 1,
  columns: [numberColumn('time', 'time', [null]), textColumn(name, [error])],
})
