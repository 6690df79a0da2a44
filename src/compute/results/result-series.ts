import type { Candle } from '../../candles/candle.js'
import type { Snapshot } from '../../candles/columns.js'
import type { Calculation, Calculator } from '../calculator.js'
import { formatNumber } from '../json/number-writer.js'
import type { JsonSink } from '../json/sink.js'
import { formatAt, formatsOf, type OutputFormat } from '../output-format.js'
import { type PackedColumn, TextColumn } from './text-column.js'

/** Bytes of memory of a calculation without its columns and its state, about. */
const objectBytes = 600
/** Bytes that the text of one value takes with its place, about. */
const bytesPerValue = 24
/** Columns have room for a quarter more values than they keep, and for so many more at least. */
const minSpare = 16

/** The values of one candle, for the time that it takes to write them. A kernel has at most so many outputs. */
const values = new Float64Array(16)

/** The number of values that columns have room for when they keep so many; beyond it the oldest ones are dropped. */
const roomFor = (kept: number): number => kept + Math.max(minSpare, kept >> 2)

/** Called with the texts of candle `i`, one for each output. */
export type Visit = (i: number, texts: readonly string[]) => void

/** The values of a query: those of the closed candles [from, closed), then those of the forming candle if there is one. */
export interface Window {
  /** The candles as they were before the candles that the query skips. */
  readonly snapshot: Snapshot
  readonly from: number
}

/**
 * One calculation over the closed candles of one series: the state of its kernel after the newest one, and the newest
 * values as JSON texts in columns. A candle that closes is one step, whose values are appended. The values of the forming
 * candle are one step on a copy of the state. No kernel looks ahead, so earlier values stay what they are, and the
 * values of any query are a part of the columns.
 *
 * All calls are about the columns of candles with which it was built. Where others replace them, it is built again.
 */
export class ResultSeries {
  readonly #calculation: Calculation
  readonly #formats: readonly OutputFormat[]
  /** Whether all outputs are numbers. */
  readonly #isNumeric: boolean
  readonly #warmup: number
  /** Undefined before it is built, and after a step that threw. */
  #state: Float64Array | undefined
  /** The number of closed candles that the state includes. */
  #included = 0
  /** The texts of the newest included candle; empty where it is within the warm-up. */
  #newest: readonly string[] = []
  /** The texts of the newest candles from `#first` on; undefined where `#newest` is all that is kept. */
  #columns: readonly TextColumn[] | undefined
  /** The first candle in the columns, never within the warm-up. */
  #first = 0
  /** The number of values that the columns keep; Infinity for all. */
  #kept = 1
  /** The first candle with a value in any output; where none has one, the first that may have one. */
  #firstValue = 0
  /** The forming candle of `#preview`, which follows `#previewedAt` closed ones. */
  #previewed: Candle | undefined
  #previewedAt = 0
  #preview: readonly string[] = []
  #hasPreviewValue = false

  constructor(calculation: Calculation) {
    this.#calculation = calculation
    this.#formats = formatsOf(calculation.indicator)
    this.#isNumeric = this.#formats.every(({ isNumber }) => isNumber)
    this.#warmup = calculation.indicator.warmup(calculation.params)
  }

  get isBuilt(): boolean {
    return this.#state !== undefined
  }

  /** The number of closed candles that it includes. */
  get included(): number {
    return this.#included
  }

  /** The number of newest values that it keeps, Infinity for all. */
  get kept(): number {
    return this.#kept
  }

  /** Bytes of memory that it takes, about. */
  get byteLength(): number {
    let bytes = objectBytes + (this.#state?.byteLength ?? 0)
    if (this.#columns) for (const column of this.#columns) bytes += column.byteLength
    return bytes
  }

  /** Bytes of memory that it will take when it keeps so many values of `closed` candles, about. */
  byteLengthFor(kept: number, closed: number): number {
    const values = kept > 1 ? Math.min(roomFor(kept), closed) : 0
    return objectBytes + values * this.#formats.length * bytesPerValue
  }

  /**
   * How many values it has to keep so that the newest `wanted` ones are among them, Infinity for all. Someone who asks
   * for more each time has it built again a few times only.
   */
  keptFor(wanted: number): number {
    if (wanted <= this.#kept || this.#kept === 1) return Math.max(wanted, this.#kept)
    return Math.max(wanted, 2 * this.#kept)
  }

  /** Whether it has the newest `wanted` values of the closed candles that it includes; Infinity for all. */
  keeps(wanted: number): boolean {
    return this.#state !== undefined && wanted <= this.#kept
  }

  /** Whether it has the values of the candles [from, to), none of which is within the warm-up. */
  covers(from: number, to: number): boolean {
    if (from >= to) return true
    if (this.#state === undefined || to > this.#included) return false
    return from >= (this.#columns ? this.#first : this.#included - 1)
  }

  /**
   * Runs the kernel over all closed candles, and keeps the newest `kept` values. `visit` is called with the texts of
   * the candles from `visited` on.
   */
  build(
    calculator: Calculator,
    snapshot: Snapshot,
    kept: number,
    visited = Number.POSITIVE_INFINITY,
    visit?: Visit,
  ): void {
    const { indicator, params } = this.#calculation
    const { closed } = snapshot
    const state = new Float64Array(indicator.state(params))
    this.#reset()
    calculator.resume(this.#calculation, snapshot, 0, state)
    if (closed > 0) calculator.run(indicator, 0, closed)
    calculator.save(state)
    this.#kept = kept
    this.#first = Math.max(this.#warmup, closed - kept)
    if (kept > 1) this.#fillColumns(calculator, closed)
    this.#firstValue = this.#warmup
    this.#seekFirstValue(calculator, closed)
    for (let i = Math.max(visited, this.#warmup); i < closed; i++) visit?.(i, this.#read(calculator, i))
    this.#newest = closed > this.#warmup ? this.#read(calculator, closed - 1) : []
    this.#included = closed
    this.#state = state
  }

  /** Computes the closed candles that it does not include yet; `visit` is called with the texts of each. */
  advance(calculator: Calculator, snapshot: Snapshot, visit?: Visit): void {
    const { closed } = snapshot
    const from = this.#included
    const state = this.#state as Float64Array
    if (closed <= from) return
    // What throws must not leave a state that includes a candle whose values are missing.
    this.#state = undefined
    calculator.resume(this.#calculation, snapshot, from, state)
    calculator.run(this.#calculation.indicator, from, closed)
    calculator.save(state)
    const first = visit ? from : Math.max(from, closed - this.#kept)
    if (first > from) for (const column of this.#columns ?? []) column.dropFirst(column.count)
    for (let i = Math.max(first, this.#warmup); i < closed; i++) {
      this.#newest = this.#read(calculator, i)
      this.#append(i)
      visit?.(i, this.#newest)
    }
    if (this.#firstValue >= from) this.#seekFirstValue(calculator, closed)
    this.#included = closed
    this.#state = state
  }

  /** The texts of the forming candle after all included ones. The state stays as it is. */
  preview(calculator: Calculator, snapshot: Snapshot): readonly string[] {
    const { closed, forming } = snapshot
    if (this.#previewed === forming && this.#previewedAt === closed) return this.#preview
    this.#previewed = undefined
    calculator.resume(this.#calculation, snapshot, closed, this.#state as Float64Array)
    calculator.run(this.#calculation.indicator, closed, closed + 1)
    this.#preview = this.#read(calculator, closed)
    this.#hasPreviewValue = this.#hasValue(calculator, closed)
    this.#previewed = forming
    this.#previewedAt = closed
    return this.#preview
  }

  /** The texts of a candle that it covers. */
  texts(i: number): readonly string[] {
    if (i === this.#included - 1) return this.#newest
    return (this.#columns as readonly TextColumn[]).map(column => column.at(i - this.#first))
  }

  /** The first candle with a value, where all values are kept; the number of candles where there is none. */
  firstValueIn({ closed, forming, count }: Snapshot): number {
    if (this.#firstValue < closed) return this.#firstValue
    return forming && this.#hasPreviewValue ? closed : count
  }

  /** Writes the values of a window that it covers without their timestamps, after a preview of its forming candle. */
  write(sink: JsonSink, { snapshot, from }: Window): void {
    const { closed, forming, count } = snapshot
    for (let k = 0; k < this.#formats.length; k++) {
      sink.add((this.#formats[k] as OutputFormat).head)
      const isLast = !forming || from >= count
      if (from < closed) this.#writeClosed(sink, k, from, closed, isLast)
      if (!isLast) sink.add(this.#preview[k] as string)
    }
  }

  /** Keeps no more than the newest value. */
  shrink(): void {
    this.#columns = undefined
    this.#kept = 1
  }

  /** What another thread needs to continue; undefined where it was not built. */
  pack(): PackedResults | undefined {
    if (!this.#state) return undefined
    return {
      state: this.#state,
      included: this.#included,
      newest: this.#newest,
      columns: this.#columns?.map(column => column.pack()),
      first: this.#first,
      kept: this.#kept,
      firstValue: this.#firstValue,
    }
  }

  /** Takes over what another thread has built. */
  unpack({ state, included, newest, columns, first, kept, firstValue }: PackedResults): void {
    this.#reset()
    this.#included = included
    this.#newest = newest
    this.#columns = columns?.map(TextColumn.unpack)
    this.#first = first
    this.#kept = kept
    this.#firstValue = firstValue
    this.#state = state
  }

  #reset(): void {
    this.#state = undefined
    this.#previewed = undefined
    this.#columns = undefined
  }

  /** The texts of a candle for which the kernel was run last. */
  #read(calculator: Calculator, i: number): readonly string[] {
    const formats = this.#formats
    if (!this.#isNumeric)
      return formats.map(format => formatAt(format, column => calculator.value(column, i)))
    // JavaScript has the texts of small whole numbers at hand; others are written faster in WASM.
    let isWhole = true
    for (let k = 0; k < formats.length; k++) {
      const value = calculator.value(k, i)
      values[k] = value
      if (value !== (value | 0)) isWhole = false
    }
    if (!isWhole) return calculator.writer.texts(values, formats.length)
    const texts: string[] = []
    for (let k = 0; k < formats.length; k++) texts.push(formatNumber(values[k] as number))
    return texts
  }

  #fillColumns(calculator: Calculator, closed: number): void {
    const count = Math.max(0, closed - this.#first)
    const room =
      this.#kept === Number.POSITIVE_INFINITY ? roomFor(count) : roomFor(Math.min(this.#kept, count))
    this.#columns = this.#formats.map(format => {
      const column = new TextColumn(room)
      const { output, text } = format
      if (output.kind !== 'names' && !text)
        column.appendNumbers(calculator.writer, calculator.column(output.column, closed), this.#first, closed)
      else
        for (let i = this.#first; i < closed; i++)
          column.append(formatAt(format, k => calculator.value(k, i)))
      return column
    })
  }

  /** Appends the newest texts, which are those of candle `i`, to the columns. */
  #append(i: number): void {
    const columns = this.#columns
    if (!columns) return
    const { count } = columns[0] as TextColumn
    const isFull = count >= roomFor(this.#kept)
    for (let k = 0; k < columns.length; k++) {
      const column = columns[k] as TextColumn
      if (isFull) column.dropFirst(count - this.#kept + 1)
      column.append(this.#newest[k] as string)
    }
    this.#first = i + 1 - (columns[0] as TextColumn).count
  }

  /** Writes closed candles, with a comma behind them unless they are the last ones. */
  #writeClosed(sink: JsonSink, k: number, from: number, closed: number, isLast: boolean): void {
    if (from === this.#included - 1) {
      sink.add(this.#newest[k] as string)
      if (!isLast) sink.add(',')
      return
    }
    const column = (this.#columns as readonly TextColumn[])[k] as TextColumn
    if (isLast) column.write(sink, from - this.#first, closed - this.#first)
    else column.writeWithComma(sink, from - this.#first, closed - this.#first)
  }

  /** Moves the first value on to the first candle before `closed` with a value. */
  #seekFirstValue(calculator: Calculator, closed: number): void {
    while (this.#firstValue < closed && !this.#hasValue(calculator, this.#firstValue)) this.#firstValue++
  }

  #hasValue(calculator: Calculator, i: number): boolean {
    const { columns } = this.#calculation.indicator
    for (let k = 0; k < columns; k++) if (!Number.isNaN(calculator.value(k, i))) return true
    return false
  }
}

/** The results of a calculation as they cross threads. */
export interface PackedResults {
  readonly state: Float64Array
  readonly included: number
  readonly newest: readonly string[]
  readonly columns: readonly PackedColumn[] | undefined
  readonly first: number
  readonly kept: number
  readonly firstValue: number
}
