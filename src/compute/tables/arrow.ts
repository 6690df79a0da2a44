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
import { BufferPool } from '../../runtime/buffer-pool.js'
import { type Table, type TableColumn, valuesOf } from './table.js'

/** Rows of a record batch. A column of numbers has 256 KiB per batch. */
const rowsPerBatch = 32_768
/**
 * Writes a table as a stream of Apache Arrow (IPC format, version 5), in pieces. Times are timestamps in milliseconds
 * and UTC, numbers float64, flags booleans, and texts dictionaries; a missing value is null. Numbers have the bits of
 * their JSON text, so -0 is written as 0. Values are read once, into buffers of `pool`, which become the pieces.
 */
export function writeArrow({ rows, columns }: Table, pool: BufferPool): readonly Uint8Array[] {
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

/** Makes the batch of the rows [from, to) of a column. */
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
