import {
  type AsyncBuffer,
  asyncBufferFromFile,
  type ColumnData,
  parquetMetadataAsync,
  parquetRead,
  parquetSchema,
  type RowGroup,
  type SchemaElement,
} from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { compressors } from 'hyparquet-compressors'
import { type Cell, clockCell, dayCell, timeCell, valueCell } from './cell.js'
import type { TableRecord } from './text.js'

/** Rows of a group that are read at a time: few groups have more. Each time, whole columns of the group are taken from the file. */
const pieceRows = 2 ** 20
/** Rows that are handed on at a time. */
const yieldedRows = 4096
/** Rows of a group. Programs write 122,880 to a million. */
const maxGroupRows = 2 ** 24
/** Bytes of a page when it is unpacked. Programs write about one MiB. */
const maxPageBytes = 2 ** 28

/**
 * The rows of a Parquet file, below the names of its columns, some rows at a time. Values of nested columns are empty. Rejects where the
 * file cannot be read.
 */
export async function* readParquet(path: string): AsyncGenerator<readonly TableRecord[]> {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  const { children } = parquetSchema(metadata)
  // Nested columns have no values that candles have.
  const readers = children.map(({ element, children: nested }) =>
    nested.length === 0 ? { name: element.name, cellOf: readerOf(element) } : undefined,
  )
  const columns = readers.flatMap(reader => reader?.name ?? [])
  yield [{ record: children.map(({ element }) => element.name ?? ''), line: 1 }]
  let line = 1
  let start = 0
  for (const group of metadata.row_groups) {
    await checkGroup(file, group)
    const end = start + Number(group.num_rows)
    for (let rowStart = start; rowStart < end; rowStart += pieceRows) {
      const rowEnd = Math.min(rowStart + pieceRows, end)
      const piece = new Columns(columns, rowStart, rowEnd)
      await parquetRead({
        file,
        metadata,
        compressors,
        columns,
        rowStart,
        rowEnd,
        onChunk: piece.add,
        parsers,
      })
      const values = readers.map(reader => reader && piece.valuesOf(reader.name))
      for (let at = 0; at < rowEnd - rowStart; at += yieldedRows)
        yield Array.from({ length: Math.min(yieldedRows, rowEnd - rowStart - at) }, (_, row) => ({
          record: readers.map((reader, k) => reader?.cellOf(values[k]?.[at + row]) ?? ''),
          line: ++line,
        }))
    }
    start = end
  }
}

/** The values of some rows by column. */
class Columns {
  readonly #start: number
  readonly #end: number
  readonly #columns: ReadonlyMap<string, { readonly values: unknown[]; count: number }>

  constructor(names: readonly string[], start: number, end: number) {
    this.#start = start
    this.#end = end
    this.#columns = new Map(names.map(name => [name, { values: new Array(end - start), count: 0 }]))
  }

  /** Adds values from a row on, of which some may be of other rows. */
  readonly add = ({ columnName, columnData, rowStart }: ColumnData): void => {
    const column = this.#columns.get(columnName)
    if (!column) return
    const from = Math.max(rowStart, this.#start)
    const to = Math.min(rowStart + columnData.length, this.#end)
    for (let row = from; row < to; row++) column.values[row - this.#start] = columnData[row - rowStart]
    column.count += Math.max(0, to - from)
  }

  /** The values of a column. Throws where there are too few. */
  valuesOf(name: string): readonly unknown[] {
    const { values = [], count = 0 } = this.#columns.get(name) ?? {}
    if (count < this.#end - this.#start) throw new Error('it has fewer rows than it announces')
    return values
  }
}

/**
 * Compares what a group of rows and its pages announce with what they have, before memory is taken for it: a few bytes may announce
 * billions of values. Rejects where it is more.
 */
async function checkGroup(file: AsyncBuffer, { num_rows, columns }: RowGroup): Promise<void> {
  const groupRows = Number(num_rows)
  if (!(groupRows >= 0 && groupRows <= maxGroupRows)) throw new Error(`a group has ${num_rows} rows`)
  for (const { meta_data: column } of columns) {
    if (!column || column.path_in_schema.length > 1) continue
    const from = Number(column.dictionary_page_offset ?? column.data_page_offset)
    const size = Number(column.total_compressed_size)
    if (!(from >= 0 && size >= 0 && from + size <= file.byteLength)) throw new Error('a column is not whole')
    const reader = { view: new DataView(await file.slice(from, from + size)), offset: 0 }
    let values = 0
    while (reader.offset < size && values < groupRows) {
      const header = parquetHeader(reader)
      const { compressed_page_size: packed, uncompressed_page_size: unpacked } = header
      if (!(packed >= 0 && packed <= size - reader.offset && unpacked >= 0 && unpacked <= maxPageBytes))
        throw new Error('a page is too long')
      const entries = header.dictionary_page_header?.num_values ?? 0
      const own = header.data_page_header?.num_values ?? header.data_page_header_v2?.num_values ?? 0
      values += own
      if (!(entries >= 0 && entries <= unpacked && own >= 0 && values <= groupRows))
        throw new Error('a page has more values than its group')
      reader.offset += packed
    }
  }
}

/** Times as milliseconds, which cost less than dates. */
const parsers = {
  timestampFromMilliseconds: Number,
  timestampFromMicroseconds: (micros: bigint) => Number(micros / 1000n),
  timestampFromNanoseconds: (nanos: bigint) => Number(nanos / 1_000_000n),
  dateFromDays: (days: number) => days * 86_400_000,
}

/** A function that makes cells of the values of a column. Times that are not of UTC have no zone. */
function readerOf({ converted_type, logical_type, type, scale }: SchemaElement): (value: unknown) => Cell {
  const kind = logical_type?.type
  if (kind === 'DATE' || converted_type === 'DATE') return ofNumbers(dayCell)
  if (kind === 'TIMESTAMP' || converted_type?.startsWith('TIMESTAMP_') || type === 'INT96') {
    const isLocal = type === 'INT96' || (kind === 'TIMESTAMP' && logical_type.isAdjustedToUTC === false)
    return ofNumbers(milliseconds => timeCell(milliseconds, isLocal))
  }
  const unit =
    kind === 'TIME' ? logical_type.unit : converted_type?.startsWith('TIME_') && converted_type.slice(5)
  if (unit) return ofNumbers(value => clockCell(value / (secondParts[unit] as number)))
  return scale ? ofNumbers(value => Number(value.toFixed(scale))) : valueCell
}

/** A function for numbers, which leaves other values as they are. */
const ofNumbers = (cellOf: (value: number) => Cell) => (value: unknown) =>
  typeof value === 'number' || typeof value === 'bigint' ? cellOf(Number(value)) : valueCell(value)

/** Parts of a second by the name of their unit. */
const secondParts: Readonly<Record<string, number>> = { MILLIS: 1e3, MICROS: 1e6, NANOS: 1e9 }
