import type { BulkSection } from '../../compute/bulk-layout.js'
import type { Caller, Executor, Question } from '../../compute/executor.js'
import {
  type CodedTable,
  numberColumn,
  type Part,
  type TableLayout,
  tableOfColumns,
  textColumn,
} from '../../compute/tables/table.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'

interface Options {
  readonly verbose: boolean
  readonly isWide: boolean
}

/** Names of a result. */
interface Item {
  readonly construct: string
  readonly item: string
}

/**
 * Table with the results of a bulk request. A missing result has no rows. A verbose answer has one row without a time
 * for it, with the reason in the column `error`. Returns a refusal if the queue is full.
 */
export async function layoutBulkTable(
  executor: Executor,
  sections: readonly BulkSection[],
  { verbose, isWide }: Options,
  caller: Caller,
): Promise<TableLayout | Refusal> {
  const parts: Part[] = []
  const failed: Part[] = []
  const fail = ({ construct, item }: Item, error: string) => {
    const table = errorTable(isWide ? `${item}.error` : 'error', error)
    if (verbose) failed.push({ table, labels: labelsOf(construct, item, isWide) })
  }
  const wanted: (Item & Question)[] = []
  for (const item of itemsOf(sections))
    if (typeof item.inputs === 'string') fail(item, item.inputs)
    else wanted.push({ ...item, inputs: item.inputs })
  const found = await executor.executeColumns(wanted, caller)
  if (isRefusal(found)) return found
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
  return { parts: [...parts, ...failed], labelNames, isWide }
}

function* itemsOf(sections: readonly BulkSection[]) {
  for (const { id: construct, items, candles, shown } of sections)
    for (const [k, { id: item, query }] of items.entries())
      yield { construct, item, query, inputs: shown?.[k] ?? candles }
}

const labelsOf = (construct: string, indicator: string, isWide: boolean): Part['labels'] =>
  isWide ? { construct } : { construct, indicator }

const errorTable = (name: string, error: string): CodedTable => ({
  rows: 1,
  columns: [numberColumn('time', 'time', [null]), textColumn(name, [error])],
})
