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
 * Bytes of memory of a calculation without its columns and its state, about, with its query, its keys and its place in
 * the cache: see test/unit/compute/result-memory.test.ts.
 */
const objectBytes = 1_600
/** Bytes that the text of one value takes with its place, about. */
const bytesPerValue = 24
/** Bytes that a column of texts takes without them, about. */
const columnBytes = 600
/** Columns have room for a quarter more values than they keep, and for so many more at least. */
const minSpare = 16

/** The values of one candle, for the time that it takes to write them. A kernel has at most so many outputs. */
const values = new Float64Array(16)

/** The number of values that columns have room for when they keep so many; beyond it the oldest ones are dropped. */
const roomFor = (kept: number): number => kept + Math.max(minSpare, kept >> 2)

/** The values of a query: those of the closed candles [from, closed), then those of the forming candle if there is one. */
export interface Window {
  /** The candles as they were before the candles that the query skips. */
  readonly snapshot: Snapshot
  /** The first candle, and how many values from there on are masked. */
  readonly from: number
  readonly masked: number
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
  readonly #layout: Layout
  readonly #formats: readonly OutputFormat[]
  /** Whether all outputs are numbers. */
  readonly #isNumeric: boolean
  readonly #warmup: number
  /** Undefined before it is built, and after a step that threw. */
  #state: Float64Array | undefined
  /** The number of closed candles that the state includes. */
  #included = 0
  /** The texts of the newest candles from `#first` on, and behind them those of the forming candle. */
  #columns: readonly TextColumn[] | undefined
  /** The values where one value is kept. They lie together, and take less memory than columns. */
  #newest: NewestValues
  /** The texts of the newest closed candle where its values are not in `#newest`. */
  #newestTexts: readonly string[] | undefined
  /** The first candle that is kept, never within the warm-up. */
  #first = 0
  /** The number of values that the columns keep; Infinity for all. */
  #kept = 1
  /** The first candle with a value in any output; where none has one, the first that may have one. */
  #firstValue = 0
  /** The forming candle behind all included ones whose texts were written last. */
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

  /** The number of candles before the first one that may have a value. */
  get warmup(): number {
    return this.#warmup
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
    if (kept === 1) return objectBytes
    return (
      objectBytes + this.#formats.length * (columnBytes + Math.min(roomFor(kept), closed) * bytesPerValue)
    )
  }

  /**
   * How many values it has to keep so that the newest `wanted` ones are among them, Infinity for all. A caller that asks
   * for more each time causes only a few builds.
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

  /** Computes the closed candles that it does not include yet, and the forming one too if there is one and it is wanted. */
  advance(calculator: Calculator, snapshot: Snapshot, wantsForming: boolean): void {
    const { closed, forming } = snapshot
    const from = this.#included
    const state = this.#state as Float64Array
    if (closed <= from) return
    // What throws must not leave a state that includes a candle whose values are missing.
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
    // The memory of the calculator is laid out for the forming candle, too.
    if (wantsForming && forming && closed >= this.#warmup) this.#runForming(calculator, closed, forming)
    this.#state = state
  }

  /** Computes the forming candle after all included ones. The state stays as it is. */
  preview(calculator: Calculator, snapshot: Snapshot): void {
    const { closed, forming } = snapshot
    if (!forming || this.#previewed === forming) return
    this.#previewed = undefined
    calculator.resume(this.#layout, snapshot, closed, this.#state as Float64Array)
    this.#runForming(calculator, closed, forming)
  }

  /** The texts of the candle of which the last preview was. */
  previewTexts(writer: NumberWriter): readonly string[] {
    return this.#columns?.map(column => column.next) ?? this.#textsOf(formingNext, writer)
  }

  /** The texts of a candle that it covers. */
  texts(i: number, writer: NumberWriter): readonly string[] {
    if (this.#columns) return this.#columns.map(column => column.at(i - this.#first))
    return this.#newestTexts ?? this.#textsOf(newestClosed, writer)
  }

  /** The first candle with a value, where all values are kept; the number of candles where there is none. */
  firstValueIn({ closed, forming, count }: Snapshot): number {
    if (this.#firstValue < closed) return this.#firstValue
    return forming && this.#hasPreviewValue ? closed : count
  }

  /** Writes the values of a window that it covers without their timestamps, after a preview of its forming candle. */
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

  /** Keeps no more than the newest value. */
  shrink(): void {
    // Its value is there as text only. The forming candle is computed again where it is asked for.
    if (this.#columns && this.#included > this.#first)
      this.#newestTexts = this.#columns.map(column => column.at(this.#included - 1 - this.#first))
    this.#previewed = undefined
    this.#first = Math.max(this.#first, this.#included - 1)
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

  /** The texts of a candle for which the kernel was run last. */
  #read(calculator: Calculator, i: number): readonly string[] {
    const formats = this.#formats
    if (!this.#isNumeric)
      return formats.map(format => formatAt(format, column => calculator.value(column, i)))
    for (let k = 0; k < formats.length; k++) values[k] = calculator.value(k, i)
    return calculator.writer.texts(values, formats.length)
  }

  /** Writes the texts of a candle for which the kernel was run last behind those that are kept. */
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

  /** Keeps the texts of candle `i`, for which the kernel was run last. */
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

  /** Moves the first value on to the first candle before `closed` with a value. */
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

/** The values that are written next. A kernel has at most 16 outputs, and each has up to two values. */
const written = new Float64Array(32)

/** The candles of which `NewestValues` has the values. */
const newestClosed = 0
const formingNext = 1
type Place = typeof newestClosed | typeof formingNext

/**
 * The values of the newest closed candle and of the forming one: for each column of the kernel two numbers side by side. They
 * become text only where an answer contains them: most answers contain only one of the two.
 */
type NewestValues = Float64Array

const newestValuesOf = (columns: number): NewestValues => new Float64Array(2 * columns)

/** Takes the values of candle `i`, for which the kernel was run last. */
function takeNewest(values: NewestValues, place: Place, calculator: Calculator, i: number): void {
  for (let k = 0; 2 * k < values.length; k++) values[2 * k + place] = calculator.value(k, i)
}

/** The texts of one candle, one for each output; by `writer` where all of them are numbers. */
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

/** Writes the values of the places [from, to) of all outputs, which are numbers, with what stands before each. */
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

/** The same for outputs that are not all numbers. */
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

/** How many values of the newest closed candles a query needs, counted back from the newest one; Infinity for all. */
export function wantedBy(
  { warmup }: ResultSeries,
  { results, backtrack }: Query,
  { closed, count }: Snapshot,
): number {
  if (results === Number.POSITIVE_INFINITY) return results
  const from = Math.max(warmup, Math.max(0, count - backtrack) - results)
  return Math.max(0, closed - from)
}

/** The first candle of a query's window in a calculation that has all its values. */
function firstOf(results: ResultSeries, query: Query, snapshot: Snapshot): number {
  if (query.results === Number.POSITIVE_INFINITY) return results.firstValueIn(snapshot)
  return Math.max(results.warmup, snapshot.count - query.results)
}

function windowFrom(results: ResultSeries, query: Query, snapshot: Snapshot): Window {
  const from = firstOf(results, query, snapshot)
  return { snapshot, from, masked: maskedFrom(query, from) }
}

/** How many values from candle `from` on are masked in the answer to a query that is not refused. */
export const maskedFrom = ({ settled }: Query, from: number): number =>
  settled === undefined ? 0 : Math.max(0, settled.first - from)

/** The window of a query in a calculation that includes all closed candles and has all values that it needs. */
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
 * The window of a query in a calculation that includes more closed candles than the snapshot; undefined where it does
 * not have all values, such as that of a candle that was forming then.
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
