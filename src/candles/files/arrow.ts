import { readFile } from 'node:fs/promises'
import { type Cell, clockCell, dayCell, timeCell, valueCell } from './cell.js'
import { FlatTable, type FlatVector } from './flat-table.js'
import {
  type Batch,
  batchType,
  type DataType,
  date,
  decimal,
  float,
  int,
  largeUtf8,
  Type,
  time,
  timestamp,
  utf8,
} from './flechette.js'
import { maxCellLength, maxColumns, maxNameLength, type TableRecord } from './text.js'
import { unpackLz4, unpackZstdFrame } from './unpack.js'

const maxCharacterBytes = 4
const maxZoneBytes = 64
/** First supported version of the format: that of Arrow 0.8 (2017). */
const firstVersion = 3

const headers = { schema: 1, dictionary: 2, records: 3 } as const

/** A message: its header, and the bytes of its buffers. */
interface Message {
  readonly kind: number
  readonly version: number
  readonly header: FlatTable
  readonly body: Uint8Array
  /** Byte offset of the next message. */
  readonly end: number
}

/** A column of a table: its type in the schema. */
interface ArrowField {
  readonly name: string
  /** Types of the column and of its nested columns, in the order of their nodes in a batch. */
  readonly parts: readonly FieldPart[]
  /** Type of the values; undefined if candles have no values of this type. */
  readonly type: DataType | undefined
  /** Dictionary of the values, if there is one. The column then has indices into the dictionary. */
  readonly dictionary: { readonly id: number; readonly indexType: DataType } | undefined
}

/** Layout of a type in a batch. */
interface FieldPart {
  /** Number of buffers in each batch. Views have further buffers, whose number is in the batch. */
  readonly buffers: number
  readonly isView: boolean
}

/** Some rows of a table. */
export interface ArrowBatch {
  readonly rows: number
  /** Reader of the values of a column: numbers, texts, or null for a missing value. Undefined for columns of other types. */
  readonly column: (at: number) => ((row: number) => unknown) | undefined
}

/** Unpacks a buffer that is compressed with a codec of the format, to `length` bytes. */
export type Unpack = (codec: 'lz4' | 'zstd', bytes: Uint8Array, length: number) => Uint8Array

/** Maximum bytes of the unpacked buffers of a batch. Programs write batches of at most a few dozen MiB. */
const maxUnpackedBytes = 2 ** 30
/** Codecs by their number in a batch, each with its maximum compression ratio. */
const codecs = [
  { name: 'lz4', most: 255 },
  // Four bytes can stand for a block of 128 KiB that repeats one byte.
  { name: 'zstd', most: 32_768 },
] as const

/** A table whose batches are read one at a time. */
export interface ArrowTable {
  readonly names: readonly string[]
  /** Whether the values of a column are times in milliseconds. */
  readonly isTime: (at: number) => boolean
  /** Converts a value of a column to a cell. A time without a zone becomes a local time. */
  readonly cellOf: (at: number, value: unknown) => Cell
  readonly batches: Generator<ArrowBatch>
}

/**
 * Opens a stream or a file of Apache Arrow (IPC format, arrow.apache.org/docs/format/Columnar.html). Announced sizes are compared
 * with the actual bytes before memory is allocated: a batch has at most as many rows as bytes. Throws if the bytes are not Arrow,
 * or are compressed and `unpack` is missing. The iteration of the batches throws in the same cases.
 */
export function openArrow(bytes: Uint8Array, unpack?: Unpack): ArrowTable {
  const { schema, version, messages } = isFile(bytes) ? openFile(bytes) : openStream(bytes)
  const fields = fieldsOf(schema, version)
  return {
    names: fields.map(({ name }) => name),
    isTime: at => isTime(fields[at]?.type?.typeId),
    cellOf: (at, value) => cellOf(fields[at]?.type, value),
    batches: batchesOf(fields, messages, unpack),
  }
}

const isTime = (type: number | undefined): boolean => type === Type.Timestamp || type === Type.Date

function cellOf(type: DataType | undefined, value: unknown): Cell {
  if (typeof value !== 'number' && typeof value !== 'bigint') return valueCell(value)
  if (type?.typeId === Type.Timestamp) return timeCell(Number(value), type.timezone === null)
  if (type?.typeId === Type.Date) return dayCell(Number(value))
  // Units are powers of a thousand, from seconds on.
  if (type?.typeId === Type.Time) return clockCell(Number(value) / 1000 ** type.unit)
  return typeof value === 'bigint' ? String(value) : value
}

const magic = 'ARROW1'

const isFile = ({ buffer, byteOffset, length }: Uint8Array): boolean =>
  length > magic.length && Buffer.from(buffer, byteOffset, magic.length).toString() === magic

/** The schema, and the messages after it. */
interface OpenedArrow {
  readonly schema: FlatTable
  readonly version: number
  readonly messages: Iterable<Message>
}

function openStream(bytes: Uint8Array): OpenedArrow {
  const messages = messagesOf(bytes)
  const first = messages.next()
  if (first.done || first.value.kind !== headers.schema) throw new RangeError('there is no schema')
  const { header: schema, version } = first.value
  return { schema, version, messages }
}

/** Opens a file by its footer. The length of the footer is before the signature at the end of the file. */
function openFile(bytes: Uint8Array): OpenedArrow {
  const end = bytes.length - magic.length - 4
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(end, true)
  if (length > end) throw new RangeError('the footer is too long')
  const footer = FlatTable.root(bytes.subarray(end - length, end))
  const schema = footer.table(1)
  if (!schema) throw new RangeError('there is no schema')
  return { schema, version: footer.short(0), messages: blocksOf(bytes, footer) }
}

/** Messages of a file, dictionaries first, each once. */
function* blocksOf(bytes: Uint8Array, footer: FlatTable): Generator<Message> {
  for (const field of [2, 3]) {
    const blocks = footer.vector(field, 24)
    for (let k = 0, end = 0; k < blocks.count; k++) {
      const at = footer.countAt(blocks.at + 24 * k)
      const message = at < end ? undefined : messageAt(bytes, at)
      if (!message) throw new RangeError('a block is out of place')
      end = message.end
      yield message
    }
  }
}

function* messagesOf(bytes: Uint8Array): Generator<Message> {
  for (let at = 0; at < bytes.length; ) {
    const message = messageAt(bytes, at)
    if (!message) return
    at = message.end
    yield message
  }
}

/** Reads the message at a byte offset; undefined at the end mark. */
function messageAt(bytes: Uint8Array, place: number): Message | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // In files since 2019 the length follows a mark.
  const at = view.getInt32(place, true) === -1 ? place + 4 : place
  const length = view.getInt32(at, true)
  if (length === 0) return undefined
  const start = at + 4 + length
  if (length < 0 || start > bytes.length) throw new RangeError('a message is too long')
  const message = FlatTable.root(bytes.subarray(at + 4, start))
  const end = start + message.count(3)
  const header = message.table(2)
  if (end > bytes.length || !header) throw new RangeError('a message is not whole')
  return { kind: message.byte(1), version: message.short(0), header, body: bytes.subarray(start, end), end }
}

function fieldsOf(schema: FlatTable, version: number): readonly ArrowField[] {
  const isBigEndian = schema.short(0) !== 0
  if (version < firstVersion || isBigEndian) throw new RangeError('the schema is of another form')
  const children = schema.vector(1, 4)
  // Reads one column more than allowed, so that the caller refuses the table by its number of columns.
  const counter = new PartCounter(version)
  return Array.from({ length: Math.min(children.count, maxColumns + 1) }, (_, k) => {
    const field = schema.item(children, k)
    const encoding = field.table(4)
    const own = counter.partsOf(field)
    const index = encoding?.table(1)
    return {
      name: field.text(0, maxCharacterBytes * (maxNameLength + 1)),
      parts: encoding ? [indexPart] : own,
      type: typeOf(field),
      dictionary: encoding && {
        id: encoding.count(0),
        indexType: index ? int(index.int(0) as 32, index.byte(1) !== 0) : int(32, true),
      },
    }
  })
}

const indexPart: FieldPart = { buffers: 2, isView: false }

/** Number of buffers by type. Types that are not listed have two. */
const bufferCounts: Readonly<Record<number, number>> = {
  [Type.Null]: 0,
  [Type.RunEndEncoded]: 0,
  [Type.Struct]: 1,
  [Type.FixedSizeList]: 1,
  [Type.Utf8]: 3,
  [Type.LargeUtf8]: 3,
  [Type.Binary]: 3,
  [Type.LargeBinary]: 3,
  [Type.ListView]: 3,
  [Type.LargeListView]: 3,
}

/** Finds the types of a column and its nested columns. Limits the total number of types over all columns. */
class PartCounter {
  #count = 0

  constructor(private readonly version: number) {}

  partsOf(field: FlatTable): readonly FieldPart[] {
    // A damaged schema may nest a part in itself or in several others.
    if (++this.#count > 2 * maxColumns) throw new RangeError('there are too many nested columns')
    const type = field.byte(2)
    const isView = type === Type.BinaryView || type === Type.Utf8View
    const children = field.vector(5, 4)
    if (children.count > maxColumns) throw new RangeError('there are too many nested columns')
    const nested = Array.from({ length: children.count }, (_, k) => {
      const child = field.item(children, k)
      return child.table(4) ? [indexPart] : this.partsOf(child)
    })
    return [{ buffers: this.#buffersOf(field, type), isView }, ...nested.flat()]
  }

  #buffersOf(field: FlatTable, type: number): number {
    if (type !== Type.Union) return bufferCounts[type] ?? 2
    const isDense = (field.table(3)?.short(0) ?? 0) === 1
    // Unions up to metadata version V4 have a bitmap of missing values.
    return 1 + (isDense ? 1 : 0) + (this.version < 4 ? 1 : 0)
  }
}

/** Type of the values of a column; undefined if candles have no values of this type. */
function typeOf(field: FlatTable): DataType | undefined {
  const own = field.table(3)
  switch (field.byte(2)) {
    case Type.Int:
      return int((own?.int(0) ?? 0) as 32, own?.byte(1) === 1)
    case Type.Float:
      return float((own?.short(0) ?? 0) as 2)
    case Type.Decimal:
      return decimal(own?.int(0) ?? 0, own?.int(1) ?? 0, (own?.int(2, 128) ?? 128) as 128)
    case Type.Date:
      return date((own?.short(0, 1) ?? 1) as 1)
    case Type.Timestamp:
      return timestamp((own?.short(0) ?? 0) as 0, own?.text(1, maxZoneBytes) || null)
    case Type.Time:
      return time((own?.short(0, 1) ?? 1) as 1)
    case Type.Utf8:
      return utf8()
    case Type.LargeUtf8:
      return largeUtf8()
    case Type.Utf8View:
      return { typeId: Type.Utf8View } as DataType
    default:
      return undefined
  }
}

function* batchesOf(
  fields: readonly ArrowField[],
  messages: Iterable<Message>,
  unpack: Unpack | undefined,
): Generator<ArrowBatch> {
  const dictionaries = new Map<number, unknown[]>()
  const valueFields = new Map(
    fields.flatMap(field => (field.dictionary ? [[field.dictionary.id, field] as const] : [])),
  )
  for (const { kind, header, body } of messages) {
    if (kind === headers.dictionary) {
      const id = header.count(0)
      const field = valueFields.get(id)
      const records = header.table(1)
      if (!field?.type || !records) continue
      const isDelta = header.byte(2) === 1
      const texts = isDelta ? (dictionaries.get(id) ?? []) : []
      dictionaries.set(id, texts)
      const { type } = field
      const part = { buffers: bufferCounts[type.typeId] ?? 2, isView: type.typeId === Type.Utf8View }
      const ofValues = { name: '', parts: [part], type, dictionary: undefined }
      const batch = new RecordBatch(records, body, [ofValues], unpack)
      const values = batch.column(0, dictionaries)
      for (let row = 0; row < batch.rows; row++) texts.push(values?.(row))
    } else if (kind === headers.records) {
      const batch = new RecordBatch(header, body, fields, unpack)
      yield { rows: batch.rows, column: at => batch.column(at, dictionaries) }
    }
  }
}

/** Converts a bigint to a number if the number is exact. */
const plain = (value: unknown): unknown =>
  typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value

type BatchClass = new (options: object) => Batch<unknown>

/** Position of a column in a batch: its first node and buffer. `views` is the number of further buffers of a column of views. */
interface ColumnPlace {
  readonly node: number
  readonly buffer: number
  readonly views: number
}

/** Buffers of a batch. Checks that they lie within its body. */
class RecordBatch {
  readonly rows: number
  readonly #nodes: FlatVector
  readonly #buffers: FlatVector
  readonly #places: ColumnPlace[] = []
  readonly #codec: (typeof codecs)[number] | undefined

  constructor(
    private readonly records: FlatTable,
    private readonly body: Uint8Array,
    private readonly fields: readonly ArrowField[],
    private readonly unpack: Unpack | undefined,
  ) {
    const compression = records.table(3)
    this.#codec = compression && codecs[compression.byte(0)]
    if (compression && (!this.#codec || !unpack))
      throw new RangeError('the buffers of a batch are compressed')
    this.#nodes = records.vector(1, 16)
    this.#buffers = records.vector(2, 16)
    this.rows = records.count(0)
    if (this.rows > this.#bytes()) throw new RangeError('a batch has more rows than bytes')
    const further = records.vector(4, 8)
    let [node, buffer, view] = [0, 0, 0]
    for (const { parts } of fields) {
      const place = { node, buffer, views: 0 }
      for (const { buffers, isView } of parts) {
        if (isView && view >= further.count) throw new RangeError('a batch has too few numbers of buffers')
        const views = isView ? records.countAt(further.at + 8 * view++) : 0
        if (node === place.node) place.views = views
        node++
        buffer += buffers + views
      }
      this.#places.push(place)
    }
    if (node !== this.#nodes.count || buffer !== this.#buffers.count)
      throw new RangeError('a batch does not have the columns of the schema')
  }

  /** Reader of the values of a column by row. */
  column(
    at: number,
    dictionaries: ReadonlyMap<number, readonly unknown[]>,
  ): ((row: number) => unknown) | undefined {
    const { type, dictionary } = this.fields[at] ?? {}
    if (!type) return undefined
    const values = this.#batch(at, dictionary?.indexType ?? type)
    if (!dictionary) return row => plain(values.at(row))
    const texts = dictionaries.get(dictionary.id) ?? []
    return row => {
      const index = values.at(row)
      return index === null ? null : texts[Number(index)]
    }
  }

  #batch(at: number, type: DataType): Batch<unknown> {
    const { node, buffer, views } = this.#places[at] as ColumnPlace
    const { length, nullCount } = this.#node(node)
    if (length !== this.rows) throw new RangeError('a column has another length than its batch')
    const { values, offsets } = type as { readonly values?: ViewClass; readonly offsets?: ViewClass }
    const common = { length, nullCount, type, validity: this.#buffer(buffer) }
    const own = offsets
      ? this.#texts(buffer + 1, offsets, length)
      : type.typeId === Type.Utf8View
        ? this.#views(buffer + 1, views, length)
        : { values: this.#buffer(buffer + 1, values) }
    return new (batchType(type, { useBigInt: true }) as BatchClass)({ ...common, ...own })
  }

  /** Consecutive texts in one buffer. Checks that their offsets ascend within the buffer. */
  #texts(buffer: number, Offsets: ViewClass, length: number) {
    const offsets = this.#buffer(buffer, Offsets) as BigInt64Array | Int32Array
    const values = this.#buffer(buffer + 1) as Uint8Array
    if (offsets.length <= length && length > 0) throw new RangeError('texts have too few offsets')
    for (let row = 0; row < length; row++) {
      const [start, end] = [Number(offsets[row]), Number(offsets[row + 1])]
      if (start < 0 || end < start || end > values.length) throw new RangeError('a text is out of place')
    }
    return { offsets, values }
  }

  /** Texts at any position in the buffers. Checks that each text is not longer than a cell may be. */
  #views(buffer: number, count: number, length: number) {
    const values = this.#buffer(buffer) as Uint8Array
    const view = new DataView(values.buffer, values.byteOffset, values.byteLength)
    for (let row = 0; row < length; row++) {
      const bytes = view.getInt32(16 * row, true)
      if (bytes < 0 || bytes > maxCharacterBytes * maxCellLength) throw new RangeError('a text is too long')
    }
    return { values, data: Array.from({ length: count }, (_, k) => this.#buffer(buffer + 1 + k)) }
  }

  #node(at: number): { readonly length: number; readonly nullCount: number } {
    const place = this.#nodes.at + 16 * at
    return { length: this.records.countAt(place), nullCount: this.records.countAt(place + 8) }
  }

  #buffer(at: number, View: ViewClass = Uint8Array): ArrayBufferView {
    const { bytes, unpackedBytes } = this.#packed(at)
    const codec = this.#codec?.name
    const { buffer, byteOffset, length } =
      codec && unpackedBytes !== undefined ? (this.unpack as Unpack)(codec, bytes, unpackedBytes) : bytes
    return new View(buffer, byteOffset, Math.floor(length / View.BYTES_PER_ELEMENT))
  }

  /** Bytes of a buffer in the body, and the number of unpacked bytes if it is compressed. */
  #packed(at: number): { readonly bytes: Uint8Array; readonly unpackedBytes?: number } {
    const place = this.#buffers.at + 16 * at
    const [from, length] = [this.records.countAt(place), this.records.countAt(place + 8)]
    if (from + length > this.body.length) throw new RangeError('a buffer is too long')
    const bytes = this.body.subarray(from, from + length)
    if (!this.#codec || length === 0) return { bytes }
    const unpackedBytes = Number(new DataView(bytes.buffer, bytes.byteOffset, length).getBigInt64(0, true))
    const packed = bytes.subarray(8)
    if (unpackedBytes === -1) return { bytes: packed }
    if (!(unpackedBytes >= 0 && unpackedBytes <= packed.length * this.#codec.most))
      throw new RangeError('a buffer announces more than it has')
    return { bytes: packed, unpackedBytes }
  }

  /** Total bytes of all unpacked buffers. */
  #bytes(): number {
    if (!this.#codec) return this.body.length
    let sum = 0
    for (let at = 0; at < this.#buffers.count; at++) {
      const { bytes, unpackedBytes = bytes.length } = this.#packed(at)
      sum += unpackedBytes
      if (sum > maxUnpackedBytes) throw new RangeError('a batch has too many bytes')
    }
    return sum
  }
}

type ViewClass = {
  readonly BYTES_PER_ELEMENT: number
  new (buffer: ArrayBufferLike, at: number, length: number): ArrayBufferView
}

/** Number of rows yielded at a time. */
const pieceRows = 4096

/**
 * Reads a Feather file, which is a file of Apache Arrow: first the names of its columns, then the rows, some rows at a time.
 * Columns may be compressed with LZ4 or zstd. Rejects if the file cannot be read.
 */
export async function* readFeather(path: string): AsyncGenerator<readonly TableRecord[]> {
  const table = openArrow(new Uint8Array(await readFile(path)), (codec, bytes, length) =>
    codec === 'lz4' ? unpackLz4(bytes, length) : unpackZstdFrame(bytes, length),
  )
  const { names } = table
  yield [{ record: names, line: 1 }]
  let line = 1
  for (const batch of table.batches) {
    const columns = names.map((_, at) => batch.column(at))
    const recordOf = (row: number) => ({
      record: columns.map((column, at) => table.cellOf(at, column?.(row))),
      line: ++line,
    })
    for (let from = 0; from < batch.rows; from += pieceRows)
      yield Array.from({ length: Math.min(pieceRows, batch.rows - from) }, (_, k) => recordOf(from + k))
  }
}
