import type { NumberWriter } from '../json/number-writer.js'
import type { JsonSink } from '../json/sink.js'

/** Bytes that are reserved for the text of one value, at first. */
const bytesPerValue = 20
/** Values that are written at a time: see `NumberWriter.batchSize`. */
const batchSize = 512
const comma = 0x2c
const noBytes = Buffer.alloc(0)

/**
 * The JSON texts of consecutive values, each with a comma behind it. Any run of them is the inside of a JSON array, so
 * a window of an answer is copied instead of written. All texts are ASCII.
 */
export class TextColumn {
  #bytes: Buffer
  /** Where the text of each value ends, behind its comma. */
  #ends: Uint32Array
  #count = 0
  /** The window of values that was written last, with the comma behind it. */
  #windowFrom = 0
  #windowTo = -1
  #window: Buffer = noBytes

  constructor(capacity: number) {
    this.#bytes = Buffer.allocUnsafeSlow(capacity * bytesPerValue)
    this.#ends = new Uint32Array(capacity)
  }

  /** Bytes of memory. */
  get byteLength(): number {
    return this.#bytes.byteLength + this.#ends.byteLength
  }

  /** The number of values. */
  get count(): number {
    return this.#count
  }

  /** Appends the values [from, to) of a column as numbers. */
  appendNumbers(writer: NumberWriter, column: Float64Array, from: number, to: number): void {
    for (let i = from; i < to; i += batchSize) {
      const text = writer.bytes(column, i, Math.min(i + batchSize, to))
      let at = this.#reserve(text.length + 1, Math.min(batchSize, to - i))
      const bytes = this.#bytes
      bytes.set(text, at)
      const end = at + text.length
      bytes[end] = comma
      for (; at <= end; at++) if (bytes[at] === comma) this.#ends[this.#count++] = at + 1
    }
  }

  /** Appends the text of one value. */
  append(text: string): void {
    const at = this.#reserve(text.length + 1, 1)
    this.#bytes.write(text, at, 'latin1')
    this.#bytes[at + text.length] = comma
    this.#ends[this.#count++] = at + text.length + 1
  }

  /** Drops the first `count` values. */
  dropFirst(count: number): void {
    const start = this.#start(count)
    const end = this.#start(this.#count)
    this.#bytes.copyWithin(0, start, end)
    for (let k = count; k < this.#count; k++) this.#ends[k - count] = (this.#ends[k] as number) - start
    this.#count -= count
    this.#windowTo = -1
  }

  /** Writes the values [from, to), of which there is at least one, with commas between them, and behind the last one. */
  writeWithComma(sink: JsonSink, from: number, to: number): void {
    this.#write(sink, from, to, 0)
  }

  /** Writes the values [from, to), of which there is at least one, with commas between them. */
  write(sink: JsonSink, from: number, to: number): void {
    this.#write(sink, from, to, 1)
  }

  #write(sink: JsonSink, from: number, to: number, cut: number): void {
    // The same window is written until a candle closes.
    if (from !== this.#windowFrom || to !== this.#windowTo) {
      this.#windowFrom = from
      this.#windowTo = to
      this.#window = this.#bytes.subarray(this.#start(from), this.#start(to))
    }
    sink.addBytes(this.#window, cut)
  }

  /** The text of one value. */
  at(k: number): string {
    return this.#bytes.toString('latin1', this.#start(k), this.#start(k + 1) - 1)
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
    return column
  }

  #start(k: number): number {
    return k === 0 ? 0 : (this.#ends[k - 1] as number)
  }

  /** Makes room for so many bytes and values; returns where the bytes begin. */
  #reserve(bytes: number, values: number): number {
    const at = this.#start(this.#count)
    if (at + bytes > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.ceil((at + bytes) * 1.25) + bytesPerValue)
      grown.set(this.#bytes.subarray(0, at))
      this.#bytes = grown
      this.#windowTo = -1
    }
    if (this.#count + values > this.#ends.length) {
      const grown = new Uint32Array(Math.ceil((this.#count + values) * 1.25))
      grown.set(this.#ends.subarray(0, this.#count))
      this.#ends = grown
    }
    return at
  }
}

/** A column as it crosses threads. */
export interface PackedColumn {
  readonly bytes: Uint8Array
  readonly ends: Uint32Array
  readonly count: number
}
