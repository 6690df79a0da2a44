import type { JsonSink, NumberWriter } from '../json/sink.js'
import {
  formatAt,
  type OutputFormat,
  type PackedColumn,
  type Rows,
  TextColumn,
  writeOutputs,
} from '../json/text-column.js'
import type { Calculator } from '../kernels/calculator.js'
import type { Shape } from '../kernels/shape.js'

/** Approximate bytes of one value's text with its offset. */
const bytesPerValue = 24
/** Approximate bytes of a column without its texts. */
const columnBytes = 600
/** Minimum spare capacity of a column, in values. The usual spare capacity is a quarter of the kept values. */
const minSpare = 16

/** Capacity of columns that keep `kept` values. When it is exceeded, the oldest values are dropped. */
const roomFor = (kept: number): number => kept + Math.max(minSpare, kept >> 2)

/** Places of the two candles in the numbers of a column. */
const newestClosed = 0
const forming = 1

/**
 * The newest values of a calculation over closed candles, and those of the forming candle. The values of the newest
 * closed candle and of the forming one are numbers, which become text only if an answer contains them. If more values
 * are kept, they are texts in columns, one per output.
 */
export class KeptValues {
  readonly #formats: readonly OutputFormat[]
  /** State of the kernel after the newest closed candle, then two numbers per column of the kernel, from `#at` on. */
  numbers: Float64Array
  readonly #at: number
  /** Texts of the candles from `first` on, then those of the forming candle. Undefined if one value is kept. */
  #texts: readonly TextColumn[] | undefined
  /** First kept candle, never within the warm-up. */
  first = 0
  /** Number of newest values kept; Infinity for all. */
  kept = 1

  constructor({ formats, calculation, stateLength }: Shape) {
    this.#formats = formats
    this.#at = stateLength
    this.numbers = new Float64Array(stateLength + 2 * calculation.indicator.columns)
  }

  /** Approximate bytes of memory. */
  get byteLength(): number {
    const texts = this.#texts?.reduce((bytes, column) => bytes + column.byteLength, 0)
    return this.numbers.byteLength + (texts ?? 0)
  }

  /** Approximate bytes of memory if `kept` values of `closed` candles are kept. */
  byteLengthFor(kept: number, closed: number): number {
    if (kept === 1) return 0
    return this.#formats.length * (columnBytes + Math.min(roomFor(kept), closed) * bytesPerValue)
  }

  clear(): void {
    this.#texts = undefined
  }

  /** Keeps the newest `kept` values of the candles [warmup, closed), over which the kernel has run. */
  fill(calculator: Calculator, kept: number, warmup: number, closed: number): void {
    this.kept = kept
    this.first = Math.max(warmup, closed - kept)
    if (closed > warmup) this.#take(calculator, closed - 1, newestClosed)
    if (kept > 1) this.#texts = this.#formats.map(format => this.#textsOf(calculator, format, closed))
  }

  #textsOf(calculator: Calculator, format: OutputFormat, closed: number): TextColumn {
    const count = Math.max(0, closed - this.first)
    const column = new TextColumn(
      this.kept === Number.POSITIVE_INFINITY ? roomFor(count) : roomFor(Math.min(this.kept, count)),
    )
    if (format.isNumber) {
      const numbers = calculator.column(format.output.column, closed)
      column.appendNumbers(calculator.writer, numbers, this.first, closed)
    } else
      for (let i = this.first; i < closed; i++) {
        column.setNext(formatAt(format, k => calculator.value(k, i)))
        column.appendNext()
      }
    return column
  }

  /** Appends the values of candle `i`, for which the kernel ran last. */
  append(calculator: Calculator, i: number): void {
    this.#take(calculator, i, newestClosed)
    const texts = this.#texts
    const count = texts?.[0]?.count ?? 0
    if (texts && count >= roomFor(this.kept))
      for (const column of texts) column.dropFirst(count - this.kept + 1)
    if (texts) {
      this.#setNext(texts, newestClosed, calculator.writer)
      for (const column of texts) column.appendNext()
    }
    this.first = i + 1 - (texts?.[0]?.count ?? 1)
  }

  /** Sets the values of the forming candle `i`, for which the kernel ran last. */
  setForming(calculator: Calculator, i: number): void {
    this.#take(calculator, i, forming)
    if (this.#texts) this.#setNext(this.#texts, forming, calculator.writer)
  }

  dropTexts(): void {
    for (const column of this.#texts ?? []) column.dropFirst(column.count)
  }

  /** Drops all but the newest value, that of candle `i`. */
  shrinkTo(i: number): void {
    this.first = Math.max(this.first, i)
    this.#texts = undefined
    this.kept = 1
  }

  /** Texts of a closed candle that is kept, one per output. */
  textsAt(i: number, writer: NumberWriter): readonly string[] {
    return this.#texts?.map(column => column.at(i - this.first)) ?? this.#newestTexts(newestClosed, writer)
  }

  /** Texts of the forming candle, one per output. */
  formingTexts(writer: NumberWriter): readonly string[] {
    return this.#texts?.map(column => column.next) ?? this.#newestTexts(forming, writer)
  }

  /** Writes the values of rows as JSON lists. Candle `closed` is the forming one. */
  write(sink: JsonSink, rows: Rows, closed: number): void {
    const { numbers } = this
    const texts = this.#texts
    const { masked } = rows
    if (!texts) {
      writeOutputs(sink, this.#formats, { numbers, at: this.#at + 1 - closed, stride: 2 }, rows)
      return
    }
    const from = rows.from + masked
    for (const [k, column] of texts.entries()) {
      const { head } = this.#formats[k] as OutputFormat
      sink.add(masked === 0 ? head : head + 'null,'.repeat(masked))
      if (rows.to > Math.max(closed, from)) column.writeWithNext(sink, from - this.first)
      else if (from < closed) column.write(sink, from - this.first, closed - this.first)
    }
  }

  /** Packs the values for another thread. */
  pack(): PackedValues {
    const { first, kept, numbers } = this
    return { first, kept, numbers, texts: this.#texts?.map(column => column.pack()) }
  }

  /** Restores values that another thread has packed. */
  unpack({ first, kept, numbers, texts }: PackedValues): void {
    this.first = first
    this.kept = kept
    this.numbers = numbers
    this.#texts = texts?.map(TextColumn.unpack)
  }

  /** Copies the values of candle `i`, for which the kernel ran last. */
  #take(calculator: Calculator, i: number, place: number): void {
    const { numbers } = this
    for (let k = 0, at = this.#at + place; at < numbers.length; k++, at += 2)
      numbers[at] = calculator.value(k, i)
  }

  #newestTexts(place: number, writer: NumberWriter): readonly string[] {
    return this.#formats.map(format => this.#textAt(format, place, writer))
  }

  #textAt(format: OutputFormat, place: number, writer: NumberWriter): string {
    const { numbers } = this
    const first = this.#at + place
    if (!format.isNumber) return formatAt(format, k => numbers[first + 2 * k] as number)
    const at = first + 2 * format.output.column
    return writer.list(numbers, at, at + 1)
  }

  /** Writes the texts of one of the two newest candles as the next values of columns. */
  #setNext(texts: readonly TextColumn[], place: number, writer: NumberWriter): void {
    for (let k = 0; k < texts.length; k++) {
      const format = this.#formats[k] as OutputFormat
      const column = texts[k] as TextColumn
      if (format.isNumber) {
        const at = this.#at + place + 2 * format.output.column
        writer.write(this.numbers, at, at + 1)
        column.setNextNumber(writer.text)
      } else column.setNext(this.#textAt(format, place, writer))
    }
  }
}

/** Values as they cross threads. */
export interface PackedValues {
  readonly first: number
  readonly kept: number
  readonly numbers: Float64Array
  readonly texts: readonly PackedColumn[] | undefined
}
