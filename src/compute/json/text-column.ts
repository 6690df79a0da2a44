import type { Columns, Snapshot } from '../../candles/columns.js'
import type { PlacedOutput } from '../../catalogue/define.js'
import type { Entry } from '../../catalogue/index.js'
import { outputValue } from '../../catalogue/output-values.js'
import { formatNumber, type JsonSink, type NumberWriter } from './sink.js'

export interface OutputFormat {
  readonly output: PlacedOutput
  /** Text before the list of values in an answer. */
  readonly head: string
  readonly isNumber: boolean
}

/** Property of a list of outputs that holds its formats. */
const known = Symbol('formats')

/** JSON formats of an indicator's outputs, in their order. */
export function formatsOf({ outputs }: Pick<Entry, 'outputs'>): readonly OutputFormat[] {
  const owner: Entry['outputs'] & { [known]?: readonly OutputFormat[] } = outputs
  owner[known] ??= outputs.map((output, k) => {
    const isNumber = output.kind === 'number' || output.kind === 'signal'
    return { output, head: `${k === 0 ? '{' : '],'}"${output.name}":[`, isNumber }
  })
  return owner[known]
}

/** Values of an indicator's columns in one list: column `k` has the value of candle `i` at `at + k * stride + i`. */
export interface OutputValues {
  readonly numbers: Float64Array
  readonly at: number
  readonly stride: number
}

/** The candles [from, to) of an answer, of which the first `masked` have null instead of their values. */
export interface Rows {
  readonly from: number
  readonly to: number
  readonly masked: number
}

/** Writes the values of all outputs as JSON lists, up to the end of the last list. */
export function writeOutputs(
  sink: JsonSink,
  formats: readonly OutputFormat[],
  { numbers, at, stride }: OutputValues,
  { from, to, masked }: Rows,
): void {
  const first = from + masked
  for (const format of formats) {
    sink.add(masked === 0 ? format.head : format.head + 'null,'.repeat(masked))
    const start = at + format.output.column * stride
    if (format.isNumber) sink.addNumbers(numbers, start + first, start + to)
    else
      for (let i = first; i < to; i++)
        sink.add((i > first ? ',' : '') + formatAt(format, k => numbers[at + k * stride + i] as number))
  }
}

/** Formats an output at one candle. `read` returns the value of a kernel's column there. */
export function formatAt({ output, isNumber }: OutputFormat, read: (column: number) => number): string {
  if (isNumber) return formatNumber(read(output.column))
  const value = outputValue(output, read)
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}

const bytesPerValue = 20
/** Maximum bytes of a number's text with its comma: see assembly/json/numbers.ts. */
const maxNumberBytes = 26
/** Maximum values per write: see `NumberWriter.batchSize`. */
const batchSize = 512
/** Approximate bytes of a column's objects without its texts: see test/unit/compute/result-memory.test.ts. */
const objectBytes = 550
const comma = 0x2c

/**
 * JSON texts of consecutive values, each followed by a comma. Any run of them is the inside of a JSON array, so a
 * window of an answer is copied, not formatted. The last value may be followed by the text of the next value, which may
 * still change: that of a forming candle. All texts are ASCII.
 */
export class TextColumn {
  #bytes: Buffer
  /** End offset of each value's text, after its comma. */
  #ends: Uint32Array
  #count = 0
  /** End offset of the last value, after its comma. */
  #end = 0
  /** End offset of the next value, after its comma. */
  #nextEnd = 0
  #byteLength = 0

  constructor(capacity: number) {
    this.#bytes = Buffer.allocUnsafeSlow(capacity * bytesPerValue)
    this.#ends = new Uint32Array(capacity)
    this.#measure()
  }

  /** Approximate bytes of memory. */
  get byteLength(): number {
    return this.#byteLength
  }

  /** Number of values, without the next one. */
  get count(): number {
    return this.#count
  }

  appendNumbers(writer: NumberWriter, column: Float64Array, from: number, to: number): void {
    for (let i = from; i < to; i += batchSize) {
      const size = writer.write(column, i, Math.min(i + batchSize, to))
      let at = this.#end
      const end = at + size
      this.#reserve(size + 1, Math.min(batchSize, to - i))
      const bytes = this.#bytes
      bytes.set(writer.text.subarray(0, size), at)
      bytes[end] = comma
      for (; at <= end; at++) if (bytes[at] === comma) this.#ends[this.#count++] = at + 1
      this.#end = end + 1
    }
  }

  /** Sets the next value to the number at the start of a text, which a comma follows. */
  setNextNumber(text: Uint8Array): void {
    if (this.#end + maxNumberBytes > this.#bytes.length) this.#reserve(maxNumberBytes, 0)
    const bytes = this.#bytes
    let at = 0
    let to = this.#end
    let character: number
    do {
      character = text[at++] as number
      bytes[to++] = character
    } while (character !== comma)
    this.#nextEnd = to
  }

  setNext(text: string): void {
    this.#reserve(text.length + 1, 0)
    this.#bytes.write(text, this.#end, 'latin1')
    this.#nextEnd = this.#end + text.length + 1
    this.#bytes[this.#nextEnd - 1] = comma
  }

  /** Makes the next value the last value. */
  appendNext(): void {
    if (this.#count === this.#ends.length) this.#reserve(0, 1)
    this.#end = this.#nextEnd
    this.#ends[this.#count++] = this.#end
  }

  /** Drops the first `count` values, and the next one. */
  dropFirst(count: number): void {
    const start = this.#start(count)
    if (count < this.#count) this.#bytes.copyWithin(0, start, this.#end)
    for (let k = count; k < this.#count; k++) this.#ends[k - count] = (this.#ends[k] as number) - start
    this.#count -= count
    this.#end -= start
  }

  /** Writes the values [from, to), at least one, separated by commas. */
  write(sink: JsonSink, from: number, to: number): void {
    sink.addBytes(this.#bytes, this.#start(from), this.#start(to) - 1)
  }

  /** Writes the values from `from` on and the next one, separated by commas. */
  writeWithNext(sink: JsonSink, from: number): void {
    sink.addBytes(this.#bytes, this.#start(from), this.#nextEnd - 1)
  }

  at(k: number): string {
    return this.#bytes.toString('latin1', this.#start(k), this.#start(k + 1) - 1)
  }

  get next(): string {
    return this.#bytes.toString('latin1', this.#end, this.#nextEnd - 1)
  }

  pack(): PackedColumn {
    return { bytes: this.#bytes, ends: this.#ends, count: this.#count }
  }

  /** Restores a column that another thread has packed. */
  static unpack({ bytes, ends, count }: PackedColumn): TextColumn {
    const column = new TextColumn(0)
    column.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    column.#ends = ends
    column.#count = count
    column.#end = count === 0 ? 0 : (ends[count - 1] as number)
    column.#measure()
    return column
  }

  #start(k: number): number {
    if (k === this.#count) return this.#end
    return k === 0 ? 0 : (this.#ends[k - 1] as number)
  }

  /** Makes room for `bytes` more bytes and `values` more values. */
  #reserve(bytes: number, values: number): void {
    const needed = this.#end + bytes
    if (needed > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.ceil(needed * 1.25) + bytesPerValue)
      grown.set(this.#bytes.subarray(0, Math.max(this.#end, this.#nextEnd)))
      this.#bytes = grown
      this.#measure()
    }
    if (this.#count + values > this.#ends.length) {
      const grown = new Uint32Array(Math.ceil((this.#count + values) * 1.25))
      grown.set(this.#ends.subarray(0, this.#count))
      this.#ends = grown
      this.#measure()
    }
  }

  #measure(): void {
    this.#byteLength = objectBytes + this.#bytes.byteLength + this.#ends.byteLength
  }
}

/** A column as it crosses threads. */
export interface PackedColumn {
  readonly bytes: Uint8Array
  readonly ends: Uint32Array
  readonly count: number
}

/** Text before the timestamps in an answer. */
export const timestampHead = '],"timestamp":['

/**
 * Writes the ends of answers, with the open times of candles. The text of the last times is kept, because all indicators
 * of an answer over a series have the same times.
 */
export class TimestampWriter {
  /** Id of the columns, and the closed candles [from, closed), to which the text belongs. */
  #kept = { id: 0, from: 0, closed: 0, text: '' }

  constructor(private readonly writer: NumberWriter) {}

  /** Writes the open times from candle `from` on, including the forming candle, and the end of an answer. */
  write(sink: JsonSink, { columns, closed, forming, count }: Snapshot, from: number): void {
    sink.add(timestampHead)
    if (closed - from === 1) sink.add(`${columns.timestamp[from]}`)
    else if (from < closed) sink.add(this.#closedTimes(columns, from, closed))
    // If there is no value at all, `from` is after the forming candle.
    if (forming && from < count) sink.add(`${from < closed ? ',' : ''}${forming.timestamp}`)
    sink.add(']}')
  }

  #closedTimes({ id, timestamp }: Columns, from: number, closed: number): string {
    const kept = this.#kept
    if (kept.id !== id || kept.from !== from || kept.closed !== closed)
      this.#kept = { id, from, closed, text: this.writer.list(timestamp, from, closed) }
    return this.#kept.text
  }
}
