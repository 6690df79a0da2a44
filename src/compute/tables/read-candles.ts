import { type ColumnName, Columns, columnNames } from '../../candles/columns.js'
import { isNumber, parseTime } from '../../candles/csv/cell.js'
import { detectDelimiter } from '../../candles/csv/decoder.js'
import { detectLayout, type Layout } from '../../candles/csv/layout.js'
import { CsvError, parseAll } from '../../candles/csv/library.js'
import { isRefusal, noCandles, type Refusal } from '../../contract/refusals.js'
import { refuseCandles } from '../../contract/supplied-candles.js'
import { malformedTable, tableWithoutColumns, tooManyTableCandles } from '../../contract/table-refusals.js'
import type { BodyTask } from '../workers/worker-task.js'
import { type ReadTable, readArrow } from './arrow.js'

/**
 * Reads the candles of a body that is a table, in any order of columns and with their usual names, oldest first. The columns
 * have room for these candles alone. The first fault is the refusal.
 */
export function readCandlesTable({
  body,
  format,
  maxCandles,
}: BodyTask & { readonly kind: 'candles' }): Columns | Refusal {
  // The memory of a body is shared, which not all readers of text take.
  const table = format === 'arrow' ? tryRead(() => arrowTable(body.slice())) : csvTable(body)
  if (isRefusal(table)) return table
  const { rows, layout, read } = table
  if (rows === 0) return noCandles()
  if (rows > maxCandles) return tooManyTableCandles(maxCandles, rows)
  const columns = new Columns(rows)
  for (const name of columnNames) {
    const values = columns[name]
    const at = layout[name]
    if (at === undefined) continue
    for (let row = 0; row < rows; row++) values[row] = read(name, row)
  }
  return refuseCandles(columns, rows) ?? columns
}

/** A table whose columns are found. */
interface FoundTable {
  readonly rows: number
  readonly layout: Layout
  /** The value of a column; NaN where it is no number. */
  readonly read: (name: ColumnName, row: number) => number
}

function tryRead(read: () => FoundTable | Refusal): FoundTable | Refusal {
  try {
    return read()
  } catch {
    return malformedTable('a stream of Apache Arrow with buffers that are not compressed')
  }
}

function arrowTable(bytes: Uint8Array): FoundTable | Refusal {
  const { rows, columns }: ReadTable = readArrow(bytes)
  const found = detectLayout(
    columns.map(({ name }) => name),
    {},
  )
  if (typeof found === 'string') return tableWithoutColumns(found)
  const { layout } = found
  const read = (name: ColumnName, row: number): number => {
    const column = columns[layout[name] as number]
    const value = column?.at(row)
    if (name !== 'timestamp') return typeof value === 'number' ? value : Number.NaN
    if (column?.isTime && typeof value === 'number') return value / 1000
    return timeOf(typeof value === 'number' ? String(value) : value)
  }
  return { rows, layout, read }
}

function csvTable(body: Uint8Array): FoundTable | Refusal {
  const text = Buffer.from(body.slice()).toString()
  let records: readonly (readonly string[])[]
  try {
    records = parseAll(text, {
      bom: true,
      delimiter: detectDelimiter(text.slice(0, 4096)),
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return malformedTable('CSV')
  }
  const [first] = records
  if (!first) return noCandles()
  const found = detectLayout(first, {})
  if (typeof found === 'string') return tableWithoutColumns(found)
  const { layout } = found
  const start = layout.hasHeader ? 1 : 0
  const read = (name: ColumnName, row: number): number => {
    const record = records[start + row] as readonly string[]
    const cell = record[layout[name] as number] ?? ''
    if (name !== 'timestamp') return isNumber(cell) ? Number(cell) : Number.NaN
    const timeOfDay = layout.timeOfDay === undefined ? '' : (record[layout.timeOfDay] ?? '')
    return timeOf(cell, { timeOfDay, isDate: layout.isDate })
  }
  return { rows: records.length - start, layout, read }
}

const timeOf = (value: unknown, options?: Parameters<typeof parseTime>[1]): number =>
  typeof value === 'string' ? (parseTime(value.trim(), options) ?? Number.NaN) : Number.NaN
