import type { TableFormat } from '../../contract/table-format.js'
import type { BufferPool } from '../../runtime/buffer-pool.js'
import type { NumberWriter } from '../json/number-writer.js'
import { BufferSink, sinkBufferBytes } from '../json/sink.js'
import { writeArrow } from './arrow.js'
import { assembleTable, type TableLayout } from './table.js'
import { writeText } from './text-rows.js'

/** Bytes that a cell takes as text, about. */
const cellBytes = 24

/** Writes the table of a layout in a format, in pieces: into buffers of `pool`, where it gives some. They must be released. */
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
