import { BufferPool } from '../../runtime/buffer-pool.js'
import type { WasmModule } from '../wasm/module.js'

/** Formats a number as JSON: the shortest text that reads back the same, or null if there is no value. */
export const formatNumber = (value: number): string => (Number.isFinite(value) ? `${value}` : 'null')

/** Maximum number of values that a loop copies faster than a view and `set`. */
const maxLoopCopy = 48
/** Maximum numbers per call. */
const batchSize = 512
/** Maximum bytes of their text: see assembly/json/numbers.ts. */
const maxTextBytes = batchSize * 26 + 32

/** Writes lists of numbers as JSON in WASM: the same text as `formatNumber`, several times faster. */
export class NumberWriter {
  /** Bytes of memory that a writer uses. */
  static readonly byteSize = batchSize * 8 + maxTextBytes
  /** Maximum numbers that `bytes` writes. */
  static readonly batchSize = batchSize

  #numbers = new Float64Array()
  /** The buffer with the text of the last `write`. */
  text = Buffer.alloc(0)

  /** Uses `NumberWriter.byteSize` bytes of the module's memory from address `at` on, a multiple of 8. */
  constructor(
    private readonly module: WasmModule,
    private readonly at: number,
  ) {}

  /** Formats the values [from, to) of a column as the inside of a JSON array. */
  list(column: Float64Array, from: number, to: number): string {
    let list = ''
    for (let i = from; i < to; i += batchSize) {
      const size = this.write(column, i, Math.min(i + batchSize, to))
      const written = this.text.toString('latin1', 0, size)
      list = i === from ? written : `${list},${written}`
    }
    return list
  }

  /** Formats the first `count` values, at most `NumberWriter.batchSize`, as texts. */
  texts(values: Float64Array, count: number): readonly string[] {
    const size = this.write(values, 0, count)
    const text = this.text.toString('latin1', 0, size)
    return count === 1 ? [text] : text.split(',')
  }

  /**
   * Writes the values [from, to) of a column, at most `NumberWriter.batchSize`, at the start of `text`, each followed
   * by a comma. Returns the number of bytes without the last comma. The bytes are valid until the next call.
   */
  write(column: Float64Array, from: number, to: number): number {
    const text = this.at + batchSize * 8
    // Views are empty at first, and after the memory has grown.
    if (this.#numbers.length === 0) {
      const { buffer } = this.module.memory
      this.#numbers = new Float64Array(buffer, this.at, batchSize)
      this.text = Buffer.from(buffer, text, maxTextBytes)
    }
    if (to - from > maxLoopCopy) this.#numbers.set(column.subarray(from, to))
    else for (let i = from; i < to; i++) this.#numbers[i - from] = column[i] as number
    return this.module.writeNumbers(this.at, to - from, text) - text
  }
}

/** An append-only target of JSON text. */
export interface JsonSink {
  add(text: string): void
  /** Appends the values [from, to) of a column as the inside of a JSON array. */
  addNumbers(column: Float64Array, from: number, to: number): void
  /** Appends the bytes [from, to) of a text in ASCII. */
  addBytes(text: Buffer, from: number, to: number): void
}

/** Collects text as a string: the fastest sink for an answer that fits into one packet. */
export class StringSink implements JsonSink {
  text = ''

  constructor(private readonly writer: NumberWriter) {}

  add(text: string): void {
    this.text += text
  }

  addNumbers(column: Float64Array, from: number, to: number): void {
    this.text += this.writer.list(column, from, to)
  }

  addBytes(text: Buffer, from: number, to: number): void {
    this.text += text.toString('latin1', from, to)
  }
}

/** Bytes of each buffer of a sink: enough for many numbers, but small enough that a short answer wastes little. */
export const sinkBufferBytes = 262_144

/** Length of joined text at which it is encoded, in characters. */
const flushLength = 4_096
/** Maximum number of bytes that a loop copies faster than a view and `set`. */
const maxLoopBytes = 64

/** Collects text as UTF-8 in buffers of a pool. Numbers are copied directly from the memory of WASM. */
export class BufferSink implements JsonSink {
  readonly #full: Uint8Array[] = []
  #buffer: Buffer = Buffer.alloc(0)
  #at = 0
  /** The size of the next buffer. */
  #nextBytes: number
  /** Added text that is not encoded yet. */
  #text = ''

  /** `firstBytes` is the size of the first buffer, in which most answers fit. */
  constructor(
    private readonly writer: NumberWriter,
    private readonly pool: BufferPool,
    firstBytes = sinkBufferBytes,
  ) {
    this.#nextBytes = firstBytes
  }

  add(text: string): void {
    this.#text += text
    if (this.#text.length >= flushLength) this.#flush()
  }

  addNumbers(column: Float64Array, from: number, to: number): void {
    for (let i = from; i < to; i += NumberWriter.batchSize) {
      if (i > from) this.add(',')
      const size = this.writer.write(column, i, Math.min(i + NumberWriter.batchSize, to))
      this.addBytes(this.writer.text, 0, size)
    }
  }

  addBytes(text: Buffer, from: number, to: number): void {
    if (this.#text !== '') this.#flush()
    const length = to - from
    const buffer = this.#buffer
    const at = this.#at
    if (length > buffer.length - at) {
      this.#put(text.subarray(from, to))
      return
    }
    if (length > maxLoopBytes) buffer.set(new Uint8Array(text.buffer, text.byteOffset + from, length), at)
    else for (let i = 0; i < length; i++) buffer[at + i] = text[from + i] as number
    this.#at = at + length
  }

  /** Returns all written buffers and empties the sink. The caller must release the buffers. */
  take(): readonly Uint8Array[] {
    this.#flush()
    this.#continueIn(Buffer.alloc(0))
    return this.#full.splice(0)
  }

  /** Drops all text, and releases its buffers. */
  discard(): void {
    this.#text = ''
    for (const buffer of this.take()) BufferPool.release(buffer)
  }

  #flush(): void {
    const text = this.#text
    this.#text = ''
    // A UTF-16 unit needs up to three bytes.
    if (3 * text.length <= this.#buffer.length - this.#at) this.#at += this.#buffer.write(text, this.#at)
    else this.#put(Buffer.from(text))
  }

  #put(bytes: Uint8Array): void {
    let from = 0
    while (from < bytes.length) {
      if (this.#at === this.#buffer.length) {
        this.#continueIn(this.pool.take(this.#nextBytes))
        this.#nextBytes = sinkBufferBytes
      }
      const taken = bytes.subarray(from, from + this.#buffer.length - this.#at)
      this.#buffer.set(taken, this.#at)
      this.#at += taken.length
      from += taken.length
    }
  }

  /** Keeps the current buffer, and continues in another one. */
  #continueIn(next: Buffer): void {
    if (this.#buffer.length > 0) this.#full.push(this.#buffer.subarray(0, this.#at))
    this.#buffer = next
    this.#at = 0
  }
}
