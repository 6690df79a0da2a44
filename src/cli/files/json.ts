import type { Candle } from '../../candles/candle.js'
import { columnNames } from '../../candles/columns.js'
import { quoteCell } from '../../candles/csv/cell.js'
import type { DecodedText } from '../../candles/csv/decoder.js'
import type { CsvOptions } from '../../candles/csv/layout.js'
import { problemOfTime } from '../../candles/csv/row.js'
import { parseTime } from '../../candles/csv/time.js'
import { LineFault, readCandleRecords } from './reader.js'

/** A longer line is no candle. */
const maxLineLength = 65_536

/** A longer array is not read, because memory has to hold all of it: files with a candle in each line have no such bound. */
const maxArrayLength = 2 ** 28

/** A candle that may have no time. */
export type Numbers = Omit<Candle, 'timestamp'> & { readonly timestamp?: number }

/** A candle and its line; a string is the reason why the line cannot be used. */
export interface ReadLine {
  readonly line: number
  readonly candle: Numbers | string
  /** Whether the fields of the candle have names. */
  readonly hasHeader: boolean
}

/** The candles of a text with one JSON object in each line. Empty lines are left out. */
export async function* readJsonLines({ text }: DecodedText): AsyncGenerator<ReadLine> {
  let rest = ''
  let line = 0
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() as string
    for (const each of lines) {
      line++
      if (each.trim() !== '') yield { line, candle: parseLine(each), hasHeader: true }
    }
    if (rest.length > maxLineLength) throw new LineFault(line + 1, 'the line is too long for a candle')
  }
  if (rest.trim() !== '') yield { line: line + 1, candle: parseLine(rest), hasHeader: true }
}

/**
 * The candles of a text that is one JSON array of objects, or of arrays as ccxt and many exchanges have them. In the place of the line is
 * the number of the candle.
 */
export async function* readJsonArray(
  { text }: DecodedText,
  options: CsvOptions,
  onNote: (text: string) => void,
): AsyncGenerator<ReadLine> {
  const parts: string[] = []
  let length = 0
  for await (const chunk of text) {
    length += chunk.length
    if (length > maxArrayLength)
      throw new LineFault(1, `a JSON array of more than ${maxArrayLength} characters is not read`)
    parts.push(chunk)
  }
  const parsed = parseJson(parts.join(''))
  if (!Array.isArray(parsed)) throw new LineFault(1, 'this is not a JSON array of candles')
  if (Array.isArray(parsed[0])) yield* readCandleRecords(recordsOf(parsed), options, onNote)
  else
    for (const [at, each] of parsed.entries())
      yield { line: at + 1, candle: readObject(each), hasHeader: true }
}

async function* recordsOf(arrays: readonly unknown[]) {
  for (const [at, each] of arrays.entries()) {
    if (!Array.isArray(each))
      throw new LineFault(at + 1, `expected an array, got ${quoteCell(String(JSON.stringify(each)))}`)
    yield { record: each.map(value => (value === null ? '' : String(value))), line: at + 1 }
  }
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
