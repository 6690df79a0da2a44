import { pipeline } from 'node:stream/promises'
import type { Candle } from '../../candles/candle.js'
import { type DecodedText, decodeText, detectDelimiter } from '../../candles/csv/decoder.js'
import { type CsvOptions, detectLayout, type Layout } from '../../candles/csv/layout.js'
import { CsvError, type Parser, parse } from '../../candles/csv/library.js'
import { contradiction, outOfRangePrice, priceNotPositive, readCells } from '../../candles/csv/row.js'

/** Takes a candle and the line of the file that it ends on, counted from 1. Its time may have fractions of a second. */
type TakeRow = (line: number, candle: Candle) => void

/** Why a line cannot be used. */
export interface RowProblem {
  readonly line: number
  readonly text: string
}

/** What was read of a CSV file. */
export interface CsvReading {
  /** How many valid candles there are. */
  readonly rows: number
  /** One for each line without a valid candle, in the order of the file. */
  readonly problems: readonly RowProblem[]
  /** Whether the file was read to its end; if not, the last problem is the reason. */
  readonly isComplete: boolean
  /** Assumptions and remarks, to be shown to the user. */
  readonly notes: readonly string[]
}

/** A file with more problems is probably no file of candles, and is not read further. */
const maxProblems = 1000
/** A file with more empty lines in a row is no file of candles, and is not read further. */
const maxEmptyLines = 10_000
/** Some providers put a title or their address in the first lines, above the header. */
const maxTitleLine = 4

/** Why a file cannot be read further, and the line where that is so. */
export class LineFault extends Error {
  constructor(
    readonly line: number,
    text: string,
  ) {
    super(text)
  }
}

/**
 * Reads candles from the bytes of a CSV file: UTF-8 or UTF-16; separated by commas, semicolons or tabs; with the usual
 * names of columns in any order, or without a header where the columns are time, open, high, low, close and volume, as in
 * the files of Binance and Kraken. Times are Unix seconds, milli-, micro- or nanoseconds, or dates, in UTC unless they name
 * an offset. Valid candles are taken in the order of the file. Rejects only where reading `input` does.
 */
export async function readCsv(
  input: AsyncIterable<Uint8Array>,
  options: CsvOptions,
  takeRow: TakeRow,
): Promise<CsvReading> {
  let rows = 0
  const problems: RowProblem[] = []
  const notes: string[] = []
  let outOfRange = 0
  let isComplete = true
  try {
    const lines = readCsvLines(await decodeText(input), options, note => notes.push(note))
    for await (const { line, candle, hasHeader } of lines) {
      const outside = typeof candle === 'string' ? undefined : outOfRangePrice(candle)
      // Without a header, a price that is out of range is rather a sign of columns in another order.
      const text =
        typeof candle === 'string'
          ? candle
          : (priceNotPositive(candle) ?? contradiction(candle) ?? (hasHeader ? undefined : outside))
      if (text === undefined) {
        if (outside !== undefined) outOfRange++
        rows++
        takeRow(line, candle as Candle)
      } else if (problems.push({ line, text }) >= maxProblems) {
        isComplete = false
        break
      }
    }
  } catch (error) {
    if (!(error instanceof LineFault)) throw error
    problems.push({ line: error.line, text: error.message })
    isComplete = false
  }
  if (rows === 0 && problems.length === 0) problems.push({ line: 1, text: 'there are no candles' })
  if (outOfRange > 0)
    notes.push(`open or close lies outside of high and low in ${outOfRange} of ${rows} candles`)
  return { rows, problems, notes, isComplete }
}

/** A line of a CSV file: the numbers of a candle, which need not be a possible one, or why there is none. */
interface CsvLine {
  readonly line: number
  readonly candle: Candle | string
  readonly hasHeader: boolean
}

/** The candles of a CSV file as `readCsv` describes it. Throws LineFault, and what reading `input` throws. */
export async function* readCsvLines(
  input: DecodedText,
  options: CsvOptions,
  onNote: (text: string) => void,
): AsyncGenerator<CsvLine> {
  let layout: Layout | undefined
  for await (const { record, line } of readRecords(input)) {
    if (layout === undefined) {
      if (record.length === 1 && line <= maxTitleLine) continue
      const detected = detectLayout(record, options)
      if (typeof detected === 'string') throw new LineFault(line, detected)
      layout = detected.layout
      detected.notes.forEach(onNote)
      if (layout.hasHeader) continue
    }
    yield { line, candle: readCells(record, layout), hasHeader: layout.hasHeader }
  }
}

/** The records of a CSV file, with the lines that they end on. */
async function* readRecords({
  head,
  text,
}: DecodedText): AsyncGenerator<{ readonly record: readonly string[]; readonly line: number }> {
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
        throw new LineFault(line, `there are more than ${maxEmptyLines} empty lines in a row`)
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new LineFault(Number(error.lines ?? parser.info.lines), textOf(error))
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
