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

/** Number of rows of a group read at a time. Few groups have more. Each read takes whole columns of the group from the file. */
const pieceRows = 2 ** 20
const yieldedRows = 4096
/** Maximum number of rows per group. Programs write 122,880 to a million. */
const maxGroupRows = 2 ** 24
/** Maximum bytes of an unpacked page. Programs write about 1 MiB. */
const maxPageBytes = 2 ** 28

/**
 * Reads a Parquet file: first the names of its columns, then the rows, some rows at a time. Values of nested columns are empty.
 * Rejects if the file cannot be read.
 */
export async function* readParquet(path: string): AsyncGenerator<readonly TableRecord[]> {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  const { children } = parquetSchema(metadata)
  // Candles have no values in nested columns.
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

/** Values of some rows by column. */
class Columns {
  readonly #start: number
  readonly #end: number
  readonly #columns: ReadonlyMap<string, { readonly values: unknown[]; count: number }>

  constructor(names: readonly string[], start: number, end: number) {
    this.#start = start
    this.#end = end
    this.#columns = new Map(names.map(name => [name, { values: new Array(end - start), count: 0 }]))
  }

  /** Adds values from row `rowStart` on. Ignores values of rows outside of the range. */
  readonly add = ({ columnName, columnData, rowStart }: ColumnData): void => {
    const column = this.#columns.get(columnName)
    if (!column) return
    const from = Math.max(rowStart, this.#start)
    const to = Math.min(rowStart + columnData.length, this.#end)
    for (let row = from; row < to; row++) column.values[row - this.#start] = columnData[row - rowStart]
    column.count += Math.max(0, to - from)
  }

  /** Values of a column. Throws if values are missing. */
  valuesOf(name: string): readonly unknown[] {
    const { values = [], count = 0 } = this.#columns.get(name) ?? {}
    if (count < this.#end - this.#start) throw new Error('it has fewer rows than it announces')
    return values
  }
}

/**
 * Checks the announced sizes of a group of rows and its pages before memory is allocated, because a few bytes may announce billions
 * of values. Rejects if a group or page announces more than it contains.
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

/** Parsers of times as milliseconds, which are cheaper than dates. */
const parsers = {
  timestampFromMilliseconds: Number,
  timestampFromMicroseconds: (micros: bigint) => Number(micros / 1000n),
  timestampFromNanoseconds: (nanos: bigint) => Number(nanos / 1_000_000n),
  dateFromDays: (days: number) => days * 86_400_000,
}

/** Creates a function that converts the values of a column to cells. Times that are not in UTC have no zone. */
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

/** Creates a converter that applies `cellOf` to numbers, and converts other values with `valueCell`. */
const ofNumbers = (cellOf: (value: number) => Cell) => (value: unknown) =>
  typeof value === 'number' || typeof value === 'bigint' ? cellOf(Number(value)) : valueCell(value)

/** Units per second, by the name of the unit. */
const secondParts: Readonly<Record<string, number>> = { MILLIS: 1e3, MICROS: 1e6, NANOS: 1e9 }
