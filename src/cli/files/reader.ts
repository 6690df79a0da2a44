import type { Candle } from '../../candles/candle.js'
import { quoteCell } from '../../candles/csv/cell.js'
import { type DecodedText, detectDelimiter } from '../../candles/csv/decoder.js'
import { type CsvOptions, detectLayout, type LayoutFault, sampleSize } from '../../candles/csv/layout.js'
import { RecordFault, RecordReader, type TableRecord } from '../../candles/csv/records.js'
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
  records: AsyncIterable<TableRecord>,
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
  iterator: AsyncIterator<TableRecord>,
): Promise<{ readonly first: readonly TableRecord[]; readonly failure?: unknown }> {
  const first: TableRecord[] = []
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
async function* restOf(iterator: AsyncIterator<TableRecord>, failure: unknown): AsyncGenerator<TableRecord> {
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
  sample: readonly TableRecord[],
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

/** The records of a CSV file. */
async function* readRecords({ head, text }: DecodedText): AsyncGenerator<TableRecord> {
  const reader = new RecordReader(detectDelimiter(head))
  let emptyLines = 0
  function* filled(piece: Buffer | undefined): Generator<TableRecord> {
    for (const found of reader.read(piece)) {
      const { record, line } = found
      if (record.length > 1 || record[0] !== '') {
        emptyLines = 0
        yield found
      } else if (++emptyLines > maxEmptyLines)
        throw new RecordFault(line, `there are more than ${maxEmptyLines} empty lines in a row`)
    }
  }
  try {
    for await (const chunk of text) yield* filled(Buffer.from(chunk))
    yield* filled(undefined)
  } catch (error) {
    throw error instanceof RecordFault ? new LineFault(error.line, error.message) : error
  }
}
