import {
  type Batch,
  batchType,
  bool,
  Column,
  type DataType,
  dictionary,
  float64,
  int32,
  TimeUnit,
  tableFromColumns,
  tableToIPC,
  timestamp,
  utf8,
} from '../../candles/files/flechette.js'
import { createTimeFormat } from '../../candles/format-time.js'
import type { TableFormat } from '../../contract/table-format.js'
import { BufferPool } from '../../runtime/buffer-pool.js'
import { BufferSink, formatNumber, type NumberWriter, sinkBufferBytes } from '../json/sink.js'
import { assembleTable, type Table, type TableColumn, type TableLayout, valuesOf } from './table.js'

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

type TextFormat = 'csv' | 'ndjson'

/** Rows per step: as many numbers as one call into WASM writes. */
const rowsPerPiece = 512

/** Notation of values in a text format. */
interface Notation {
  readonly absent: string
  quote(text: string): string
  time(text: string): string
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
export function* writeText(table: Table, format: TextFormat, writer: NumberWriter): Generator<string> {
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

/** Rows of a record batch. A column of numbers has 256 KiB per batch. */
const rowsPerBatch = 32_768

/**
 * Writes a table as a stream of Apache Arrow (IPC format, version 5), in pieces. Times are timestamps in milliseconds
 * and UTC, numbers float64, flags booleans, and texts dictionaries; a missing value is null. Numbers have the bits of
 * their JSON text, so -0 is written as 0. Values are read once, into buffers of `pool`, which become the pieces.
 */
function writeArrow({ rows, columns }: Table, pool: BufferPool): readonly Uint8Array[] {
  const starts = Array.from(
    { length: Math.max(1, Math.ceil(rows / rowsPerBatch)) },
    (_, k) => k * rowsPerBatch,
  )
  const ends = starts.map(start => Math.min(rows, start + rowsPerBatch))
  const built = columns.map((column): [string, Column<unknown>] => {
    const write = batchWriterOf(column, pool)
    return [column.name, new Column(starts.map((start, k) => write(start, ends[k] as number)))]
  })
  const sink = new PieceSink()
  tableToIPC(tableFromColumns(built), { format: 'stream', sink })
  return sink.pieces
}

function batchWriterOf(column: TableColumn, pool: BufferPool): (from: number, to: number) => Batch<unknown> {
  if (column.kind === 'text') return textBatches(column)
  const write = { time: timeBatch, flag: flagBatch, number: numberBatch }[column.kind]
  return (from, to) => write(valuesOf(column, from, to), pool)
}

/** Memory of the pool for `length` numbers of 64 bits; its content is undefined. */
function takeNumbers(pool: BufferPool, length: number): Float64Array {
  const { buffer, byteOffset } = pool.take(8 * length)
  return new Float64Array(buffer, byteOffset, length)
}

/** Validity bitmap: one bit per row, 1 if the row has a value. */
class Validity {
  /** Empty if all rows have a value. */
  bits = new Uint8Array(0)
  nullCount = 0

  constructor(readonly length: number) {}

  setNull(row: number): void {
    if (this.nullCount++ === 0) this.bits = new Uint8Array(Math.ceil(this.length / 8)).fill(255)
    this.bits[row >> 3] = (this.bits[row >> 3] as number) & ~(1 << (row & 7))
  }
}

type BatchClass = new (options: {
  readonly length: number
  readonly nullCount: number
  readonly type: DataType
  readonly validity: Uint8Array
  readonly values: ArrayBufferView
  readonly offsets?: Int32Array
}) => Batch<unknown>

function batchOf(
  type: DataType,
  { length, nullCount, bits }: Pick<Validity, 'length' | 'nullCount' | 'bits'>,
  values: ArrayBufferView,
  offsets?: Int32Array,
): Batch<unknown> {
  const own = { length, nullCount, type, validity: bits, values }
  return new (batchType(type) as BatchClass)(offsets ? { ...own, offsets } : own)
}

function numberBatch(values: Float64Array, pool: BufferPool): Batch<unknown> {
  const { length } = values
  const validity = new Validity(length)
  const written = takeNumbers(pool, length)
  for (let row = 0; row < length; row++) {
    const value = values[row] as number
    // Neither NaN nor infinite.
    if (value - value !== 0) validity.setNull(row)
    // -0 + 0 is 0.
    written[row] = value + 0
  }
  return batchOf(float64(), validity, written)
}

function flagBatch(values: Float64Array): Batch<unknown> {
  const validity = new Validity(values.length)
  const bits = new Uint8Array(Math.ceil(values.length / 8))
  for (let row = 0; row < values.length; row++) {
    const value = values[row] as number
    if (Number.isNaN(value)) validity.setNull(row)
    else if (value !== 0) bits[row >> 3] = (bits[row >> 3] as number) | (1 << (row & 7))
  }
  return batchOf(bool(), validity, bits)
}

/** 2 ** 52. If a smaller integer is added, it occupies the lower bits of the sum: IEEE 754, binary64. */
const mantissa = 2 ** 52
/** The upper half of the bits of `mantissa`. */
const mantissaHigh = 0x43300000

/** Milliseconds as 64-bit integers, written through floats, which is several times faster than BigInt. */
function timeBatch(values: Float64Array, pool: BufferPool): Batch<unknown> {
  const { length } = values
  const validity = new Validity(length)
  const written = takeNumbers(pool, length)
  const words = new Int32Array(written.buffer, written.byteOffset, 2 * length)
  for (let row = 0; row < length; row++) {
    const seconds = values[row] as number
    if (Number.isNaN(seconds)) {
      validity.setNull(row)
      continue
    }
    written[row] = mantissa + Math.round(seconds * 1000)
    words[2 * row + 1] = (words[2 * row + 1] as number) - mantissaHigh
  }
  return batchOf(
    timestamp(TimeUnit.MILLISECOND, 'UTC'),
    validity,
    new BigInt64Array(written.buffer, written.byteOffset, length),
  )
}

/** A batch of keys into a dictionary. */
interface TextBatch extends Batch<unknown> {
  setDictionary(texts: Column<unknown>): Batch<unknown>
}

function textBatches({ codes, texts }: TableColumn & { readonly kind: 'text' }) {
  const words = new Column([utf8Batch(texts)])
  // The library finds the dictionary of a column by the object of its type.
  const type = dictionary(words.type, int32())
  return (from: number, to: number): Batch<unknown> => {
    const keys = codes.slice(from, to)
    const validity = new Validity(keys.length)
    for (let row = 0; row < keys.length; row++) {
      if ((keys[row] as number) >= 0) continue
      validity.setNull(row)
      keys[row] = 0
    }
    return (batchOf(type, validity, keys) as TextBatch).setDictionary(words)
  }
}

function utf8Batch(texts: readonly string[]): Batch<unknown> {
  const bytes = texts.map(text => Buffer.from(text))
  const offsets = new Int32Array(texts.length + 1)
  for (const [k, { length }] of bytes.entries()) offsets[k + 1] = (offsets[k] as number) + length
  return batchOf(utf8(), new Validity(texts.length), Buffer.concat(bytes), offsets)
}

/** Minimum size of a piece, in bytes. Smaller pieces are joined, because each is written to the socket separately. */
const minPieceBytes = 128 * 1024

/**
 * Collects written bytes in pieces of at least `minPieceBytes`. Long buffers are not copied; short ones are copied and
 * released.
 */
class PieceSink {
  readonly pieces: Uint8Array[] = []
  #short: Uint8Array[] = []
  #shortBytes = 0

  write(bytes: Uint8Array): void {
    if (bytes.byteLength >= minPieceBytes) {
      this.finish()
      this.pieces.push(bytes)
      return
    }
    this.#short.push(bytes)
    this.#shortBytes += bytes.byteLength
    if (this.#shortBytes >= minPieceBytes) this.finish()
  }

  pad(bytes: number): void {
    this.write(new Uint8Array(bytes))
  }

  finish(): null {
    if (this.#short.length > 0) this.pieces.push(Buffer.concat(this.#short))
    for (const bytes of this.#short) BufferPool.release(bytes)
    this.#short = []
    this.#shortBytes = 0
    return null
  }
}
