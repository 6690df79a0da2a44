import type { Candle } from '../../candles/candle.js'
import { rewind, type Snapshot } from '../../candles/columns.js'
import type { Entry } from '../../catalogue/index.js'
import type { Query } from '../../contract/query.js'
import type { NumberWriter } from '../json/number-writer.js'
import { formatAt, type OutputFormat, withholding } from '../json/output-format.js'
import type { JsonSink } from '../json/sink.js'
import { type PackedColumn, TextColumn } from '../json/text-column.js'
import { type Calculation, type Calculator, type Layout, layoutOf } from '../kernels/calculator.js'

/**
 * Approximate bytes of a calculation without its columns and state, but with its query, keys and cache entry: see
 * test/unit/compute/result-memory.test.ts.
 */
const objectBytes = 1_600
/** Approximate bytes of one value's text with its offset. */
const bytesPerValue = 24
/** Approximate bytes of a column without its texts. */
const columnBytes = 600
/** Minimum spare capacity of a column, in values. The usual spare capacity is a quarter of the kept values. */
const minSpare = 16

/** Scratch buffer for the values of one candle. A kernel has at most 16 outputs. */
const values = new Float64Array(16)

/** Capacity of columns that keep `kept` values. When it is exceeded, the oldest values are dropped. */
const roomFor = (kept: number): number => kept + Math.max(minSpare, kept >> 2)

/** The values of a query: those of the closed candles [from, closed), then those of the forming candle, if any. */
export interface Window {
  /** The candles without the newest ones that the query skips. */
  readonly snapshot: Snapshot
  /** First candle, and number of masked values from there on. */
  readonly from: number
  readonly masked: number
}

/**
 * One calculation over the closed candles of one series: the kernel's state after the newest candle, and the newest
 * values as JSON texts in columns. A closed candle is one step, whose values are appended. The forming candle is one
 * step on a copy of the state. No kernel looks ahead, so earlier values never change, and the values of any query are a
 * part of the columns. All calls must be about the columns with which the series was built. When other columns replace
 * them, it must be built again.
 */
export class ResultSeries {
  readonly #layout: Layout
  readonly #formats: readonly OutputFormat[]
  /** Whether all outputs are numbers. */
  readonly #isNumeric: boolean
  readonly #warmup: number
  /** Undefined before the series is built, and after a step that threw. */
  #state: Float64Array | undefined
  /** The number of closed candles that the state includes. */
  #included = 0
  /** Texts of the candles from `#first` on, then those of the forming candle. */
  #columns: readonly TextColumn[] | undefined
  /** Values if only one value is kept. They need less memory than columns. */
  #newest: NewestValues
  /** Texts of the newest closed candle, if its values are not in `#newest`. */
  #newestTexts: readonly string[] | undefined
  /** First kept candle, never within the warm-up. */
  #first = 0
  /** Number of values that the columns keep; Infinity for all. */
  #kept = 1
  /** First candle with a value in any output; if there is none yet, the first that may have one. */
  #firstValue = 0
  /** Forming candle after all included ones whose texts were last computed. */
  #previewed: Candle | undefined
  #hasPreviewValue = false

  constructor(calculation: Calculation) {
    this.#layout = layoutOf(calculation)
    this.#formats = this.#layout.formats
    this.#isNumeric = this.#formats.every(({ isNumber }) => isNumber)
    this.#warmup = calculation.indicator.warmup(calculation.params)
    this.#newest = newestValuesOf(calculation.indicator.columns)
  }

  get indicator(): Entry {
    return this.#layout.calculation.indicator
  }

  get isBuilt(): boolean {
    return this.#state !== undefined
  }

  /** Number of candles before the first one that may have a value. */
  get warmup(): number {
    return this.#warmup
  }

  /** Number of closed candles in the state. */
  get included(): number {
    return this.#included
  }

  /** Number of newest values kept, Infinity for all. */
  get kept(): number {
    return this.#kept
  }

  /** Approximate bytes of memory. */
  get byteLength(): number {
    let bytes = objectBytes + (this.#state?.byteLength ?? 0)
    if (this.#columns) for (const column of this.#columns) bytes += column.byteLength
    return bytes
  }

  /** Approximate bytes of memory if `kept` values of `closed` candles are kept. */
  byteLengthFor(kept: number, closed: number): number {
    if (kept === 1) return objectBytes
    return (
      objectBytes + this.#formats.length * (columnBytes + Math.min(roomFor(kept), closed) * bytesPerValue)
    )
  }

  /**
   * Number of values to keep so that the newest `wanted` ones are included, Infinity for all. Grows by doubling, so
   * that a caller that requests more each time causes few builds.
   */
  keptFor(wanted: number): number {
    if (wanted <= this.#kept || this.#kept === 1) return Math.max(wanted, this.#kept)
    return Math.max(wanted, 2 * this.#kept)
  }

  /** Whether the newest `wanted` values of the included closed candles are kept; Infinity for all. */
  keeps(wanted: number): boolean {
    return this.#state !== undefined && wanted <= this.#kept
  }

  /** Whether the values of the candles [from, to) are kept. None of them may be within the warm-up. */
  covers(from: number, to: number): boolean {
    if (from >= to) return true
    if (this.#state === undefined || to > this.#included) return false
    return from >= this.#first
  }

  /** Runs the kernel over all closed candles, and keeps the newest `kept` values. */
  build(calculator: Calculator, snapshot: Snapshot, kept: number): void {
    const { closed } = snapshot
    const state = new Float64Array(this.#layout.stateLength)
    this.#reset()
    calculator.resume(this.#layout, snapshot, 0, state)
    if (closed > 0) calculator.run(0, closed)
    calculator.save(state)
    this.#kept = kept
    this.#first = Math.max(this.#warmup, closed - kept)
    if (kept > 1) this.#fillColumns(calculator, closed)
    else if (closed > this.#warmup) takeNewest(this.#newest, newestClosed, calculator, closed - 1)
    this.#firstValue = this.#warmup
    this.#seekFirstValue(calculator, closed)
    this.#included = closed
    this.#state = state
  }

  /** Computes the closed candles that are not included yet, and the forming candle, if any, with `wantsForming`. */
  advance(calculator: Calculator, snapshot: Snapshot, wantsForming: boolean): void {
    const { closed, forming } = snapshot
    const from = this.#included
    const state = this.#state as Float64Array
    if (closed <= from) return
    // A step that throws must not leave a state that includes a candle whose values are missing.
    this.#state = undefined
    this.#previewed = undefined
    calculator.resume(this.#layout, snapshot, from, state)
    calculator.run(from, closed)
    calculator.save(state)
    const first = Math.max(from, closed - this.#kept)
    if (first > from) for (const column of this.#columns ?? []) column.dropFirst(column.count)
    for (let i = Math.max(first, this.#warmup); i < closed; i++) this.#append(calculator, i)
    if (this.#firstValue >= from) this.#seekFirstValue(calculator, closed)
    this.#included = closed
    // The memory of the calculator is already laid out for the forming candle.
    if (wantsForming && forming && closed >= this.#warmup) this.#runForming(calculator, closed, forming)
    this.#state = state
  }

  /** Computes the forming candle after all included ones. The state is not changed. */
  preview(calculator: Calculator, snapshot: Snapshot): void {
    const { closed, forming } = snapshot
    if (!forming || this.#previewed === forming) return
    this.#previewed = undefined
    calculator.resume(this.#layout, snapshot, closed, this.#state as Float64Array)
    this.#runForming(calculator, closed, forming)
  }

  /** Texts of the candle of the last preview. */
  previewTexts(writer: NumberWriter): readonly string[] {
    return this.#columns?.map(column => column.next) ?? this.#textsOf(formingNext, writer)
  }

  /** Texts of a candle that is kept. */
  texts(i: number, writer: NumberWriter): readonly string[] {
    if (this.#columns) return this.#columns.map(column => column.at(i - this.#first))
    return this.#newestTexts ?? this.#textsOf(newestClosed, writer)
  }

  /** First candle with a value, if all values are kept; the number of candles if there is none. */
  firstValueIn({ closed, forming, count }: Snapshot): number {
    if (this.#firstValue < closed) return this.#firstValue
    return forming && this.#hasPreviewValue ? closed : count
  }

  /** Writes the values of a window without timestamps. The window must be kept, and its forming candle previewed. */
  write(writer: NumberWriter, sink: JsonSink, { snapshot, from: begin, masked }: Window): void {
    const { closed, forming, count } = snapshot
    const from = begin + masked
    const isForming = forming !== undefined && from < count
    const formats = withholding(this.#formats, masked)
    const columns = this.#columns
    if (!columns) {
      const first = from < closed ? newestClosed : formingNext
      const end = isForming ? formingNext + 1 : formingNext
      if (this.#newestTexts && first === newestClosed)
        this.#writeTexts(this.#newestTexts, formats, isForming, writer, sink)
      else if (this.#isNumeric) writeNewest(this.#newest, formats, first, end, writer, sink)
      else formatNewest(this.#newest, formats, first, end, sink)
      return
    }
    for (let k = 0; k < formats.length; k++) {
      sink.add((formats[k] as OutputFormat).head)
      const column = columns[k] as TextColumn
      if (isForming) column.writeWithNext(sink, from - this.#first)
      else if (from < closed) column.write(sink, from - this.#first, closed - this.#first)
    }
  }

  /** Writes the texts of the newest closed candle, and the values of the forming one. */
  #writeTexts(
    texts: readonly string[],
    formats: readonly OutputFormat[],
    isForming: boolean,
    writer: NumberWriter,
    sink: JsonSink,
  ): void {
    const next = isForming ? this.previewTexts(writer) : undefined
    for (let k = 0; k < texts.length; k++) {
      sink.add((formats[k] as OutputFormat).head)
      sink.add(texts[k] as string)
      if (next) sink.add(`,${next[k]}`)
    }
  }

  /** Drops all but the newest value. */
  shrink(): void {
    // The newest value exists only as text. The forming candle is computed again on request.
    if (this.#columns && this.#included > this.#first)
      this.#newestTexts = this.#columns.map(column => column.at(this.#included - 1 - this.#first))
    this.#previewed = undefined
    this.#first = Math.max(this.#first, this.#included - 1)
    this.#columns = undefined
    this.#kept = 1
  }

  /** Packs the series for another thread; undefined if not built. */
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

  /** Restores a series that another thread has packed. */
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

  #textsOf(place: Place, writer: NumberWriter): readonly string[] {
    return newestTextsOf(this.#newest, place, this.#formats, this.#isNumeric ? writer : undefined)
  }

  #reset(): void {
    this.#state = undefined
    this.#previewed = undefined
    this.#columns = undefined
    this.#newestTexts = undefined
  }

  /** Runs the kernel for the forming candle in the last layout of the calculator, and writes its texts. */
  #runForming(calculator: Calculator, closed: number, forming: Candle): void {
    calculator.run(closed, closed + 1)
    this.#setNext(calculator, closed)
    this.#hasPreviewValue = this.#firstValue >= closed && calculator.hasValue(this.indicator.columns, closed)
    this.#previewed = forming
  }

  /** Texts of a candle for which the kernel ran last. */
  #read(calculator: Calculator, i: number): readonly string[] {
    const formats = this.#formats
    if (!this.#isNumeric)
      return formats.map(format => formatAt(format, column => calculator.value(column, i)))
    for (let k = 0; k < formats.length; k++) values[k] = calculator.value(k, i)
    return calculator.writer.texts(values, formats.length)
  }

  /** Writes the texts of candle `i`, for which the kernel ran last, as the next values. */
  #setNext(calculator: Calculator, i: number): void {
    const columns = this.#columns
    if (!columns) takeNewest(this.#newest, formingNext, calculator, i)
    else if (!this.#isNumeric) {
      const texts = this.#read(calculator, i)
      for (let k = 0; k < columns.length; k++) columns[k]?.setNext(texts[k] as string)
    } else {
      for (let k = 0; k < columns.length; k++) values[k] = calculator.value(k, i)
      const { writer } = calculator
      writer.write(values, 0, columns.length)
      let at = 0
      for (let k = 0; k < columns.length; k++) at = (columns[k] as TextColumn).setNextNumber(writer.text, at)
    }
  }

  #fillColumns(calculator: Calculator, closed: number): void {
    const count = Math.max(0, closed - this.#first)
    const room =
      this.#kept === Number.POSITIVE_INFINITY ? roomFor(count) : roomFor(Math.min(this.#kept, count))
    this.#columns = this.#formats.map(format => {
      const column = new TextColumn(room)
      const { output, isNumber } = format
      if (isNumber)
        column.appendNumbers(calculator.writer, calculator.column(output.column, closed), this.#first, closed)
      else
        for (let i = this.#first; i < closed; i++) {
          column.setNext(formatAt(format, k => calculator.value(k, i)))
          column.appendNext()
        }
      return column
    })
  }

  /** Appends the texts of candle `i`, for which the kernel ran last. */
  #append(calculator: Calculator, i: number): void {
    const columns = this.#columns
    const count = columns?.[0]?.count ?? 0
    if (columns && count >= roomFor(this.#kept))
      for (const column of columns) column.dropFirst(count - this.#kept + 1)
    if (columns) {
      this.#setNext(calculator, i)
      for (const column of columns) column.appendNext()
    } else {
      takeNewest(this.#newest, newestClosed, calculator, i)
      this.#newestTexts = undefined
    }
    this.#first = i + 1 - (columns?.[0]?.count ?? 1)
  }

  /** Advances `#firstValue` to the first candle before `closed` with a value. */
  #seekFirstValue(calculator: Calculator, closed: number): void {
    while (this.#firstValue < closed && !calculator.hasValue(this.indicator.columns, this.#firstValue))
      this.#firstValue++
  }
}

/** The results of a calculation as they cross threads. */
export interface PackedResults {
  readonly state: Float64Array
  readonly included: number
  readonly newest: NewestValues
  readonly columns: readonly PackedColumn[] | undefined
  readonly first: number
  readonly kept: number
  readonly firstValue: number
}

const comma = 0x2c

/** Scratch buffer of values to write. A kernel has at most 16 outputs with up to two values each. */
const written = new Float64Array(32)

/** Indices of the two candles in `NewestValues`. */
const newestClosed = 0
const formingNext = 1
type Place = typeof newestClosed | typeof formingNext

/**
 * Values of the newest closed candle and of the forming one: two adjacent numbers per column of the kernel. They become
 * text only if an answer contains them, because most answers contain only one of the two.
 */
type NewestValues = Float64Array

const newestValuesOf = (columns: number): NewestValues => new Float64Array(2 * columns)

/** Copies the values of candle `i`, for which the kernel ran last. */
function takeNewest(values: NewestValues, place: Place, calculator: Calculator, i: number): void {
  for (let k = 0; 2 * k < values.length; k++) values[2 * k + place] = calculator.value(k, i)
}

/** Texts of one candle, one per output. Formatted by `writer` if all outputs are numbers. */
function newestTextsOf(
  values: NewestValues,
  place: Place,
  formats: readonly OutputFormat[],
  writer: NumberWriter | undefined,
): readonly string[] {
  if (!writer) return formats.map(format => formatAt(format, column => values[2 * column + place] as number))
  for (let k = 0; k < formats.length; k++) written[k] = values[2 * k + place] as number
  return writer.texts(written, formats.length)
}

/** Writes the values of the places [from, to) of all outputs, which are numbers, each after its head. */
function writeNewest(
  values: NewestValues,
  formats: readonly OutputFormat[],
  from: number,
  to: number,
  writer: NumberWriter,
  sink: JsonSink,
): void {
  let count = 0
  for (let k = 0; k < formats.length; k++)
    for (let place = from; place < to; place++) written[count++] = values[2 * k + place] as number
  writer.write(written, 0, count)
  const { text } = writer
  let at = 0
  for (let k = 0; k < formats.length; k++) {
    sink.add((formats[k] as OutputFormat).head)
    let end = at
    for (let left = to - from; left > 0; end++) if (text[end] === comma) left--
    if (end > at) sink.addBytes(text, at, end - 1)
    at = end
  }
}

/** Writes the values of the places [from, to) of all outputs, of which some are not numbers. */
function formatNewest(
  values: NewestValues,
  formats: readonly OutputFormat[],
  from: number,
  to: number,
  sink: JsonSink,
): void {
  for (const format of formats) {
    sink.add(format.head)
    for (let place = from; place < to; place++) {
      if (place > from) sink.add(',')
      sink.add(formatAt(format, column => values[2 * column + place] as number))
    }
  }
}

/** Number of newest closed candles whose values a query needs, counted back from the newest one; Infinity for all. */
export function wantedBy(
  { warmup }: ResultSeries,
  { results, backtrack }: Query,
  { closed, count }: Snapshot,
): number {
  if (results === Number.POSITIVE_INFINITY) return results
  const from = Math.max(warmup, Math.max(0, count - backtrack) - results)
  return Math.max(0, closed - from)
}

/** First candle of a query's window in a calculation that keeps all values of the query. */
function firstOf(results: ResultSeries, query: Query, snapshot: Snapshot): number {
  if (query.results === Number.POSITIVE_INFINITY) return results.firstValueIn(snapshot)
  return Math.max(results.warmup, snapshot.count - query.results)
}

function windowFrom(results: ResultSeries, query: Query, snapshot: Snapshot): Window {
  const from = firstOf(results, query, snapshot)
  return { snapshot, from, masked: maskedFrom(query, from) }
}

/** Number of values from candle `from` on that are masked in the answer to a query that is not refused. */
export const maskedFrom = ({ settled }: Query, from: number): number =>
  settled === undefined ? 0 : Math.max(0, settled.first - from)

/**
 * The window of a query in a calculation that includes all closed candles and keeps all values that the query needs.
 */
export function windowOf(
  calculator: Calculator,
  results: ResultSeries,
  query: Query,
  current: Snapshot,
): Window {
  const snapshot = rewind(current, query.backtrack)
  if (snapshot.forming) results.preview(calculator, snapshot)
  return windowFrom(results, query, snapshot)
}

/**
 * The window of a query in a calculation that includes more closed candles than the snapshot. Undefined if some values
 * are not kept, such as that of a candle that was forming then.
 */
export function windowOfPast(results: ResultSeries, query: Query, current: Snapshot): Window | undefined {
  const snapshot = rewind(current, query.backtrack)
  if (snapshot.forming) return undefined
  const { warmup } = results
  const isAll = query.results === Number.POSITIVE_INFINITY
  if (!results.covers(isAll ? warmup : Math.max(warmup, snapshot.count - query.results), snapshot.closed))
    return undefined
  return windowFrom(results, query, snapshot)
}
