import { type Cell, quoteCell } from '../../candles/csv/cell.js'
import type { DecodedText } from '../../candles/csv/decoder.js'
import type { TableRecord } from '../../candles/csv/records.js'
import { LineFault } from './reader.js'

/** A longer line is no candle. */
const maxLineLength = 65_536
/** Objects whose names together are those of the columns. */
const shownObjects = 50

/** A longer array is not read, because memory has to hold all of it: files with a candle in each line have no such bound. */
const maxArrayLength = 2 ** 28

/** The records of a text with a JSON object in each line, below the names of their fields. Empty lines are left out. */
export const readJsonLines = ({ text }: DecodedText): AsyncGenerator<TableRecord> => recordsOf(linesOf(text))

async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<Item> {
  let rest = ''
  let line = 0
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() as string
    for (const each of lines) {
      line++
      if (each.trim() !== '') yield { value: parseLine(each), line }
    }
    if (rest.length > maxLineLength) throw new LineFault(line + 1, 'the line is too long for a candle')
  }
  if (rest.trim() !== '') yield { value: parseLine(rest), line: line + 1 }
}

/** The items of a text that is one JSON array. In the place of the line is the number of the item. Throws LineFault. */
export async function readJsonArray({ text }: DecodedText): Promise<readonly unknown[]> {
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
  return parsed
}

/** The records of objects, below the names of their fields. */
export async function* recordsOfObjects(items: readonly unknown[]): AsyncGenerator<TableRecord> {
  async function* numbered() {
    for (const [at, value] of items.entries()) yield { value, line: at + 1 }
  }
  yield* recordsOf(numbered())
}

/** The records of arrays, as ccxt and many exchanges have candles. */
export async function* recordsOfArrays(items: readonly unknown[]): AsyncGenerator<TableRecord> {
  for (const [at, each] of items.entries()) {
    const line = at + 1
    if (Array.isArray(each)) yield { record: each.map(cellOf), line }
    else
      yield { record: [], line, problem: `expected an array, got ${quoteCell(String(JSON.stringify(each)))}` }
  }
}

/** A value and its line. */
interface Item {
  readonly value: unknown
  readonly line: number
}

/** An object of a text; a string is the reason why there is none. */
interface FoundObject {
  readonly object: JsonObject | string
  readonly line: number
}

/** Records of objects: the first ones show which fields there are. */
async function* recordsOf(items: AsyncIterable<Item>): AsyncGenerator<TableRecord> {
  const shown: FoundObject[] = []
  let names: readonly string[] | undefined
  const recordOf = ({ object, line }: FoundObject): TableRecord =>
    typeof object === 'string'
      ? { record: [], line, problem: object }
      : { record: (names as readonly string[]).map(name => cellOf(object[name])), line }
  function* begin() {
    const [first] = shown
    const objects = shown.flatMap(({ object }) => (typeof object === 'string' ? [] : [object]))
    if (objects.length === 0 && typeof first?.object === 'string')
      throw new LineFault(first.line, first.object)
    names = [...new Set(objects.flatMap(object => Object.keys(object)))]
    yield { record: names, line: shown[0]?.line ?? 1 }
    for (const each of shown) yield recordOf(each)
  }
  for await (const { value, line } of items) {
    const found = { object: objectOf(value), line }
    if (names) yield recordOf(found)
    else if (shown.push(found) === shownObjects) yield* begin()
  }
  if (!names && shown.length > 0) yield* begin()
}

type JsonObject = Readonly<Record<string, unknown>>

function objectOf(value: unknown): JsonObject | string {
  if (value instanceof NoJson) return `this is not JSON: ${quoteCell(value.text)}`
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  return `expected an object with timestamp, open, high, low, close and volume, got ${quoteCell(String(JSON.stringify(value)))}`
}

/** A line that is not JSON. */
class NoJson {
  constructor(readonly text: string) {}
}

/** A value as a cell of a table: a number, a text, or JSON of anything else. */
function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return value
  return typeof value === 'string' ? value.trim() : JSON.stringify(value)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const parseLine = (text: string): unknown =>
  parseJson(text) ?? (text.trim() === 'null' ? null : new NoJson(text.trim()))
