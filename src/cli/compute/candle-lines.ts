import type { Candle } from '../../candles/candle.js'
import { columnNames } from '../../candles/columns.js'
import { quoteCell } from '../csv/cell.js'
import { decodeText } from '../csv/decoder.js'
import { problemOfTime } from '../csv/row.js'
import { parseTime } from '../csv/time.js'

/** A candle, of which the time may be missing, and the line that it stands on; a string says what is wrong with it. */
export interface ReadLine {
  readonly line: number
  readonly candle: (Omit<Candle, 'timestamp'> & { readonly timestamp?: number }) | string
}

/** A longer line is no candle. */
const maxLineLength = 65_536

/** The candles of a text with one JSON object in each line. Empty lines are left out. */
export async function* readJsonLines(input: AsyncIterable<Uint8Array>): AsyncGenerator<ReadLine> {
  const { text } = await decodeText(input)
  let rest = ''
  let line = 0
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() as string
    for (const each of lines) {
      line++
      if (each.trim() !== '') yield { line, candle: parseLine(each) }
    }
    if (rest.length > maxLineLength) {
      yield { line: line + 1, candle: 'the line is too long for a candle' }
      return
    }
  }
  if (rest.trim() !== '') yield { line: line + 1, candle: parseLine(rest) }
}

/** The candles of a text that is one JSON array of objects; in the place of the line is the number of the candle. */
export async function* readJsonArray(input: AsyncIterable<Uint8Array>): AsyncGenerator<ReadLine> {
  const { text } = await decodeText(input)
  const parts: string[] = []
  for await (const chunk of text) parts.push(chunk)
  const parsed = parseJson(parts.join(''))
  if (!Array.isArray(parsed)) {
    yield { line: 1, candle: 'this is not a JSON array of candles' }
    return
  }
  for (const [at, each] of parsed.entries()) yield { line: at + 1, candle: readObject(each) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function parseLine(text: string): ReadLine['candle'] {
  const parsed = parseJson(text)
  return parsed === undefined ? `this is not JSON: ${quoteCell(text.trim())}` : readObject(parsed)
}

/** A candle in the long or the short spelling of the interface. Its time may be written as in a CSV file. */
function readObject(parsed: unknown): ReadLine['candle'] {
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
