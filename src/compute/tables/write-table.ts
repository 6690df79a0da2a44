import type { TableFormat } from '../../contract/table-format.js'
import type { NumberWriter } from '../json/number-writer.js'
import { writeArrow } from './arrow.js'
import { PieceSink } from './piece-sink.js'
import { assembleTable, type TableLayout } from './table.js'
import { writeText } from './text-rows.js'

/** Writes the table of a layout in a format, in pieces. The tables of the layout must not be used after that. */
export function writeTable(
  layout: TableLayout,
  format: TableFormat,
  writer: NumberWriter,
): readonly Uint8Array[] {
  const table = assembleTable(layout)
  if (format === 'arrow') return writeArrow(table)
  const sink = new PieceSink()
  for (const lines of writeText(table, format, writer)) sink.write(lines)
  sink.finish()
  return sink.pieces
}
