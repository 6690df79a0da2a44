import type { Cell } from './cell.js'
import { CsvError, type Parser, parse } from './library.js'

/** Columns of a table of candles. */
export const maxColumns = 256
/** Characters of the name of a column. */
export const maxNameLength = 200
/** Characters of a cell. */
export const maxCellLength = 1000
/** Characters of a record. */
const maxRecordLength = 65_536

/** A record of a table, and the line that it ends on, counted from 1. */
export interface TableRecord {
  readonly record: readonly Cell[]
  readonly line: number
  /** Why the line has no record; it is empty then. */
  readonly problem?: string
}

/** A record that cannot be read, or is larger than that of a table of candles may be. */
export class RecordFault extends Error {
  constructor(
    readonly line: number,
    text: string,
  ) {
    super(text)
  }
}

/** The parts of the parser that its streams use: `parse` takes a piece, and undefined for the end. */
interface SyncParser {
  readonly state: { readonly record: readonly string[] }
  readonly info: Parser['info']
  readonly api: {
    parse(
      piece: Buffer | undefined,
      isEnd: boolean,
      onRecord: (record: readonly string[]) => void,
      onEnd: () => void,
    ): Error | undefined
  }
}

/** Reads the records of a CSV text, UTF-8, from its pieces. Empty lines are records of one empty cell. */
export class RecordReader {
  readonly #parser: SyncParser
  #line = 0

  constructor(delimiter: string) {
    const options = { delimiter, bom: true, max_record_size: maxRecordLength, relax_column_count: true }
    this.#parser = parse({ ...options, trim: true }) as unknown as SyncParser
    // Otherwise the parser makes an error for each record of another length, though `relax_column_count` allows them, which
    // takes ten times as long as a record.
    const { state } = this.#parser
    Object.defineProperty(state, 'expectedRecordLength', { get: () => state.record.length, set() {} })
  }

  /** The records that end in a piece; those that are left where it is undefined. Throws RecordFault. */
  *read(piece: Buffer | undefined): Generator<TableRecord> {
    const records: (readonly string[])[] = []
    const { api, info, state } = this.#parser
    const error = api.parse(
      piece,
      piece === undefined,
      record => records.push(record),
      () => {},
    )
    for (const record of records) {
      // The parser would say the line of each record, but that takes as long as everything else.
      this.#line++
      if (record.length > maxColumns) throw new RecordFault(this.#line, tooManyColumns)
      for (const cell of record) {
        if (cell.length > maxCellLength) throw new RecordFault(this.#line, tooLongCell)
        if (cell.includes('\n')) this.#line += cell.split('\n').length - 1
      }
      yield { record, line: this.#line }
    }
    if (error instanceof CsvError) throw new RecordFault(Number(error.lines ?? info.lines), textOf(error))
    if (error) throw error
    if (state.record.length > maxColumns) throw new RecordFault(info.lines, tooManyColumns)
  }
}

const tooManyColumns = `the line has more than ${maxColumns} columns`
const tooLongCell = `a cell has more than ${maxCellLength} characters`

function textOf(error: CsvError): string {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return 'a quotation mark is not closed'
  if (error.code === 'CSV_MAX_RECORD_SIZE') return 'the line is too long for a file of candles'
  return 'the quotation marks are not as in a CSV file'
}
