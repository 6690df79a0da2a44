import { readFile } from 'node:fs/promises'
import { readXlsx, type StreamRow, streamXlsxRows } from 'hucre/xlsx'
import { type Cell, clockCell, dayCell, timeCell, valueCell } from './cell.js'
import { FileFailure, maxColumns, type TableRecord } from './text.js'

/** Maximum unpacked bytes of the sheets of a workbook. A million rows of candles need about 300 MiB. */
const maxSheetBytes = 2 ** 29
/** Maximum unpacked bytes of any other part, such as shared texts. Memory must hold the part many times over. */
const maxPartBytes = 2 ** 23
/** Maximum unpacked bytes of a row, because memory holds its cells. */
const maxRowBytes = 2 ** 22
/** Maximum number of rows in Excel. */
const maxRows = 2 ** 20
const yieldedRows = 1024
const daySeconds = 86_400
/** First days of Excel's two calendars. Excel stores a time of day as a time on the first day. Newer Macs use 1899 too. */
const epochs = [Date.UTC(1899, 11, 31), Date.UTC(1904, 0, 1)]

/** A part of a workbook: its name, and its unpacked bytes. */
interface Part {
  readonly name: string
  readonly bytes: AsyncIterable<Uint8Array>
}

/** A sheet: its name, and its rows as records. */
export interface Sheet {
  readonly name: string
  readonly records: AsyncIterable<readonly TableRecord[]>
}

/**
 * Opens a sheet of an .xlsx file by its name or its number, counted from 1. First all parts are unpacked once and their bytes
 * counted, because announced sizes are not trusted. Throws FileFailure if the sheet does not exist. Rejects if the file is too
 * large or damaged.
 */
export async function openSheet(path: string, parts: AsyncIterable<Part>, wanted = '1'): Promise<Sheet> {
  await checkParts(parts)
  const bytes = new Uint8Array(await readFile(path))
  const names: string[] = []
  await readXlsx(bytes, {
    sheets: ({ name }) => {
      names.push(name)
      return false
    },
  })
  const at = names.includes(wanted) ? names.indexOf(wanted) : /^\d+$/.test(wanted) ? Number(wanted) - 1 : -1
  const name = names[at]
  if (name === undefined)
    throw new FileFailure(`"${path}" has no sheet ${wanted}, but ${names.map(quoted).join(', ')}`)
  return { name, records: recordsOf(streamXlsxRows(bytes, { sheet: at })) }
}

const quoted = (name: string, at: number) => `${at + 1} (${JSON.stringify(name)})`

async function checkParts(parts: AsyncIterable<Part>): Promise<void> {
  let sheetBytes = 0
  for await (const { name, bytes } of parts) {
    const isSheet = name.startsWith('xl/worksheets/')
    let partBytes = 0
    let rowBytes = 0
    for await (const chunk of bytes) {
      const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
      rowBytes = !isSheet || text.includes('<row') || text.includes(':row') ? 0 : rowBytes + chunk.length
      if (isSheet) sheetBytes += chunk.length
      else partBytes += chunk.length
      if (sheetBytes > maxSheetBytes || partBytes > maxPartBytes || rowBytes > maxRowBytes)
        throw new Error(`${name} is too large for a workbook of candles: save it as CSV`)
    }
  }
}

/** Rows with values. The line is the number of the row in its sheet. */
async function* recordsOf(rows: AsyncIterable<StreamRow>): AsyncGenerator<readonly TableRecord[]> {
  let width = 0
  let records: TableRecord[] = []
  for await (const { index, values } of rows) {
    const line = index + 1
    const length = lengthOf(values)
    if (values.length > maxColumns) throw new Error(`row ${line} has more than ${maxColumns} columns`)
    if (line > maxRows) throw new Error(`a sheet has more than ${maxRows} rows`)
    width = Math.max(width, length)
    // A row ends with its last value, so it is extended to the width of the rows above.
    const record = Array.from({ length: width }, (_, at) => cellOf(values[at]))
    if (length === 0 || records.push({ record, line }) < yieldedRows) continue
    yield records
    records = []
  }
  yield records
}

/** Number of values up to the last non-empty one. Cells with only a colour are empty. */
function lengthOf(values: readonly unknown[]): number {
  let length = values.length
  while (length > 0 && (values[length - 1] === null || values[length - 1] === '')) length--
  return length
}

/** Converts a value to a cell of a table. Times are local, because Excel has no zones. */
function cellOf(value: unknown): Cell {
  if (!(value instanceof Date)) return valueCell(value)
  const time = value.getTime()
  const seconds = time / 1000
  for (const epoch of epochs)
    if (time >= epoch && seconds < epoch / 1000 + daySeconds) return clockCell((time - epoch) / 1000)
  return seconds % daySeconds === 0 ? dayCell(time) : timeCell(time, true)
}
