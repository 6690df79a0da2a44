import { listText, numberText, Writer } from './number-writer.js'
import { giveBack, type Pages } from '../workers/buffer-pool.js'

/** What JSON text is written on, from front to back. */
export interface Sheet {
  /** Adds text. */
  add(text: string): void
  /** Adds values `from…to` of a column as the inside of a JSON array. */
  addNumbers(column: Float64Array, from: number, to: number): void
}

/** Text as a string: the quickest for an answer that fits into one packet. */
export class StringSheet implements Sheet {
  readonly #writer: Writer
  text = ''

  constructor(writer: Writer) {
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
const joined = 4_096

/** Text as UTF-8 on pages. Numbers go there straight from the memory in which they were written. */
export class PageSheet implements Sheet {
  readonly #writer: Writer
  readonly #pages: Pages
  readonly #full: Uint8Array[] = []
  #page: Buffer = Buffer.alloc(0)
  #at = 0
  #text = ''

  constructor(writer: Writer, pages: Pages) {
    this.#writer = writer
    this.#pages = pages
  }

  add(text: string): void {
    this.#text += text
    if (this.#text.length >= joined) this.#flush()
  }

  addNumbers(column: Float64Array, from: number, to: number): void {
    if (to - from <= Writer.few) {
      this.add(listText(column, from, to, numberText))
      return
    }
    this.#flush()
    for (let i = from; i < to; i += Writer.batch) {
      if (i > from) this.#put(comma)
      this.#put(this.#writer.bytes(column, i, Math.min(i + Writer.batch, to)))
    }
  }

  /** All that was written, which leaves the sheet empty. */
  parts(): readonly Uint8Array[] {
    this.#flush()
    this.#turn()
    return this.#full.splice(0)
  }

  /** Gives back the pages of a text that is not to be finished. */
  discard(): void {
    this.#text = ''
    giveBack(this.parts())
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
