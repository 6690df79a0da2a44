import type { Columns, Snapshot } from '../../candles/columns.js'
import type { NumberWriter } from './number-writer.js'
import type { JsonSink } from './sink.js'

/** Initially reserved bytes per value. */
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

  /** Appends the values [from, to) of a column as numbers. */
  appendNumbers(writer: NumberWriter, column: Float64Array, from: number, to: number): void {
    for (let i = from; i < to; i += batchSize) {
      const text = writer.bytes(column, i, Math.min(i + batchSize, to))
      let at = this.#end
      const end = at + text.length
      this.#reserve(text.length + 1, Math.min(batchSize, to - i))
      const bytes = this.#bytes
      bytes.set(text, at)
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

  /** Sets the text of the next value. */
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

  /** The text of one value. */
  at(k: number): string {
    return this.#bytes.toString('latin1', this.#start(k), this.#start(k + 1) - 1)
  }

  /** The text of the next value. */
  get next(): string {
    return this.#bytes.toString('latin1', this.#end, this.#nextEnd - 1)
  }

  /** Packs the column for another thread. */
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
/** Minimum number of timestamps kept as bytes. A sink adds a short string faster. */
const minBytes = 3
/**
 * Maximum number of timestamps for which the texts of several series are kept. Longer text is kept for the last series
 * only.
 */
const maxKept = 500
const maxSeries = 64

/** The end of an answer, with the timestamps of the closed candles from `from` on. */
interface End {
  /** Id of the columns. The columns themselves are not referenced, so that they can be collected. */
  readonly id: number
  readonly from: number
  readonly closed: number
  /** Open time of the forming candle; NaN if there is none. */
  readonly forming: number
  readonly text: string | Buffer
}

/** Writes the ends of answers, with the open times of candles. All indicators over a series share these texts. */
export class TimestampWriter {
  readonly #writer: NumberWriter
  /** Ends per id of columns, the oldest first. */
  readonly #ends = new Map<number, End>()
  /** The last written end. Most consecutive answers have the same one. */
  #last: End | undefined
  /** The end with only the open time of a forming candle, shared by all series of a timeframe. */
  #newest = { forming: Number.NaN, text: timestampHead + endWith(Number.NaN, false) }
  /** Text of the closed candles [from, to) of the columns with an id. */
  #long = { id: 0, from: 0, to: 0, text: new TextColumn(0) }

  constructor(writer: NumberWriter) {
    this.#writer = writer
  }

  /** Writes the open times from candle `from` on, including the forming candle, and the end of an answer. */
  write(sink: JsonSink, { columns, closed, forming, count }: Snapshot, from: number): void {
    // If there is no value at all, `from` is after the forming candle.
    const last = forming && from < count ? forming.timestamp : Number.NaN
    if (from >= closed) {
      sink.add(this.#endOfNewest(last))
      return
    }
    if (closed - from <= maxKept) {
      this.#last = this.#endOf(columns, from, closed, last)
      const { text } = this.#last
      if (typeof text === 'string') sink.add(text)
      else sink.addBytes(text, 0, text.length)
      return
    }
    sink.add(timestampHead)
    const { text, from: first } = this.#longFrom(columns, from, closed)
    text.write(sink, from - first, closed - first)
    sink.add(endWith(last, true))
  }

  #endOfNewest(forming: number): string {
    if (!Object.is(this.#newest.forming, forming))
      this.#newest = { forming, text: timestampHead + endWith(forming, false) }
    return this.#newest.text
  }

  #endOf(columns: Columns, from: number, closed: number, forming: number): End {
    const { id, timestamp } = columns
    const known = this.#last?.id === id ? this.#last : this.#ends.get(id)
    if (known?.from === from && known.closed === closed && Object.is(known.forming, forming)) return known
    const text = timestampHead + this.#writer.list(timestamp, from, closed) + endWith(forming, true)
    const isShort = closed - from < minBytes
    const end = { id, from, closed, forming, text: isShort ? text : Buffer.from(text, 'latin1') }
    this.#ends.delete(id)
    this.#ends.set(id, end)
    if (this.#ends.size > maxSeries) this.#ends.delete(this.#ends.keys().next().value as number)
    return end
  }

  /** Returns a text that includes the closed candles from `from` on. */
  #longFrom({ id, timestamp }: Columns, from: number, closed: number) {
    const known = this.#long
    if (known.id === id && known.from <= from && known.to === closed) return known
    // If most of a history is requested, the next indicator may need even earlier candles.
    const first = 2 * from < closed ? 0 : from
    const { text } = known
    text.dropFirst(text.count)
    text.appendNumbers(this.#writer, timestamp, first, closed)
    this.#long = { id, from: first, to: closed, text }
    return this.#long
  }
}

/** Formats the timestamp of the forming candle, if any, and the end of the answer. */
const endWith = (forming: number, hasClosed: boolean): string =>
  Number.isNaN(forming) ? ']}' : `${hasClosed ? ',' : ''}${forming}]}`
