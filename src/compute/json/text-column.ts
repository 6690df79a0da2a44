import type { Columns, Snapshot } from '../../candles/columns.js'
import type { NumberWriter } from './number-writer.js'
import type { JsonSink } from './sink.js'

/** Bytes that are reserved for the text of one value, at first. */
const bytesPerValue = 20
/** The most bytes that the text of a number takes with its comma: see assembly/json/numbers.ts. */
const maxNumberBytes = 26
/** Values that are written at a time: see `NumberWriter.batchSize`. */
const batchSize = 512
/** Bytes of the objects of a column without its texts, about: see test/unit/compute/result-memory.test.ts. */
const objectBytes = 550
const comma = 0x2c

/**
 * The JSON texts of consecutive values, each with a comma behind it. Any run of them is the inside of a JSON array, so
 * a window of an answer is copied instead of written. Behind the last value the text of the next one may stand, which may
 * still change: that of a forming candle. All texts are ASCII.
 */
export class TextColumn {
  #bytes: Buffer
  /** Where the text of each value ends, behind its comma. */
  #ends: Uint32Array
  #count = 0
  /** Where the last value ends, behind its comma. */
  #end = 0
  /** Where the next value ends, behind its comma. */
  #nextEnd = 0
  #byteLength = 0

  constructor(capacity: number) {
    this.#bytes = Buffer.allocUnsafeSlow(capacity * bytesPerValue)
    this.#ends = new Uint32Array(capacity)
    this.#measure()
  }

  /** Bytes of memory, about. */
  get byteLength(): number {
    return this.#byteLength
  }

  /** The number of values, the next one not included. */
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

  /** Takes the number that is written at `from` of a text, with a comma behind it, as the next value; returns where it ends. */
  setNextNumber(text: Uint8Array, from: number): number {
    if (this.#end + maxNumberBytes > this.#bytes.length) this.#reserve(maxNumberBytes, 0)
    const bytes = this.#bytes
    let at = from
    let to = this.#end
    let character: number
    do {
      character = text[at++] as number
      bytes[to++] = character
    } while (character !== comma)
    this.#nextEnd = to
    return at
  }

  /** Takes a text as the next value. */
  setNext(text: string): void {
    this.#reserve(text.length + 1, 0)
    this.#bytes.write(text, this.#end, 'latin1')
    this.#nextEnd = this.#end + text.length + 1
    this.#bytes[this.#nextEnd - 1] = comma
  }

  /** Appends the next value to the others. */
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

  /** Writes the values [from, to), of which there is at least one, with commas between them. */
  write(sink: JsonSink, from: number, to: number): void {
    sink.addBytes(this.#bytes, this.#start(from), this.#start(to) - 1)
  }

  /** Writes the values from `from` on and the next one, with commas between them. */
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

  /** What another thread needs to continue. */
  pack(): PackedColumn {
    return { bytes: this.#bytes, ends: this.#ends, count: this.#count }
  }

  /** The column of another thread. */
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

  /** Makes room for so many more bytes and values. */
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

/** What stands before the timestamps in an answer. */
export const timestampHead = '],"timestamp":['
/** Fewer timestamps are kept as a string, which a sink takes faster than so few bytes. */
const minBytes = 3
/** Up to so many, the texts of several series are kept; of more only that of the last series. */
const maxKept = 500
const maxSeries = 64

/** The end of an answer with the timestamps of the closed candles from `from` on. */
interface End {
  /** The id of the columns, which must not stay in memory for the sake of their text. */
  readonly id: number
  readonly from: number
  readonly closed: number
  /** The open time of the forming candle, NaN where there is none. */
  readonly forming: number
  readonly text: string | Buffer
}

/** Writes the ends of answers, with open times of candles. All indicators over one series have the same ones. */
export class TimestampWriter {
  readonly #writer: NumberWriter
  /** By the id of columns, the oldest first. */
  readonly #ends = new Map<number, End>()
  /** The end that was written last: most answers that follow one another have the same. */
  #last: End | undefined
  /** The end with the open time of a forming candle alone, which all series of a timeframe have in common. */
  #newest = { forming: Number.NaN, text: timestampHead + endWith(Number.NaN, false) }
  /** The closed candles [from, to) of the columns of an id. */
  #long = { id: 0, from: 0, to: 0, text: new TextColumn(0) }

  constructor(writer: NumberWriter) {
    this.#writer = writer
  }

  /** Writes the open times from candle `from` on, that of the forming candle included, and the end of an answer. */
  write(sink: JsonSink, { columns, closed, forming, count }: Snapshot, from: number): void {
    // With no value at all `from` lies behind the forming candle, too.
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

  /** A text that has the closed candles from `from` on. */
  #longFrom({ id, timestamp }: Columns, from: number, closed: number) {
    const known = this.#long
    if (known.id === id && known.from <= from && known.to === closed) return known
    // Where most of a history is wanted, the next indicator may have values earlier.
    const first = 2 * from < closed ? 0 : from
    const { text } = known
    text.dropFirst(text.count)
    text.appendNumbers(this.#writer, timestamp, first, closed)
    this.#long = { id, from: first, to: closed, text }
    return this.#long
  }
}

/** The timestamp of the forming candle, if there is one, and the end of the answer. */
const endWith = (forming: number, hasClosed: boolean): string =>
  Number.isNaN(forming) ? ']}' : `${hasClosed ? ',' : ''}${forming}]}`
