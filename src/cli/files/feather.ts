import { readFile } from 'node:fs/promises'
import type { TableRecord } from '../../candles/csv/records.js'
import { isNotRead } from './unread.js'

/**
 * The rows of a Feather file, which is a file of Apache Arrow, below the names of its columns. Rejects where it cannot be read, or its
 * columns are compressed.
 */
export async function* readFeather(path: string): AsyncGenerator<TableRecord> {
  // Most commands read no Feather.
  const { CompressedBuffers, openArrow } = await import('../../compute/tables/arrow-reader.js')
  const table = openArrow(new Uint8Array(await readFile(path)))
  const { names } = table
  yield { record: names, line: 1 }
  let line = 1
  try {
    for (const batch of table.batches) {
      const columns = names.map((_, at) => batch.column(at))
      for (let row = 0; row < batch.rows; row++)
        yield { record: columns.map((column, at) => table.cellOf(at, column?.(row))), line: ++line }
    }
  } catch (error) {
    if (!(error instanceof CompressedBuffers)) throw error
    throw isNotRead(path, 'Feather with compressed columns: write it uncompressed, or as Parquet')
  }
}
