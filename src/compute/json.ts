import type { Module } from './module.js'

/** A number as JSON: the shortest text that reads back the same, null where there is no value. */
export const numberText = (value: number): string => (Number.isFinite(value) ? `${value}` : 'null')

/** Values `from…to` of a column as the inside of a JSON array. */
export function listText(
  column: ArrayLike<number>,
  from: number,
  to: number,
  text: (value: number) => string,
): string {
  let list = ''
  for (let i = from; i < to; i++)
    list += i === from ? text(column[i] as number) : `,${text(column[i] as number)}`
  return list
}

/** Up to here a call into WASM costs more than it saves: see `npm run bench -- write`. */
const few = 2
/** Numbers written by one call, and the most bytes that they take: see assembly/text/numbers.ts. */
const batch = 512
const textSize = batch * 25 + 32

/** Writes lists of numbers as JSON in WASM: the same text as `numberText` gives, several times faster. */
export class Writer {
  /** Bytes of memory that a writer needs. */
  static readonly size = batch * 8 + textSize

  readonly #module: Module
  readonly #at: number
  #numbers = new Float64Array()
  #text = Buffer.alloc(0)

  /** A writer that works in `Writer.size` bytes of the module's memory from `at` on, a multiple of 8. */
  constructor(module: Module, at: number) {
    this.#module = module
    this.#at = at
  }

  /** Values `from…to` of a column as the inside of a JSON array. */
  list(column: Float64Array, from: number, to: number): string {
    if (to - from <= few) return listText(column, from, to, numberText)
    const { buffer } = this.#module.memory
    const text = this.#at + batch * 8
    if (this.#numbers.buffer !== buffer) {
      this.#numbers = new Float64Array(buffer, this.#at, batch)
      this.#text = Buffer.from(buffer, text, textSize)
    }
    let list = ''
    for (let i = from; i < to; i += batch) {
      const next = Math.min(i + batch, to)
      this.#numbers.set(column.subarray(i, next))
      const end = this.#module.writeNumbers(this.#at, next - i, text)
      const written = this.#text.toString('latin1', 0, end - text)
      list = i === from ? written : `${list},${written}`
    }
    return list
  }
}
