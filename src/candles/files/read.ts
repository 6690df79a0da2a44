import type { Candle } from '../candle.js'
import { formatTime } from '../format-time.js'
import {
  CandleReader,
  type Numbers,
  outOfRangePrice,
  type ReaderOptions,
  type ReadLine,
  TableFault,
} from './candle-reader.js'
import { quoteCell } from './cell.js'
import { CandleRows, candleWidth, HeldLines } from './disk-rows.js'
import { type InputFile, type OpenOptions, openFiles } from './input.js'
import { readJsonArray, readJsonLines, recordsOfItems } from './json.js'
import { type CsvOptions, plainSymbol } from './roles.js'
import type { TableRecord } from './text.js'
import { CsvReader, type DecodedText, decodeText, detectDelimiter, FileFailure, LineFault } from './text.js'

/** Text formats of candles: CSV, one JSON object per line, or one JSON array. */
export const textFormats = ['csv', 'ndjson', 'json'] as const
export type TextFormat = (typeof textFormats)[number]

export interface ReadingOptions extends CsvOptions {
  /** Format of a text. Default: detected by its first character. */
  readonly format?: TextFormat | undefined
  /** Name of a sheet of a workbook, or its position, counted from 1. Default: the first sheet. */
  readonly sheet?: string | undefined
}

/** Callbacks of a reader. */
export interface Listener {
  readonly onNote: (text: string) => void
  readonly onExplanation?: (text: string) => void
}

/** Objects have field names, and may lack times, as candles in requests. */
const ofObjects = { isNamed: true, mayLackTimes: true }

/** Reads the candles of a file in the order of its lines, some lines at a time. Throws LineFault and the errors of the file. */
export async function* readLines(
  file: InputFile,
  options: ReadingOptions & Listener,
): AsyncGenerator<readonly ReadLine[]> {
  const { records, isNamed = false } = file
  if (records) return yield* readCandleRecords(records, { ...options, isNamed })
  const text = await decodeText(file.bytes)
  const first = /\S/.exec(text.head)?.[0]
  const found = options.format ?? (first === '{' ? 'ndjson' : first === '[' ? 'json' : 'csv')
  if (found === 'csv') return yield* readCandleRecords(readCsv(text), options)
  if (found === 'ndjson') return yield* readCandleRecords(readJsonLines(text), { ...options, ...ofObjects })
  const items = await readJsonArray(text)
  const form = Array.isArray(items[0]) ? {} : ofObjects
  yield* readCandleRecords(recordsOfItems(items), { ...options, ...form })
}

async function* readCsv({ head, text }: DecodedText): AsyncGenerator<readonly TableRecord[]> {
  const reader = new CsvReader(detectDelimiter(head))
  let records: TableRecord[] = []
  const take = (record: TableRecord) => {
    records.push(record)
  }
  try {
    for await (const piece of text) {
      reader.read(piece, take)
      yield records
      records = []
    }
    reader.read(undefined, take)
  } catch (error) {
    // Yields the records before the fault.
    yield records
    throw error
  }
  yield records
}

/**
 * Reads the candles of records. The first records show which column has which field. Throws LineFault, also if the records belong
 * to several markets and the options do not name one of these.
 */
async function* readCandleRecords(
  records: AsyncIterable<readonly TableRecord[]>,
  options: ReaderOptions,
): AsyncGenerator<readonly ReadLine[]> {
  try {
    yield* ofOneMarket(readAllLines(records, new CandleReader(options)), options.symbol)
  } catch (error) {
    if (!(error instanceof TableFault)) throw error
    const { reason, option } = error.fault
    throw new LineFault(error.line, option === undefined ? reason : `${reason} (add ${option})`)
  }
}

async function* readAllLines(
  records: AsyncIterable<readonly TableRecord[]>,
  reader: CandleReader,
): AsyncGenerator<readonly ReadLine[]> {
  let failure: unknown
  let lines: ReadLine[] = []
  const take = (line: ReadLine) => {
    lines.push(line)
  }
  try {
    for await (const some of records) {
      for (const record of some) reader.add(record, take)
      yield lines
      lines = []
    }
  } catch (error) {
    if (error instanceof TableFault) throw error
    failure = error
  }
  // Yields the lines before the fault.
  reader.finish(take)
  yield lines
  if (failure !== undefined) throw failure
}

/**
 * Selects the lines of one market. Files of several markets need its symbol. If all rows have the same symbol, this may be another
 * name of the market. So rows of another symbol are held until a row of the market or of a third symbol arrives. Throws LineFault.
 */
async function* ofOneMarket(
  lines: AsyncIterable<readonly ReadLine[]>,
  wanted: string | undefined,
): AsyncGenerator<readonly ReadLine[]> {
  const own = wanted === undefined ? undefined : plainSymbol(wanted)
  const names = new Set<string>()
  const held = new HeldLines()
  let isFound = false
  /** Whether a line belongs to the market. */
  const isOwn = (each: ReadLine): boolean => {
    const { line, market } = each
    if (market === undefined) return true
    const isWanted = plainSymbol(market) === own
    if (isWanted) isFound = true
    else if (isFound) return false
    else if (names.size < 2) names.add(market)
    const isSecond = names.size > 1
    if (own === undefined && isSecond)
      throw new LineFault(
        line,
        `the file has candles of several markets, such as ${listed(names)}: add --symbol`,
      )
    if (own === undefined || isWanted) return true
    if (!isSecond) held.add(each)
    return false
  }
  try {
    for await (const some of lines) yield some.filter(isOwn)
    if (isFound || names.size === 0 || own === undefined) return
    if (names.size > 1) throw new LineFault(1, `there are no candles of ${wanted}, but of ${listed(names)}`)
    yield* held.read()
  } finally {
    held.close()
  }
}

const listed = (names: ReadonlySet<string>) => [...names].map(quoteCell).join(' and ')

/** Called with a candle and its last line in the file, counted from 1. The time may have fractions of a second. */
type TakeRow = (line: number, candle: Candle) => void

/** A line that cannot be used, with the reason. */
export interface RowProblem {
  readonly line: number
  readonly text: string
}

export interface FileReading {
  /** Number of valid candles. */
  readonly rows: number
  /** Problems of the lines without a valid candle, in the order of the file. */
  readonly problems: readonly RowProblem[]
  /** Whether the file was read to its end; if not, the last problem is the reason. */
  readonly isComplete: boolean
  /** Assumptions and remarks to show to the user. */
  readonly notes: readonly string[]
}

/** Maximum number of problems. A file with more is probably no file of candles, and is not read further. */
const maxProblems = 1000
const isTimed = (candle: Numbers): candle is Candle => candle.timestamp !== undefined

/** Passes the valid candles of a file in any format to `takeRow`, in file order. Rejects only if reading `input` fails. */
export async function readRows(
  input: InputFile,
  options: ReadingOptions,
  takeRow: TakeRow,
): Promise<FileReading> {
  let rows = 0
  const problems: RowProblem[] = []
  const notes: string[] = []
  let outOfRange = 0
  let isComplete = true
  const listener = { onNote: (note: string) => notes.push(note) }
  try {
    read: for await (const lines of readLines(input, { ...options, ...listener }))
      for (const { line, candle } of lines) {
        const text = typeof candle === 'string' ? candle : 'timestamp is missing'
        if (typeof candle === 'object' && isTimed(candle)) {
          if (outOfRangePrice(candle) !== undefined) outOfRange++
          rows++
          takeRow(line, candle)
        } else if (problems.push({ line, text }) >= maxProblems) {
          isComplete = false
          break read
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

/**
 * Reads the candles of files as one series, oldest first, some at a time. A file may have its newest candle first. Throws
 * FileFailure with the line if a candle cannot be read or is not later than the previous candle.
 */
export async function* readCandles(
  paths: readonly string[],
  options: ReadingOptions & Listener & OpenOptions,
): AsyncGenerator<readonly Candle[]> {
  const faultOfTime = openTimeCheck()
  for await (const file of openFiles(paths, options)) {
    try {
      for await (const lines of oldestFirst(readLines(file, options))) {
        const candles: Candle[] = []
        for (const { line, candle } of lines) {
          const fault = typeof candle === 'string' ? candle : faultOfTime(candle)
          if (fault !== undefined) throw new LineFault(line, fault)
          candles.push(candle as Candle)
        }
        yield candles
      }
    } catch (error) {
      if (!(error instanceof LineFault)) throw error
      throw new FileFailure(`${file.name} line ${error.line}: ${error.message}`)
    }
  }
}

type Line = Pick<ReadLine, 'line' | 'candle'>

/** Yields the lines of a file with the oldest candle first. Reverses the file if its second candle is older than the first. */
async function* oldestFirst(lines: AsyncGenerator<readonly ReadLine[]>): AsyncGenerator<readonly Line[]> {
  const first: ReadLine[] = []
  let isEnd = false
  while (first.length < 2 && !isEnd) {
    const next = await lines.next()
    isEnd = next.done === true
    if (!next.done) first.push(...next.value)
  }
  async function* all() {
    yield first
    if (!isEnd) yield* lines
  }
  const [newer, older] = first.map(timeOf)
  if (newer !== undefined && older !== undefined && older < newer) yield* reversed(all())
  else yield* all()
}

const timeOf = ({ candle }: ReadLine): number | undefined =>
  typeof candle === 'string' ? undefined : candle.timestamp

/** Reverses lines whose newest candle comes first. The lines wait in memory, or in a temporary file if there are many. */
async function* reversed(lines: AsyncIterable<readonly ReadLine[]>): AsyncGenerator<readonly Line[]> {
  const rows = new CandleRows()
  try {
    const row = new Float64Array(candleWidth)
    let last = Number.POSITIVE_INFINITY
    let lastLine = 0
    for await (const some of lines)
      for (const { line, candle } of some) {
        if (typeof candle === 'string') throw new LineFault(line, candle)
        const { timestamp = Number.NaN, open, high, low, close, volume } = candle
        if (!(timestamp < last)) {
          const fault = `${formatTime(timestamp)} is not before ${formatTime(last)}, the candle above; the newest comes first in this file`
          throw new LineFault(line, Number.isNaN(timestamp) ? 'timestamp is missing' : fault)
        }
        row.set([timestamp, open, high, low, close, volume])
        rows.add(row, 0)
        last = timestamp
        lastLine = line
      }
    for (let to = rows.count; to > 0; to -= pieceCandles)
      yield rows
        .read(Math.max(0, to - pieceCandles), to)
        .reverse()
        .map(candle => ({ line: lastLine, candle }))
  } finally {
    rows.close()
  }
}

/** Number of candles yielded at a time from a reversed file. */
const pieceCandles = 4096

/**
 * Creates a function that returns the fault of the open time of the next candle. Times must ascend. The function sets the time of
 * candles without one to their index, as requests with candles do.
 */
function openTimeCheck(): (candle: Numbers) => string | undefined {
  let count = 0
  let isFirstTimed = false
  let last = Number.NEGATIVE_INFINITY
  return candle => {
    const { timestamp } = candle
    if (count === 0) isFirstTimed = timestamp !== undefined
    if ((timestamp !== undefined) !== isFirstTimed)
      return `the time is ${isFirstTimed ? 'missing' : 'given'}: give it on every candle or on none`
    if (timestamp === undefined) Object.assign(candle, { timestamp: count })
    else if (!Number.isInteger(timestamp)) return `the time ${formatTime(timestamp)} is not a whole second`
    else if (timestamp <= last)
      return `${formatTime(timestamp)} is not after ${formatTime(last)}, the candle before; the oldest must come first`
    last = timestamp ?? last
    count++
    return undefined
  }
}

/** Yields the assignment of columns to fields per file, in one line. Throws FileFailure if it cannot be determined. */
export async function* explainFiles(
  paths: readonly string[],
  options: ReadingOptions,
): AsyncGenerator<{ readonly file: string; readonly reading: string }> {
  for await (const file of openFiles(paths, options)) {
    let reading: string | undefined
    const onExplanation = (found: string) => {
      reading = found
    }
    const lines = readLines(file, { ...options, onNote: () => {}, onExplanation })
    try {
      while (reading === undefined && !(await lines.next()).done);
    } catch (error) {
      if (!(error instanceof LineFault)) throw error
      throw new FileFailure(`${file.name} line ${error.line}: ${error.message}`)
    } finally {
      await lines.return(undefined)
    }
    yield { file: file.name, reading: reading ?? 'there are no candles' }
  }
}
