import type { ColumnName, Snapshot } from '../../candles/columns.js'
import { columnCount, type PlacedOutput } from '../../catalogue/define.js'
import type { Entry } from '../../catalogue/index.js'
import { outputValue } from '../../catalogue/output-values.js'
import type { ComputedResult } from '../answer.js'
import type { Calculator } from '../kernels/calculator.js'

/** A column of times in Unix seconds, numbers, or flags (1 or 0). A missing value is NaN. */
interface NumberColumn {
  readonly name: string
  readonly kind: 'time' | 'number' | 'flag'
  readonly values: Float64Array
  /** Value of one more row: that of the forming candle, which is not stored after the closed ones. */
  readonly last?: number | undefined
}

/** A column of a table, with one time, number, flag or text per row. */
export type TableColumn =
  | NumberColumn
  /** Text index per row; -1 for null. */
  | {
      readonly name: string
      readonly kind: 'text'
      readonly codes: Int32Array
      readonly texts: readonly string[]
    }

/** An answer as a table. Its columns have `rows` values each. */
export interface Table {
  readonly rows: number
  readonly columns: readonly TableColumn[]
}

/** Values of the rows [from, to). The caller must not write to them. */
export function valuesOf({ values, last }: NumberColumn, from: number, to: number): Float64Array {
  if (last === undefined || to <= values.length) return values.subarray(from, to)
  const copy = new Float64Array(to - from)
  copy.set(values.subarray(from))
  copy[to - from - 1] = last
  return copy
}

const allOf = (column: NumberColumn): Float64Array =>
  valuesOf(column, 0, column.values.length + (column.last === undefined ? 0 : 1))

export function textColumn(name: string, values: readonly (string | null)[]): TableColumn {
  const codes = new Int32Array(values.length)
  const codeOf = new Map<string, number>()
  for (const [row, text] of values.entries()) {
    let code = text === null ? -1 : codeOf.get(text)
    if (code === undefined) {
      code = codeOf.size
      codeOf.set(text as string, code)
    }
    codes[row] = code
  }
  return { name, kind: 'text', codes, texts: [...codeOf.keys()] }
}

/** Makes a column of numbers, flags or times. `null` is a missing value. */
export const numberColumn = (
  name: string,
  kind: 'time' | 'number' | 'flag',
  values: readonly (number | boolean | null)[],
): TableColumn => ({
  name,
  kind,
  values: Float64Array.from(values, value => (value === null ? Number.NaN : Number(value))),
})

/** A column of codes from a kernel, from which texts are made. */
type CodedColumn =
  /** One text per row, by its code. */
  | {
      readonly name: string
      readonly kind: 'label'
      readonly values: Float64Array
      readonly labels: Readonly<Record<number, string>>
    }
  /** The names that apply per row, as bits of several columns. */
  | {
      readonly name: string
      readonly kind: 'names'
      readonly masks: readonly Float64Array[]
      readonly names: readonly string[]
    }

/** A table whose codes are not decoded to texts yet. */
export interface CodedTable {
  readonly rows: number
  readonly columns: readonly (TableColumn | CodedColumn)[]
}

const decode = ({ rows, columns }: CodedTable): Table => ({ rows, columns: columns.map(decodeColumn) })

function decodeColumn(column: TableColumn | CodedColumn): TableColumn {
  if (column.kind === 'label') {
    const { name, values, labels } = column
    const texts = [...new Set(Object.values(labels))]
    const codes = new Int32Array(values.length)
    // Most rows have the text of their predecessor.
    let [value, code] = [Number.NaN, -1]
    for (let row = 0; row < values.length; row++) {
      const next = values[row] as number
      if (next !== value) {
        value = next
        code = texts.indexOf(labels[value] as string)
      }
      codes[row] = code
    }
    return { name, kind: 'text', codes, texts }
  }
  if (column.kind === 'names') {
    const { name, masks, names } = column
    const output = { name, kind: 'names', names, column: 0 } as const
    const textAt = (row: number) => outputValue(output, k => masks[k]?.[row] as number) as string
    return textColumn(
      name,
      Array.from(masks[0] as Float64Array, (_, row) => textAt(row)),
    )
  }
  return column
}

/** One of several tables, with label columns that have the same text in every row. */
export interface Part {
  readonly table: CodedTable
  readonly labels: Readonly<Record<string, string>>
}

interface DecodedPart extends Part {
  readonly table: Table
}

/** A column of a table assembled from parts. */
interface Stacked {
  readonly column: TableColumn
  /** Code per text, in a column of texts. */
  readonly codeOf: Map<string, number>
}

const emptyColumn = (name: string, kind: TableColumn['kind'], rows: number): Stacked => ({
  column:
    kind === 'text'
      ? { name, kind, codes: new Int32Array(rows).fill(-1), texts: [] }
      : { name, kind, values: new Float64Array(rows).fill(Number.NaN) },
  codeOf: new Map(),
})

/**
 * Stacks tables vertically. The times come first, then the labels, then all columns of any table. Columns with the same
 * name become one column. If their kinds differ, the kind is appended to the name of all but the first kind. The kind
 * is also appended to a name that equals that of the times or of a label.
 */
function stackTables(parts: readonly DecodedPart[], labelNames: readonly string[]): Table {
  const rows = parts.reduce((sum, { table }) => sum + table.rows, 0)
  const time = emptyColumn('time', 'time', rows)
  const labels = labelNames.map(name => emptyColumn(name, 'text', rows))
  const others = new Map<string, Map<TableColumn['kind'], Stacked>>()
  let first = 0
  for (const { table, labels: texts } of parts) {
    for (const [k, name] of labelNames.entries()) {
      const { column, codeOf } = labels[k] as Stacked
      const text = texts[name]
      if (column.kind === 'text' && text !== undefined)
        column.codes.fill(codeFor(codeOf, text), first, first + table.rows)
    }
    for (const column of table.columns) {
      if (column.kind === 'time') {
        copyColumn(column, time, first)
        continue
      }
      const { name, kind } = column
      const ofName = others.get(name) ?? new Map<TableColumn['kind'], Stacked>()
      others.set(name, ofName)
      const isFree = ofName.size === 0 && name !== 'time' && !labelNames.includes(name)
      const stacked = ofName.get(kind) ?? emptyColumn(isFree ? name : `${name}_${kind}`, kind, rows)
      ofName.set(kind, stacked)
      copyColumn(column, stacked, first)
    }
    first += table.rows
  }
  const all = [time, ...labels, ...[...others.values()].flatMap(ofName => [...ofName.values()])]
  return { rows, columns: all.map(finish) }
}

const finish = ({ column, codeOf }: Stacked): TableColumn =>
  column.kind === 'text' ? { ...column, texts: [...codeOf.keys()] } : column

function codeFor(codeOf: Map<string, number>, text: string): number {
  let code = codeOf.get(text)
  if (code === undefined) {
    code = codeOf.size
    codeOf.set(text, code)
  }
  return code
}

/** Copies the values of a column to another one: to the rows from `first` on, or to `rows`. */
function copyColumn(
  from: TableColumn,
  { column: to, codeOf }: Stacked,
  first: number,
  rows?: Int32Array,
): void {
  if (from.kind === 'text') {
    if (to.kind !== 'text') return
    const codes = from.texts.map(text => codeFor(codeOf, text))
    for (const [row, code] of from.codes.entries())
      if (code >= 0) to.codes[rows ? (rows[row] as number) : first + row] = codes[code] as number
  } else if (to.kind !== 'text') {
    const values = allOf(from)
    if (!rows) to.values.set(values, first)
    else for (const [row, value] of values.entries()) to.values[rows[row] as number] = value
  }
}

/** Joins tables horizontally by the times of their rows. Times ascend, and each time has one row. */
function joinByTime(tables: readonly Table[]): Table {
  const all = new Set<number>()
  for (const table of tables) for (const time of timesOf(table)) all.add(time)
  const times = Float64Array.from(all).sort()
  const rowOf = new Map<number, number>()
  for (const [row, time] of times.entries()) rowOf.set(time, row)
  const columns: TableColumn[] = [{ name: 'time', kind: 'time', values: times }]
  for (const table of tables) {
    const rows = Int32Array.from(timesOf(table), time => rowOf.get(time) as number)
    for (const column of table.columns) {
      if (column.kind === 'time') continue
      const stacked = emptyColumn(column.name, column.kind, times.length)
      copyColumn(column, stacked, 0, rows)
      columns.push(finish(stacked))
    }
  }
  return { rows: times.length, columns }
}

function timesOf({ columns }: Table): Float64Array {
  const time = columns.find(({ kind }) => kind === 'time')
  return time?.kind === 'time' ? allOf(time) : new Float64Array(0)
}

/** Instructions for assembling parts into one table. */
export interface TableLayout {
  readonly parts: readonly Part[]
  readonly labelNames: readonly string[]
  /** Whether parts with the same labels are joined horizontally by time instead of stacked. */
  readonly isWide?: boolean
}

export const singleTable = (table: CodedTable): TableLayout => ({
  parts: [{ table, labels: {} }],
  labelNames: [],
})

export const cellsOf = ({ parts, labelNames }: TableLayout): number =>
  parts.reduce((sum, { table }) => sum + table.rows * (table.columns.length + labelNames.length), 0)

export function assembleTable({ parts, labelNames, isWide = false }: TableLayout): Table {
  const decoded = parts.map(({ table, labels }): DecodedPart => ({ table: decode(table), labels }))
  const [first] = decoded
  if (first && decoded.length === 1 && labelNames.length === 0) return first.table
  return stackTables(isWide ? joinParts(decoded) : decoded, labelNames)
}

function joinParts(parts: readonly DecodedPart[]): readonly DecodedPart[] {
  const groups = new Map<string, DecodedPart[]>()
  for (const part of parts) {
    const key = JSON.stringify(part.labels)
    const group = groups.get(key)
    if (group) group.push(part)
    else groups.set(key, [part])
  }
  return [...groups.values()].map(group => ({
    table: joinByTime(group.map(({ table }) => table)),
    labels: (group[0] as DecodedPart).labels,
  }))
}

/** Buffers of a layout's columns, without the shared buffers of candles. */
export function memoryOf({ parts }: TableLayout): readonly ArrayBuffer[] {
  const buffers = new Set<ArrayBufferLike>()
  for (const { table } of parts)
    for (const column of table.columns) {
      if (column.kind === 'names') for (const mask of column.masks) buffers.add(mask.buffer)
      else buffers.add(column.kind === 'text' ? column.codes.buffer : column.values.buffer)
    }
  return [...buffers].filter(buffer => buffer instanceof ArrayBuffer)
}

/** Column of the candles from `from` on, without copying. */
export const candleColumn = (
  { columns, closed, forming, count }: Snapshot,
  from: number,
  field: ColumnName,
): TableColumn => ({
  name: field === 'timestamp' ? 'time' : field,
  kind: field === 'timestamp' ? 'time' : 'number',
  values: columns[field].subarray(from, closed),
  last: count > from ? forming?.[field] : undefined,
})

/**
 * Copies the times and the columns of a result out of the memory of the kernels, one after another:
 *
 *   ├─ times ─┼─ first column ─┼─ second column ─┼ …
 */
export function packColumns(calculator: Calculator, result: ComputedResult): Float64Array {
  const { query, snapshot, from, masked } = result
  const rows = snapshot.count - from
  const packed = new Float64Array(rows * (1 + query.indicator.columns))
  packed.set(snapshot.columns.timestamp.subarray(from, snapshot.closed))
  if (snapshot.forming && rows > 0) packed[rows - 1] = snapshot.forming.timestamp
  for (let k = 0; k < query.indicator.columns; k++) {
    const start = (1 + k) * rows
    packed.set(calculator.column(k, snapshot.count).subarray(from), start)
    packed.fill(Number.NaN, start, start + masked)
  }
  return packed
}

/** Names an output in a table. */
type Rename = (output: string) => string

/** Makes the table of packed columns: the times, and one column per output of the indicator, named by `rename`. */
export function tableOfColumns(indicator: Entry, packed: Float64Array, rename?: Rename): CodedTable {
  const rows = packed.length / (1 + indicator.columns)
  const column = (k: number) => packed.subarray(k * rows, (k + 1) * rows)
  const time: TableColumn = { name: 'time', kind: 'time', values: column(0) }
  return { rows, columns: [time, ...outputColumns(indicator, k => column(1 + k), rename)] }
}

/** Makes the table of a result without copying columns. Valid until the calculator is used again. */
export function tableOfResult(
  calculator: Calculator,
  { query, snapshot, from, masked }: ComputedResult,
): CodedTable {
  const column = (k: number) => {
    const values = calculator.column(k, snapshot.count).subarray(from)
    // An expression may be a column of the candles themselves.
    return masked === 0 ? values : values.slice().fill(Number.NaN, 0, masked)
  }
  const time = candleColumn(snapshot, from, 'timestamp')
  return { rows: snapshot.count - from, columns: [time, ...outputColumns(query.indicator, column)] }
}

export const outputColumns = (
  { outputs }: Entry,
  column: (k: number) => Float64Array,
  rename: Rename = output => output,
): CodedTable['columns'] => outputs.map(output => columnOf(output, rename(output.name), column))

function columnOf(
  output: PlacedOutput,
  name: string,
  column: (k: number) => Float64Array,
): CodedTable['columns'][number] {
  const values = column(output.column)
  switch (output.kind) {
    case 'number':
    case 'signal':
      return { name, kind: 'number', values }
    case 'flag':
      return { name, kind: 'flag', values }
    case 'label':
      return { name, kind: 'label', values, labels: output.labels }
    case 'names': {
      const masks = Array.from({ length: columnCount(output) }, (_, k) => column(output.column + k))
      return { name, kind: 'names', masks, names: output.names }
    }
  }
}
