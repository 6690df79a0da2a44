import type { Candle } from '../../candles/candle.js'
import { columnNames } from '../../candles/columns.js'
import { parseTime, quoteCell } from '../../candles/csv/cell.js'
import { type DecodedText, decodeText } from '../../candles/csv/decoder.js'
import { contradiction, problemOfTime } from '../../candles/csv/row.js'
import { formatTime } from '../../candles/format-time.js'
import { openFiles } from '../csv/input-file.js'
import { LineFault, readCsvLines } from '../csv/reader.js'
import { CommandFailure } from '../failure.js'
import type { ReadingDisplay } from '../progress.js'

/** How candles are written: CSV as `candela import` reads it, one JSON object in each line, or one JSON array. */
export const inputFormats = ['csv', 'ndjson', 'json'] as const
export type InputFormat = (typeof inputFormats)[number]

/** A longer line is no candle. */
const maxLineLength = 65_536

interface Options {
  /** Found by the first character where it is not given. */
  readonly format?: InputFormat | undefined
  /** Called with assumptions that the user should know of. */
  readonly onNote: (text: string) => void
  readonly display?: ReadingDisplay
}

/** A candle that may have no time. */
type Numbers = Omit<Candle, 'timestamp'> & { readonly timestamp?: number }

/** A candle and its line; a string is the reason why the line cannot be used. */
interface ReadLine {
  readonly line: number
  readonly candle: Numbers | string
}

/**
 * The candles of files, oldest first, as one series. Throws CommandFailure, which names the line, where one cannot be
 * read or does not come after the one before.
 */
export async function* readCandles(paths: readonly string[], options: Options): AsyncGenerator<Candle> {
  const faultOfTime = openTimeCheck()
  for await (const { name, bytes } of openFiles(paths, options.display)) {
    try {
      for await (const { line, candle } of readLines(await decodeText(bytes), options)) {
        const fault = typeof candle === 'string' ? candle : (contradiction(candle) ?? faultOfTime(candle))
        if (fault !== undefined) throw new LineFault(line, fault)
        yield candle as Candle
      }
    } catch (error) {
      if (!(error instanceof LineFault)) throw error
      throw new CommandFailure(`${name} line ${error.line}: ${error.message}`)
    }
  }
}

/**
 * A function that says what is wrong with the open time of the next candle: times must ascend. It gives candles without a
 * time their index, as requests with candles do.
 */
function openTimeCheck(): (candle: Numbers) => string | undefined {
  let count = 0
  let isTimed = false
  let last = Number.NEGATIVE_INFINITY
  return candle => {
    const { timestamp } = candle
    if (count === 0) isTimed = timestamp !== undefined
    if ((timestamp !== undefined) !== isTimed)
      return `the time is ${isTimed ? 'missing' : 'given'}: give it on every candle or on none`
    if (timestamp === undefined) Object.assign(candle, { timestamp: count })
    else if (!Number.isInteger(timestamp)) return `the time ${formatTime(timestamp)} is not a whole second`
    else if (timestamp <= last)
      return `${formatTime(timestamp)} is not after ${formatTime(last)}, the candle before; the oldest must come first`
    last = timestamp ?? last
    count++
    return undefined
  }
}

function readLines(input: DecodedText, { format, onNote }: Options): AsyncIterable<ReadLine> {
  const first = /\S/.exec(input.head)?.[0]
  const found = format ?? (first === '{' ? 'ndjson' : first === '[' ? 'json' : 'csv')
  if (found === 'csv') return readCsvLines(input, {}, onNote)
  return found === 'json' ? readJsonArray(input) : readJsonLines(input)
}

/** The candles of a text with one JSON object in each line. Empty lines are left out. */
async function* readJsonLines({ text }: DecodedText): AsyncGenerator<ReadLine> {
  let rest = ''
  let line = 0
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() as string
    for (const each of lines) {
      line++
      if (each.trim() !== '') yield { line, candle: parseLine(each) }
    }
    if (rest.length > maxLineLength) throw new LineFault(line + 1, 'the line is too long for a candle')
  }
  if (rest.trim() !== '') yield { line: line + 1, candle: parseLine(rest) }
}

/** The candles of a text that is one JSON array of objects; in the place of the line is the number of the candle. */
async function* readJsonArray({ text }: DecodedText): AsyncGenerator<ReadLine> {
  const parts: string[] = []
  for await (const chunk of text) parts.push(chunk)
  const parsed = parseJson(parts.join(''))
  if (!Array.isArray(parsed)) throw new LineFault(1, 'this is not a JSON array of candles')
  for (const [at, each] of parsed.entries()) yield { line: at + 1, candle: readObject(each) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function parseLine(text: string): Numbers | string {
  const parsed = parseJson(text)
  return parsed === undefined ? `this is not JSON: ${quoteCell(text.trim())}` : readObject(parsed)
}

/** A candle in the long or the short spelling of the interface. Its time may be written as in a CSV file. */
function readObject(parsed: unknown): Numbers | string {
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    return `expected an object with timestamp, open, high, low, close and volume, got ${quoteCell(String(JSON.stringify(parsed)))}`
  const given = parsed as Readonly<Record<string, unknown>>
  const candle: Record<string, number> = {}
  for (const name of columnNames) {
    const short = name[0] as string
    if (name in given && short in given) return `both ${name} and ${short} are given`
    const value = given[name] ?? given[short]
    if (name === 'timestamp') {
      if (value === undefined || value === null) continue
      const time = parseTime(String(value))
      if (time === undefined) return problemOfTime(String(value))
      candle.timestamp = time
    } else if (typeof value === 'number' && Number.isFinite(value)) candle[name] = value
    else if (value === undefined) return `${name} is missing`
    else return `${name} is ${quoteCell(String(JSON.stringify(value)))}, expected a number`
  }
  return candle as never
}
