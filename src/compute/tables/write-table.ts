import { createTimeFormat } from '../../candles/format-time.js'
import type { TableFormat } from '../../contract/table-format.js'
import type { BufferPool } from '../../runtime/buffer-pool.js'
import { formatNumber, type NumberWriter } from '../json/number-writer.js'
import { BufferSink, sinkBufferBytes } from '../json/sink.js'
import { writeArrow } from './arrow.js'
import { assembleTable, type Table, type TableColumn, type TableLayout, valuesOf } from './table.js'

/** Approximate bytes of a cell as text. */
const cellBytes = 24

/**
 * Writes the table of a layout in a format. Returns pieces in buffers of `pool` if it has any free; they must be
 * released.
 */
export function writeTable(
  layout: TableLayout,
  format: TableFormat,
  writer: NumberWriter,
  pool: BufferPool,
): readonly Uint8Array[] {
  const table = assembleTable(layout)
  if (format === 'arrow') return writeArrow(table, pool)
  const bytes = (1 + table.rows) * table.columns.length * cellBytes
  const sink = new BufferSink(writer, pool, Math.min(bytes, sinkBufferBytes))
  for (const lines of writeText(table, format, writer)) sink.add(lines)
  return sink.take()
}

/** The formats of tables that are text. */
type TextFormat = 'csv' | 'ndjson'

/** Rows per step: as many numbers as one call into WASM writes. */
const rowsPerPiece = 512

/** Notation of values in a text format. */
interface Notation {
  readonly absent: string
  quote(text: string): string
  time(text: string): string
  /** Formats a line of cells. */
  line(names: readonly string[], cells: readonly string[]): string
}

const csv: Notation = {
  absent: '',
  // RFC 4180, sections 2.5 to 2.7.
  quote: text => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text),
  time: text => text,
  line: (_, cells) => `${cells.join(',')}\n`,
}

const ndjson: Notation = {
  absent: 'null',
  quote: JSON.stringify,
  time: text => `"${text}"`,
  line(names, cells) {
    let line = '{'
    for (let k = 0; k < cells.length; k++) line += `${names[k]}${cells[k]}`
    return `${line}}\n`
  },
}

/**
 * Writes a table as text, in pieces. Numbers have the same text as in JSON answers. CSV begins with a line of names,
 * and has empty cells for missing values; NDJSON has one object per row. Times are in UTC, in ISO 8601.
 */
function* writeText(table: Table, format: TextFormat, writer: NumberWriter): Generator<string> {
  const { rows, columns } = table
  const notation = format === 'csv' ? csv : ndjson
  if (format === 'csv')
    yield csv.line(
      [],
      columns.map(({ name }) => csv.quote(name)),
    )
  const names = columns.map(({ name }, k) => `${k === 0 ? '' : ','}${JSON.stringify(name)}:`)
  const readers = columns.map(column => cellsOf(column, notation, writer))
  for (let from = 0; from < rows; from += rowsPerPiece) {
    const to = Math.min(rows, from + rowsPerPiece)
    const cells = readers.map(read => read(from, to))
    let text = ''
    for (let row = 0; row < to - from; row++)
      text += notation.line(
        names,
        cells.map(column => column[row] as string),
      )
    yield text
  }
}

/** Makes a function that returns the cells [from, to) of a column. */
function cellsOf(
  column: TableColumn,
  { absent, quote, time }: Notation,
  writer: NumberWriter,
): (from: number, to: number) => readonly string[] {
  if (column.kind === 'text') {
    const texts = column.texts.map(quote)
    return (from, to) => Array.from(column.codes.subarray(from, to), code => texts[code] ?? absent)
  }
  const { kind } = column
  if (kind === 'flag') {
    const text = (value: number) => (Number.isNaN(value) ? absent : value === 0 ? 'false' : 'true')
    return (from, to) => Array.from(valuesOf(column, from, to), text)
  }
  if (kind === 'time') {
    const isoTime = createTimeFormat('T', 'Z')
    const text = (value: number) => (Number.isNaN(value) ? absent : time(isoTime(value)))
    return (from, to) => Array.from(valuesOf(column, from, to), text)
  }
  const none = formatNumber(Number.NaN)
  return (from, to) => {
    const texts = writer.texts(valuesOf(column, from, to), to - from)
    return absent === none ? texts : texts.map(text => (text === none ? absent : text))
  }
}
