import { formatNames } from '../json/output-format.js'

/** Times in Unix seconds, numbers, or flags, which are 1 or 0; NaN where there is no value. */
interface NumberColumn {
  readonly name: string
  readonly kind: 'time' | 'number' | 'flag'
  readonly values: Float64Array
  /** The value of one row more: that of the forming candle, which does not stand behind the closed ones. */
  readonly last?: number | undefined
}

/** Values of a table by row: a time, a number, a flag, or one of several texts. */
export type TableColumn =
  | NumberColumn
  /** For each row the index of its text; -1 where there is no value. */
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

/** The values of the rows [from, to), which must not be written. */
export function valuesOf({ values, last }: NumberColumn, from: number, to: number): Float64Array {
  if (last === undefined || to <= values.length) return values.subarray(from, to)
  const copy = new Float64Array(to - from)
  copy.set(values.subarray(from))
  copy[to - from - 1] = last
  return copy
}

const allOf = (column: NumberColumn): Float64Array =>
  valuesOf(column, 0, column.values.length + (column.last === undefined ? 0 : 1))

/** A column of texts. */
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

/** A column of numbers, flags or times; `null` where there is no value. */
export const numberColumn = (
  name: string,
  kind: 'time' | 'number' | 'flag',
  values: readonly (number | boolean | null)[],
): TableColumn => ({
  name,
  kind,
  values: Float64Array.from(values, value => (value === null ? Number.NaN : Number(value))),
})

/** Values of a table as a kernel gives them, of which texts are made. */
type CodedColumn =
  /** One of several texts, by its code. */
  | {
      readonly name: string
      readonly kind: 'label'
      readonly values: Float64Array
      readonly labels: Readonly<Record<number, string>>
    }
  /** The names that apply, as bits of several columns. */
  | {
      readonly name: string
      readonly kind: 'names'
      readonly masks: readonly Float64Array[]
      readonly names: readonly string[]
    }

/** A table whose texts are not made yet. */
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
    // Most rows have the text of the row before.
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
    const textAt = (row: number) => JSON.parse(formatNames(output, k => masks[k]?.[row] as number))
    return textColumn(
      name,
      Array.from(masks[0] as Float64Array, (_, row) => textAt(row)),
    )
  }
  return column
}

/** A table among others, with the same text in every row of further columns. */
export interface Part {
  readonly table: CodedTable
  readonly labels: Readonly<Record<string, string>>
}

interface DecodedPart extends Part {
  readonly table: Table
}

/** A column of a table that is put together from parts. */
interface Stacked {
  readonly column: TableColumn
  /** Of texts, the code of each. */
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
 * Puts tables below one another. The times come first, then the labels, then all columns that any of the tables has. Columns
 * of one name are one column; where they are of several kinds, the name of each kind but the first ends with its kind, and so
 * does one that is that of the times or of a label.
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

/** Copies the values of a column to rows of another one: to those from `first` on, or to the rows given. */
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

/** Columns beside one another, each table by the times of its rows. Times ascend, and each is in one row. */
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

/** How parts become one table. */
export interface TableLayout {
  readonly parts: readonly Part[]
  /** The columns of labels. */
  readonly labelNames: readonly string[]
  /** Whether parts with the same labels stand beside one another, by time, and not below. */
  readonly isWide?: boolean
}

/** The layout of one table. */
export const singleTable = (table: CodedTable): TableLayout => ({
  parts: [{ table, labels: {} }],
  labelNames: [],
})

/** The cells of a layout, about. */
export const cellsOf = ({ parts, labelNames }: TableLayout): number =>
  parts.reduce((sum, { table }) => sum + table.rows * (table.columns.length + labelNames.length), 0)

/** The table of a layout. */
export function assembleTable({ parts, labelNames, isWide = false }: TableLayout): Table {
  const decoded = parts.map(({ table, labels }): DecodedPart => ({ table: decode(table), labels }))
  const [first] = decoded
  if (first && decoded.length === 1 && labelNames.length === 0) return first.table
  return stackTables(isWide ? joinParts(decoded) : decoded, labelNames)
}

/** Joins the parts that have the same labels. */
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

/** The memory of the columns of a layout, without that of candles, which is shared. */
export function memoryOf({ parts }: TableLayout): readonly ArrayBuffer[] {
  const buffers = new Set<ArrayBufferLike>()
  for (const { table } of parts)
    for (const column of table.columns) {
      if (column.kind === 'names') for (const mask of column.masks) buffers.add(mask.buffer)
      else buffers.add(column.kind === 'text' ? column.codes.buffer : column.values.buffer)
    }
  return [...buffers].filter(buffer => buffer instanceof ArrayBuffer)
}
