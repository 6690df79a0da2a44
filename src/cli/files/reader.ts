import { CandleReader, type ReadLine, TableFault } from '../../candles/csv/candle-reader.js'
import { quoteCell } from '../../candles/csv/cell.js'
import { type DecodedText, detectDelimiter } from '../../candles/csv/decoder.js'
import { plainSymbol } from '../../candles/csv/header.js'
import type { CsvOptions } from '../../candles/csv/layout.js'
import type { LayoutFault } from '../../candles/csv/layout-fault.js'
import { RecordFault, RecordReader, type TableRecord } from '../../candles/csv/records.js'
import { HeldLines } from './held-lines.js'

/** A file with more empty lines in a row is no file of candles, and is not read further. */
const maxEmptyLines = 10_000

/** Why a file cannot be read further, and the line where that is so. */
export class LineFault extends Error {
  constructor(
    readonly line: number,
    text: string,
  ) {
    super(text)
  }
}

/** What the caller of a reader is told. */
export interface Listener {
  readonly onNote: (text: string) => void
  readonly onExplanation?: (text: string) => void
}

/** How the records of a file become candles. */
export interface RecordOptions extends CsvOptions, Listener {
  /** Whether the first record names the columns whatever it looks like. */
  readonly isNamed?: boolean
  /** Whether candles without any time are read. */
  readonly mayLackTimes?: boolean
}

/**
 * The candles of records, of which the first ones show where the fields of a candle are. Throws LineFault, also where the records
 * are of several markets and the options do not name one of them.
 */
export async function* readCandleRecords(
  records: AsyncIterable<TableRecord>,
  options: RecordOptions,
): AsyncGenerator<ReadLine> {
  try {
    yield* ofOneMarket(readAllLines(records, new CandleReader(options)), options.symbol)
  } catch (error) {
    throw error instanceof TableFault ? new LineFault(error.line, textOfFault(error.fault)) : error
  }
}

async function* readAllLines(
  records: AsyncIterable<TableRecord>,
  reader: CandleReader,
): AsyncGenerator<ReadLine> {
  let failure: unknown
  try {
    for await (const record of records) yield* reader.add(record)
  } catch (error) {
    if (error instanceof TableFault) throw error
    failure = error
  }
  // What stands before a fault is read as well.
  yield* reader.finish()
  if (failure !== undefined) throw failure
}

/** The first items, then the rest. */
export async function* chain<Item>(first: readonly Item[], rest: AsyncIterable<Item>): AsyncGenerator<Item> {
  yield* first
  yield* rest
}

/**
 * The lines of one market. Files of several markets need its symbol; where all rows have one and the same symbol, it may be another name
 * of the market. So rows of another symbol wait until one of the market, or of a third symbol, comes. Throws LineFault.
 */
async function* ofOneMarket(
  lines: AsyncIterable<ReadLine>,
  wanted: string | undefined,
): AsyncGenerator<ReadLine> {
  const own = wanted === undefined ? undefined : plainSymbol(wanted)
  const names = new Set<string>()
  const held = new HeldLines()
  let isFound = false
  try {
    for await (const line of lines) {
      const { market } = line
      if (market === undefined) {
        yield line
        continue
      }
      if (plainSymbol(market) === own) isFound = true
      else if (isFound) continue
      else if (names.size < 2) names.add(market)
      const isSecond = names.size > 1
      if (own === undefined && isSecond) throw new LineFault(line.line, severalMarkets([...names]))
      if (own === undefined || plainSymbol(market) === own) yield line
      else if (!isSecond) held.add(line)
    }
    if (isFound || names.size === 0) return
    if (names.size > 1)
      throw new LineFault(1, `there are no candles of ${wanted}, but of ${listed([...names])}`)
    yield* held.read()
  } finally {
    held.close()
  }
}

const listed = (names: readonly string[]) => names.map(quoteCell).join(' and ')
const severalMarkets = (names: readonly string[]) =>
  `the file has candles of several markets, such as ${listed(names)}: add --symbol`

const textOfFault = ({ reason, option }: LayoutFault): string =>
  option === undefined ? reason : `${reason} (add ${option})`

/** The records of a CSV file. */
export async function* readRecords({ head, text }: DecodedText): AsyncGenerator<TableRecord> {
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
