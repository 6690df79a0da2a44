import { readFile } from 'node:fs/promises'
import type { TableRecord } from '../../candles/csv/records.js'
import { unpackLz4 } from './lz4-frame.js'
import { loadBufferUnpacker } from './zstd.js'

/**
 * The rows of a Feather file, which is a file of Apache Arrow, below the names of its columns. Its columns may be compressed with LZ4
 * or zstd. Rejects where it cannot be read.
 */
export async function* readFeather(path: string): AsyncGenerator<TableRecord> {
  // Most commands read no Feather.
  const { openArrow } = await import('../../compute/tables/arrow-reader.js')
  const unpackZstd = await loadBufferUnpacker()
  const table = openArrow(new Uint8Array(await readFile(path)), (codec, bytes, length) =>
    codec === 'lz4' ? unpackLz4(bytes, length) : unpackZstd(bytes, length),
  )
  const { names } = table
  yield { record: names, line: 1 }
  let line = 1
  for (const batch of table.batches) {
    const columns = names.map((_, at) => batch.column(at))
    for (let row = 0; row < batch.rows; row++)
      yield { record: columns.map((column, at) => table.cellOf(at, column?.(row))), line: ++line }
  }
}
