import type { TableRecord } from '../../candles/csv/records.js'

/** Rows that are read at a time, of the group of rows that they are in. */
const pieceRows = 20_000

/** The rows of a Parquet file, below the names of its columns. Rejects where the file cannot be read. */
export async function* readParquet(path: string): AsyncGenerator<TableRecord> {
  // Most commands read no Parquet.
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, parquetSchema } = await import(
    'hyparquet'
  )
  const { compressors } = await import('hyparquet-compressors')
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  const names = parquetSchema(metadata).children.map(({ element }) => element.name)
  yield { record: names, line: 1 }
  let line = 1
  let start = 0
  for (const { num_rows: count } of metadata.row_groups) {
    const end = start + Number(count)
    for (let from = start; from < end; from += pieceRows) {
      const rowEnd = Math.min(from + pieceRows, end)
      const rows = await parquetReadObjects({ file, metadata, compressors, rowStart: from, rowEnd })
      for (const row of rows) yield { record: names.map(name => textOf(row[name])), line: ++line }
    }
    start = end
  }
}

/** A value as a cell of a CSV file has it. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  return String(value)
}
