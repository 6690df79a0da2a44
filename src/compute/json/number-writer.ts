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

  readonly #module: WasmModule
  readonly #at: number
  #numbers = new Float64Array()
  /** The buffer with the text of the last `write`. */
  text = Buffer.alloc(0)

  /** Uses `NumberWriter.byteSize` bytes of the module's memory from address `at` on, a multiple of 8. */
  constructor(module: WasmModule, at: number) {
    this.#module = module
    this.#at = at
  }

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
    const text = this.#at + batchSize * 8
    // Views are empty at first, and after the memory has grown.
    if (this.#numbers.length === 0) {
      const { buffer } = this.#module.memory
      this.#numbers = new Float64Array(buffer, this.#at, batchSize)
      this.text = Buffer.from(buffer, text, maxTextBytes)
    }
    if (to - from > maxLoopCopy) this.#numbers.set(column.subarray(from, to))
    else for (let i = from; i < to; i++) this.#numbers[i - from] = column[i] as number
    return this.#module.writeNumbers(this.#at, to - from, text) - text
  }
}
