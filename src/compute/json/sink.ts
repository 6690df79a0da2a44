import { type BufferPool, release } from '../workers/buffer-pool.js'
import { formatNumber, formatNumberList, NumberWriter } from './number-writer.js'

/** What JSON text is written on, from front to back. */
export interface JsonSink {
  /** Adds text. */
  add(text: string): void
  /** Adds values `from…to` of a column as the inside of a JSON array. */
  addNumbers(column: Float64Array, from: number, to: number): void
}

/** Text as a string: the quickest for an answer that fits into one packet. */
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
}

/** Short texts are joined before they become bytes. In characters. */
const flushLength = 4_096

/** Text as UTF-8 on pages. Numbers go there straight from the memory in which they were written. */
export class BufferSink implements JsonSink {
  readonly #writer: NumberWriter
  readonly #pages: BufferPool
  readonly #full: Uint8Array[] = []
  #page: Buffer = Buffer.alloc(0)
  #at = 0
  #text = ''

  constructor(writer: NumberWriter, pages: BufferPool) {
    this.#writer = writer
    this.#pages = pages
  }

  add(text: string): void {
    this.#text += text
    if (this.#text.length >= flushLength) this.#flush()
  }

  addNumbers(column: Float64Array, from: number, to: number): void {
    if (to - from <= NumberWriter.smallList) {
      this.add(formatNumberList(column, from, to, formatNumber))
      return
    }
    this.#flush()
    for (let i = from; i < to; i += NumberWriter.batchSize) {
      if (i > from) this.#put(comma)
      this.#put(this.#writer.bytes(column, i, Math.min(i + NumberWriter.batchSize, to)))
    }
  }

  /** All that was written, which leaves the sink empty. */
  take(): readonly Uint8Array[] {
    this.#flush()
    this.#turn()
    return this.#full.splice(0)
  }

  /** Gives back the pages of a text that is not to be finished. */
  discard(): void {
    this.#text = ''
    release(this.take())
  }

  #flush(): void {
    const text = this.#text
    this.#text = ''
    // A character takes up to three bytes.
    if (3 * text.length <= this.#page.length - this.#at) this.#at += this.#page.write(text, this.#at)
    else this.#put(Buffer.from(text))
  }

  #put(bytes: Uint8Array): void {
    let from = 0
    while (from < bytes.length) {
      if (this.#at === this.#page.length) this.#turn(this.#pages.take())
      const taken = bytes.subarray(from, from + this.#page.length - this.#at)
      this.#page.set(taken, this.#at)
      this.#at += taken.length
      from += taken.length
    }
  }

  /** Lays the page aside with what is on it, and goes on with another. */
  #turn(next: Buffer = Buffer.alloc(0)): void {
    if (this.#page.length > 0) this.#full.push(this.#page.subarray(0, this.#at))
    this.#page = next
    this.#at = 0
  }
}

const comma = Buffer.from(',')
