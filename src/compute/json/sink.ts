import { BufferPool } from '../../runtime/buffer-pool.js'
import { NumberWriter } from './number-writer.js'

/** An append-only target of JSON text. */
export interface JsonSink {
  /** Appends text. */
  add(text: string): void
  /** Appends the values [from, to) of a column as the inside of a JSON array. */
  addNumbers(column: Float64Array, from: number, to: number): void
  /** Appends the bytes [from, to) of a text in ASCII. */
  addBytes(text: Buffer, from: number, to: number): void
}

/** Collects text as a string: the fastest sink for an answer that fits into one packet. */
export class StringSink implements JsonSink {
  readonly #writer: NumberWriter
  text = ''

  constructor(writer: NumberWriter) {
    this.#writer = writer
  }

  add(text: string): void {
    this.text += text
  }

  addNumbers(column: Float64Array, from: number, to: number): void {
    this.text += this.#writer.list(column, from, to)
  }

  addBytes(text: Buffer, from: number, to: number): void {
    this.text += text.toString('latin1', from, to)
  }
}

/** Bytes of each buffer of a sink: enough for many numbers, but small enough that a short answer wastes little. */
export const sinkBufferBytes = 262_144

/** Length of joined text at which it is encoded, in characters. */
const flushLength = 4_096
/** Length up to which a loop encodes ASCII text faster than a call, in characters. */
const maxLoopLength = 32
/** Maximum number of bytes that a loop copies faster than a view and `set`. */
const maxLoopBytes = 64

/** Collects text as UTF-8 in buffers of a pool. Numbers are copied directly from the memory of WASM. */
export class BufferSink implements JsonSink {
  readonly #writer: NumberWriter
  readonly #pool: BufferPool
  readonly #full: Uint8Array[] = []
  #buffer: Buffer = Buffer.alloc(0)
  #at = 0
  /** The size of the next buffer. */
  #nextBytes: number
  /** Added text that is not encoded yet. */
  #text = ''

  /** `firstBytes` is the size of the first buffer, in which most answers fit. */
  constructor(writer: NumberWriter, pool: BufferPool, firstBytes = sinkBufferBytes) {
    this.#writer = writer
    this.#pool = pool
    this.#nextBytes = firstBytes
  }

  add(text: string): void {
    if (this.#text === '' && text.length <= maxLoopLength && this.#putShort(text)) return
    this.#text += text
    if (this.#text.length >= flushLength) this.#flush()
  }

  addNumbers(column: Float64Array, from: number, to: number): void {
    for (let i = from; i < to; i += NumberWriter.batchSize) {
      if (i > from) this.add(',')
      const size = this.#writer.write(column, i, Math.min(i + NumberWriter.batchSize, to))
      this.addBytes(this.#writer.text, 0, size)
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

  /** Encodes a short ASCII text. Returns false if the text is not ASCII, or does not fit into the current buffer. */
  #putShort(text: string): boolean {
    const buffer = this.#buffer
    const at = this.#at
    if (text.length > buffer.length - at) return false
    let bits = 0
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      bits |= code
      buffer[at + i] = code
    }
    if (bits > 127) return false
    this.#at = at + text.length
    return true
  }

  #put(bytes: Uint8Array): void {
    let from = 0
    while (from < bytes.length) {
      if (this.#at === this.#buffer.length) {
        this.#continueIn(this.#pool.take(this.#nextBytes))
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
