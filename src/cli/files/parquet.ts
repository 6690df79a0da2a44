import type { AsyncBuffer, RowGroup, SchemaElement } from 'hyparquet'
import type { Cell } from '../../candles/csv/cell.js'
import type { TableRecord } from '../../candles/csv/records.js'
import { clockCell, dayCell, timeCell, valueCell } from '../../candles/csv/typed-cell.js'

/** Rows that are read at a time, of the group of rows that they are in. */
const pieceRows = 20_000
/** Rows of a group. Programs write 122,880 to a million. */
const maxGroupRows = 2 ** 24
/** Bytes of a page when it is unpacked. Programs write about one MiB. */
const maxPageBytes = 2 ** 28

/** The rows of a Parquet file, below the names of its columns. Values of nested columns are empty. Rejects where the file cannot be read. */
export async function* readParquet(path: string): AsyncGenerator<TableRecord> {
  // Most commands read no Parquet.
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, parquetSchema } = await import(
    'hyparquet'
  )
  const { compressors } = await import('hyparquet-compressors')
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  const { children } = parquetSchema(metadata)
  const elements = children.map(({ element }) => element)
  // Nested columns have no values that candles have.
  const columns = children.filter(child => child.children.length === 0).map(({ element }) => element.name)
  yield { record: elements.map(({ name }) => name ?? ''), line: 1 }
  let line = 1
  let start = 0
  for (const group of metadata.row_groups) {
    await checkGroup(file, group)
    const end = start + Number(group.num_rows)
    for (let from = start; from < end; from += pieceRows) {
      const rowEnd = Math.min(from + pieceRows, end)
      const rows = await parquetReadObjects({ file, metadata, compressors, columns, rowStart: from, rowEnd })
      if (rows.length < rowEnd - from) throw new Error('it has fewer rows than it announces')
      for (const row of rows)
        yield { record: elements.map(element => cellOf(row[element.name], element)), line: ++line }
    }
    start = end
  }
}

/**
 * Compares what a group of rows and its pages announce with what they have, before memory is taken for it: a few bytes may announce
 * billions of values. Rejects where it is more.
 */
async function checkGroup(file: AsyncBuffer, { num_rows, columns }: RowGroup): Promise<void> {
  const { parquetHeader } = await import('hyparquet/src/column.js')
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

/** A value as a cell of a table. Times that are not of UTC have no zone. */
function cellOf(value: unknown, { converted_type, logical_type, type, scale }: SchemaElement): Cell {
  if (value instanceof Date) {
    if (converted_type === 'DATE' || logical_type?.type === 'DATE') return dayCell(value.getTime())
    const isLocal =
      type === 'INT96' || (logical_type?.type === 'TIMESTAMP' && logical_type.isAdjustedToUTC === false)
    return timeCell(value.getTime(), isLocal)
  }
  if (typeof value === 'number' && scale) return Number(value.toFixed(scale))
  const unit = converted_type?.startsWith('TIME_') ? converted_type.slice(5) : undefined
  const timeUnit = logical_type?.type === 'TIME' ? logical_type.unit : unit
  if (timeUnit !== undefined && (typeof value === 'number' || typeof value === 'bigint'))
    return clockCell(Number(value) / (secondParts[timeUnit] as number))
  return valueCell(value)
}

/** Parts of a second by the name of their unit. */
const secondParts: Readonly<Record<string, number>> = { MILLIS: 1e3, MICROS: 1e6, NANOS: 1e9 }
