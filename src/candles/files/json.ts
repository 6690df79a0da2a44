import { type Cell, quoteCell } from './cell.js'
import { type DecodedText, LineFault, type TableRecord } from './text.js'

/** Maximum length of a line. A longer line is no candle. */
const maxLineLength = 65_536
/** Number of first objects whose field names are the columns. */
const shownObjects = 50
/** Maximum length of an array, because memory must hold all of it. Files with a candle per line have no such bound. */
const maxArrayLength = 2 ** 28

/** Reads a text with a JSON object per line: first a record with the field names, then the records. Skips empty lines. */
export async function* readJsonLines({ text }: DecodedText): AsyncGenerator<readonly TableRecord[]> {
  const objects = new ObjectRecords()
  let rest = ''
  let line = 0
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() as string
    for (const each of lines) {
      line++
      if (each.trim() !== '') objects.add(parseLine(each), line)
    }
    yield objects.take()
    if (rest.length > maxLineLength) {
      yield objects.finish()
      throw new LineFault(line + 1, 'the line is too long for a candle')
    }
  }
  if (rest.trim() !== '') objects.add(parseLine(rest), line + 1)
  yield objects.finish()
}

/** Reads the items of a text that is one JSON array. Throws LineFault. */
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

/**
 * Records of the items of an array. Items are arrays, as ccxt and many exchanges have candles, or objects. Records of objects
 * follow a record with the field names. The line of a record is the number of its item.
 */
export async function* recordsOfItems(items: readonly unknown[]): AsyncGenerator<readonly TableRecord[]> {
  if (Array.isArray(items[0])) {
    yield items.map((each, at) => {
      const line = at + 1
      if (Array.isArray(each)) return { record: each.map(cellOf), line }
      return {
        record: [],
        line,
        problem: `expected an array, got ${quoteCell(String(JSON.stringify(each)))}`,
      }
    })
    return
  }
  const objects = new ObjectRecords()
  for (const [at, value] of items.entries()) objects.add(value, at + 1)
  yield objects.finish()
}

type JsonObject = Readonly<Record<string, unknown>>

/** An object of a text, or the reason why it cannot be read. */
interface FoundObject {
  readonly object: JsonObject | string
  readonly line: number
}

/** Converts objects to records. The first objects determine the fields. */
class ObjectRecords {
  #shown: FoundObject[] = []
  #names: readonly string[] | undefined
  #records: TableRecord[] = []

  add(value: unknown, line: number): void {
    const found = { object: objectOf(value), line }
    if (this.#names) this.#records.push(recordOf(found, this.#names))
    else if (this.#shown.push(found) === shownObjects) this.#begin()
  }

  /** Returns the records since the last call. */
  take(): readonly TableRecord[] {
    const records = this.#records
    this.#records = []
    return records
  }

  finish(): readonly TableRecord[] {
    if (!this.#names && this.#shown.length > 0) this.#begin()
    return this.take()
  }

  #begin(): void {
    const [first] = this.#shown as [FoundObject]
    const objects = this.#shown.flatMap(({ object }) => (typeof object === 'string' ? [] : [object]))
    if (objects.length === 0 && typeof first.object === 'string')
      throw new LineFault(first.line, first.object)
    const names = [...new Set(objects.flatMap(object => Object.keys(object)))]
    this.#names = names
    this.#records = [{ record: names, line: first.line }, ...this.#shown.map(found => recordOf(found, names))]
  }
}

const recordOf = ({ object, line }: FoundObject, names: readonly string[]): TableRecord =>
  typeof object === 'string'
    ? { record: [], line, problem: object }
    : { record: names.map(name => cellOf(object[name])), line }

function objectOf(value: unknown): JsonObject | string {
  if (value instanceof NoJson) return `this is not JSON: ${quoteCell(value.text)}`
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  return `expected an object with timestamp, open, high, low, close and volume, got ${quoteCell(String(JSON.stringify(value)))}`
}

class NoJson {
  constructor(readonly text: string) {}
}

/** Converts a value to a cell of a table: a number, a text, or JSON of anything else. */
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
