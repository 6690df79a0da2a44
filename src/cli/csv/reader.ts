import { pipeline } from 'node:stream/promises'
import { CsvError, type Parser, parse } from 'csv-parse'
import type { Candle } from '../../candles/candle.js'
import { decodeText, detectDelimiter } from './decoder.js'
import { type CsvOptions, detectLayout, type Layout } from './layout.js'
import { outOfRangePrice, readRow } from './row.js'

/** A candle and the line of the file that it ends on, counted from 1. Its time may have fractions of a second. */
export interface Row {
  readonly line: number
  readonly candle: Candle
}

/** Why a line cannot be used. */
export interface RowProblem {
  readonly line: number
  readonly text: string
}

/** The candles of a CSV file. */
export interface CsvReading {
  /** Valid candles, in the order of the file. */
  readonly rows: readonly Row[]
  /** One for each line without a valid candle, in the order of the file. */
  readonly problems: readonly RowProblem[]
  /** Whether the file was read to its end; if not, the last problem says why. */
  readonly isComplete: boolean
  /** Assumptions and remarks, to be shown to the user. */
  readonly notes: readonly string[]
}

/** A file with so many problems is probably no file of candles, and is not read further. */
const maxProblems = 1000
/** So many empty lines in a row are skipped; a file with more of them is no file of candles, and is not read further. */
const maxEmptyLines = 10_000
/** Some providers put a title or their address in the first lines, above the header. */
export const maxTitleLine = 4

/**
 * Reads candles from the bytes of a CSV file: UTF-8 or UTF-16; separated by commas, semicolons or tabs; with the usual
 * names of columns in any order, or without a header where the columns are time, open, high, low, close and volume, as in
 * the files of Binance and Kraken. Times are Unix seconds, milli-, micro- or nanoseconds, or dates, in UTC unless they name
 * an offset. Rejects only where reading `input` does.
 */
export async function readCsv(
  input: AsyncIterable<Uint8Array>,
  options: CsvOptions = {},
): Promise<CsvReading> {
  const records = new RecordReader(options)
  try {
    for await (const { record, line } of readRecords(input)) {
      if (!records.add(record, line)) break
    }
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error
    records.stop({ line: error.line, text: error.message })
  }
  return records.finish()
}

/** A record of a CSV file with the line that it ends on. */
export interface CsvRecord {
  readonly record: readonly string[]
  readonly line: number
}

/** Why a file cannot be read further. */
export class CsvFault extends Error {
  constructor(
    readonly line: number,
    text: string,
  ) {
    super(text)
  }
}

/**
 * The records of a CSV file as `readCsv` describes it, with those of the header and of titles above it. Throws CsvFault,
 * and what reading `input` throws.
 */
export async function* readRecords(input: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRecord> {
  const { head, text } = await decodeText(input)
  const parser = parse({
    delimiter: detectDelimiter(head),
    max_record_size: 65_536,
    relax_column_count: true,
    trim: true,
  })
  allowAnyLength(parser)
  // What fails here also ends the loop below, except for stopping early, which is no failure.
  const feeding = Promise.allSettled([pipeline(text, parser)])
  try {
    // The parser would say the line of each record, but that takes as long as everything else.
    let line = 0
    let emptyLines = 0
    for await (const record of parser as AsyncIterable<readonly string[]>) {
      line++
      for (const cell of record) if (cell.includes('\n')) line += cell.split('\n').length - 1
      if (record.length > 1 || record[0] !== '') {
        emptyLines = 0
        yield { record, line }
      } else if (++emptyLines > maxEmptyLines)
        throw new CsvFault(line, `there are more than ${maxEmptyLines} empty lines in a row`)
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new CsvFault(Number(error.lines ?? parser.info.lines), textOf(error))
  } finally {
    parser.destroy()
    await feeding
  }
}

/**
 * Has the parser take every record for one of the expected length. Otherwise it makes an error for each empty or longer line,
 * though `relax_column_count` allows them, which takes ten times as long as a line.
 */
function allowAnyLength(parser: Parser): void {
  const { state } = parser as unknown as { readonly state: { readonly record: readonly string[] } }
  Object.defineProperty(state, 'expectedRecordLength', { get: () => state.record.length, set() {} })
}

function textOf(error: CsvError): string {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return 'a quotation mark is not closed'
  if (error.code === 'CSV_MAX_RECORD_SIZE') return 'the line is too long for a file of candles'
  return 'the quotation marks are not as in a CSV file'
}

/** Turns the records of one file into candles and problems. */
class RecordReader {
  readonly #rows: Row[] = []
  readonly #problems: RowProblem[] = []
  readonly #notes: string[] = []
  #layout: Layout | undefined
  #outOfRange = 0
  #isComplete = true

  constructor(readonly options: CsvOptions) {}

  /** Takes the next record of the file; false says that no more are wanted. */
  add(record: readonly string[], line: number): boolean {
    if (this.#layout) return this.#addCandle(record, line, this.#layout)
    if (record.length === 1 && line <= maxTitleLine) return true
    const detected = detectLayout(record, this.options)
    if (typeof detected === 'string') return this.stop({ line, text: detected })
    this.#layout = detected.layout
    this.#notes.push(...detected.notes)
    return this.#layout.hasHeader || this.#addCandle(record, line, this.#layout)
  }

  #addCandle(record: readonly string[], line: number, layout: Layout): boolean {
    const candle = readRow(record, layout)
    if (typeof candle === 'string') return this.#addProblem({ line, text: candle })
    const outOfRange = outOfRangePrice(candle)
    // Without a header, that is rather a sign of columns in another order.
    if (outOfRange !== undefined && !layout.hasHeader) return this.#addProblem({ line, text: outOfRange })
    if (outOfRange !== undefined) this.#outOfRange++
    this.#rows.push({ line, candle })
    return true
  }

  #addProblem(problem: RowProblem): boolean {
    this.#problems.push(problem)
    this.#isComplete = this.#problems.length < maxProblems
    return this.#isComplete
  }

  /** Notes a problem after which the rest of the file cannot be read. */
  stop(problem: RowProblem): false {
    this.#problems.push(problem)
    this.#isComplete = false
    return false
  }

  finish(): CsvReading {
    const [rows, problems, notes] = [this.#rows, this.#problems, this.#notes]
    if (rows.length === 0 && problems.length === 0) problems.push({ line: 1, text: 'there are no candles' })
    if (this.#outOfRange > 0)
      notes.push(
        `open or close lies outside of high and low in ${this.#outOfRange} of ${rows.length} candles`,
      )
    return { rows, problems, notes, isComplete: this.#isComplete }
  }
}
