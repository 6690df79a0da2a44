import { pipeline } from 'node:stream/promises'
import type { Candle } from '../../candles/candle.js'
import { quoteCell } from '../../candles/csv/cell.js'
import { type DecodedText, detectDelimiter } from '../../candles/csv/decoder.js'
import { type CsvOptions, detectLayout, type LayoutFault, sampleSize } from '../../candles/csv/layout.js'
import { CsvError, type Parser, parse } from '../../candles/csv/library.js'
import { readCells } from '../../candles/csv/row.js'
import { formatCount } from '../output.js'

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

/** A line of a file: the numbers of a candle, which need not be a possible one, or why there is none. */
export interface ReadLine {
  readonly line: number
  readonly candle: Candle | string
  readonly hasHeader: boolean
}

/** A record of a file, and the line that it ends on. */
export interface FileRecord {
  readonly record: readonly string[]
  readonly line: number
}

/**
 * The candles of a CSV file: UTF-8, UTF-16 or Windows-1252; separated by commas, semicolons or tabs; with the usual names of columns
 * in any order, or without a header where the order is one of the usual ones. Throws LineFault, and what reading `input` throws.
 */
export const readCsvLines = (input: DecodedText, options: CsvOptions, onNote: (text: string) => void) =>
  readCandleRecords(readRecords(input), options, onNote)

/**
 * The candles of records, of which the first ones show where the fields of a candle are. Throws LineFault, also where the records
 * are of several markets and the options do not name one of them.
 */
export async function* readCandleRecords(
  records: AsyncIterable<FileRecord>,
  options: CsvOptions,
  onNote: (text: string) => void,
): AsyncGenerator<ReadLine> {
  const iterator = records[Symbol.asyncIterator]()
  try {
    const { first: shown, failure } = await firstRecords(iterator)
    // Only the first rows can be names, so that the others need not be looked at.
    const first = shown.filter(({ record }, at) => at === 0 || !isSubheader(record))
    const [head] = first
    if (!head) {
      if (failure !== undefined) throw failure
      return
    }
    const detected = detectLayout(
      head.record,
      options,
      first.slice(1).map(({ record }) => record),
    )
    if ('reason' in detected) throw new LineFault(head.line, textOfFault(detected))
    const { layout, notes } = detected
    notes.forEach(onNote)
    const isWanted = symbolFilter(layout.symbol, first.slice(1), options.symbol)
    let withoutPrices = 0
    const rest = restOf(iterator, failure)
    for await (const { record, line } of chain(layout.hasHeader ? first.slice(1) : first, rest)) {
      if (!isWanted(record, line)) continue
      const candle = readCells(record, layout)
      if (candle === undefined) withoutPrices++
      else yield { line, candle, hasHeader: layout.hasHeader }
    }
    if (withoutPrices > 0) onNote(`${formatCount(withoutPrices, 'row')} without prices left out`)
  } finally {
    await iterator.return?.()
  }
}

/** The records that show the layout, without a title above them, and why no more could be read. */
async function firstRecords(
  iterator: AsyncIterator<FileRecord>,
): Promise<{ readonly first: readonly FileRecord[]; readonly failure?: unknown }> {
  const first: FileRecord[] = []
  try {
    while (first.length < sampleSize) {
      const { value, done } = await iterator.next()
      if (done) break
      if (first.length === 0 && value.record.length === 1 && value.line <= maxTitleLine) continue
      first.push(value)
    }
  } catch (failure) {
    return { first, failure }
  }
  return { first }
}

/** The first items, then the rest. */
export async function* chain<Item>(first: readonly Item[], rest: AsyncIterable<Item>): AsyncGenerator<Item> {
  yield* first
  yield* rest
}

/** What is left of records, or the failure that ended their reading. */
async function* restOf(iterator: AsyncIterator<FileRecord>, failure: unknown): AsyncGenerator<FileRecord> {
  if (failure !== undefined) throw failure
  yield* { [Symbol.asyncIterator]: () => iterator }
}

/** Whether a record is one of the two that yfinance writes below its header: the symbol of each column, and the name of the index. */
const isSubheader = ([first = '', second = '', ...rest]: readonly string[]) =>
  /^ticker$/i.test(first) ||
  (/^date(time)?$/i.test(first) && second === '' && rest.every(cell => cell === ''))

/**
 * Says of each record whether it is of the wanted market. Files of several markets need its symbol; where all rows have one and the same
 * symbol, it may be another name of the market. Throws LineFault at a record of a second market where none is wanted.
 */
function symbolFilter(
  at: number | undefined,
  sample: readonly FileRecord[],
  wanted: string | undefined,
): (record: readonly string[], line: number) => boolean {
  if (at === undefined) return () => true
  const nameOf = (record: readonly string[]) => plainSymbol(record[at] ?? '')
  const own = plainSymbol(wanted ?? '')
  const names = new Set(sample.map(({ record }) => nameOf(record)))
  if (wanted !== undefined && (names.has(own) || names.size > 1)) return record => nameOf(record) === own
  const [first] = names
  return (record, line) => {
    if (nameOf(record) === first || first === undefined) return true
    const shown = `${quoteCell(sample[0]?.record[at] ?? '')} and ${quoteCell(record[at] ?? '')}`
    throw new LineFault(line, `the file has candles of several markets, such as ${shown}: add --symbol`)
  }
}

/** A symbol without its exchange, without what stands between its currencies, and in capitals. */
const plainSymbol = (text: string) =>
  text
    .replace(/^.*:/, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase()

const textOfFault = ({ reason, option }: LayoutFault): string =>
  option === undefined ? reason : `${reason} (add ${option})`

/** The records of a CSV file, with the lines that they end on. */
async function* readRecords({ head, text }: DecodedText): AsyncGenerator<FileRecord> {
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
