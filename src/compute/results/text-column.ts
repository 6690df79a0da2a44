import type { NumberWriter } from '../json/number-writer.js'
import type { JsonSink } from '../json/sink.js'

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
