import { type ColumnName, Columns, columnNames } from '../../candles/columns.js'
import { parseNumber } from '../../candles/csv/cell.js'
import { detectDelimiter } from '../../candles/csv/decoder.js'
import { detectLayout, type Layout, sampleSize } from '../../candles/csv/layout.js'
import { CsvError, parseAll } from '../../candles/csv/library.js'
import { timeOfRecord } from '../../candles/csv/row.js'
import { parseTime } from '../../candles/csv/time.js'
import { inExpression } from '../../contract/expression-refusals.js'
import { isRefusal, noCandles, type Refusal } from '../../contract/refusals.js'
import { refuseCandles } from '../../contract/supplied-candles.js'
import { malformedTable, tableWithoutColumns, tooManyTableCandles } from '../../contract/table-refusals.js'
import { ownMarket } from '../supplied.js'
import type { BodyTask } from '../workers/worker-task.js'
import { type ReadTable, readArrow } from './arrow.js'

/**
 * Reads the candles of a body that is a table, in any order of columns and with their usual names, oldest first: of each market
 * that its column `with` names, and of `ownMarket`. The columns have room for these candles alone. The first fault is the refusal.
 */
export function readCandlesTable({
  body,
  format,
  maxCandles,
}: BodyTask & { readonly kind: 'candles' }): ReadonlyMap<string, Columns> | Refusal {
  // The memory of a body is shared, which not all readers of text take.
  const table = format === 'arrow' ? tryRead(() => arrowTable(body.slice())) : csvTable(body)
  if (isRefusal(table)) return table
  const { rows } = table
  if (rows > maxCandles) return tooManyTableCandles(maxCandles, rows)
  const rowsByMarket = rowsOf(table)
  if (rows === 0 || !rowsByMarket.has(ownMarket)) return noCandles()
  const found = new Map<string, Columns>()
  for (const [market, own] of rowsByMarket) {
    const count = own?.length ?? rows
    const columns = columnsOf(table, count, own)
    const refusal = refuseCandles(columns, count)
    if (refusal) return market === ownMarket ? refusal : inExpression(`with.${market}`, refusal)
    found.set(market, columns)
  }
  return found
}

/** Which rows each market has; undefined where these are all. */
function rowsOf({ rows, market }: FoundTable): ReadonlyMap<string, readonly number[] | undefined> {
  if (!market) return new Map([[ownMarket, undefined]])
  const found = new Map<string, number[]>()
  for (let row = 0; row < rows; row++) {
    const name = market(row)
    const own = found.get(name)
    if (own) own.push(row)
    else found.set(name, [row])
  }
  return found
}

function columnsOf(
  { layout, read }: FoundTable,
  count: number,
  rows: readonly number[] | undefined,
): Columns {
  const columns = new Columns(count)
  for (const name of columnNames) {
    const values = columns[name]
    if (layout[name] === undefined) continue
    for (let i = 0; i < count; i++) values[i] = read(name, rows ? (rows[i] as number) : i)
  }
  return columns
}

/** A table whose columns are found. */
interface FoundTable {
  readonly rows: number
  readonly layout: Layout
  /** The value of a column; NaN where it is no number. */
  readonly read: (name: ColumnName, row: number) => number
  /** The market of a row; undefined where all are of one. */
  readonly market: ((row: number) => string) | undefined
}

const otherMarketAt = (names: readonly string[]) => names.findIndex(name => name.toLowerCase() === 'with')

function tryRead(read: () => FoundTable | Refusal): FoundTable | Refusal {
  try {
    return read()
  } catch {
    return malformedTable('a stream of Apache Arrow with buffers that are not compressed')
  }
}

function arrowTable(bytes: Uint8Array): FoundTable | Refusal {
  const { rows, columns }: ReadTable = readArrow(bytes)
  const names = columns.map(({ name }) => name)
  const found = detectLayout(names, {})
  if ('reason' in found) return tableWithoutColumns(found.reason)
  const { layout } = found
  const read = (name: ColumnName, row: number): number => {
    const column = columns[layout[name] as number]
    const value = column?.at(row)
    if (name !== 'timestamp') return typeof value === 'number' ? value : Number.NaN
    if (column?.isTime && typeof value === 'number') return value / 1000
    return timeOf(typeof value === 'number' ? String(value) : value)
  }
  const others = columns[otherMarketAt(names)]
  const market = others && ((row: number) => String(others.at(row) ?? ownMarket))
  return { rows, layout, read, market }
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
  const found = detectLayout(first, {}, records.slice(1, sampleSize))
  if ('reason' in found) return tableWithoutColumns(found.reason)
  const { layout } = found
  const start = layout.hasHeader ? 1 : 0
  const read = (name: ColumnName, row: number): number => {
    const record = records[start + row] as readonly string[]
    if (name === 'timestamp') return timeOfRecord(record, layout) ?? Number.NaN
    return parseNumber(record[layout[name] as number] ?? '', layout.decimalMark)
  }
  const at = otherMarketAt(first)
  const market = at < 0 ? undefined : (row: number) => records[start + row]?.[at] ?? ownMarket
  return { rows: records.length - start, layout, read, market }
}

const timeOf = (value: unknown): number =>
  typeof value === 'string' ? (parseTime(value.trim()) ?? Number.NaN) : Number.NaN
