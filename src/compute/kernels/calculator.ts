import { type ColumnName, type Columns, columnNames, type Snapshot } from '../../candles/columns.js'
import type { Entry, SourceName, Values } from '../../catalogue/index.js'
import { isExpression } from '../expressions/compile.js'
import { NumberWriter } from '../json/number-writer.js'
import { formatsOf, type OutputFormat } from '../json/output-format.js'
import type { JsonSink } from '../json/sink.js'
import { TimestampWriter } from '../json/text-column.js'
import { PlanRunner } from '../plans/plan-runner.js'
import {
  alignAddress,
  cacheLineBytes,
  columnLength,
  encode,
  firstFreeAddress,
  frameAt,
  growMemory,
  instantiate,
  runKernel,
  scratchLengthOf,
  type WasmModule,
} from '../wasm/module.js'

const columnIndex = Object.fromEntries(columnNames.map((name, k) => [name, k])) as Record<ColumnName, number>

/** Number of columns that stay in memory between calculations: those of a series, then up to two chosen sources. */
const residentColumns = columnNames.length + 2
/** The smallest capacity of a column, in candles. */
const minCapacity = 1024

/** The outputs of one calculation: `count` values each, the first `lookback` of them without a value (NaN). */
export interface Outputs {
  readonly count: number
  readonly lookback: number
  /** One view per output of the entry, valid until the next calculation. */
  readonly columns: readonly Float64Array[]
}

/** An indicator with checked parameters, and the columns chosen instead of its first two inputs. */
export interface Calculation {
  readonly indicator: Entry
  readonly params: Values
  readonly source?: SourceName | undefined
  readonly source2?: SourceName | undefined
}

/**
 * One instance of the kernels. The columns of the last series stay in its memory: several indicators copy a series
 * once, and a grown series only copies its new candles.
 */
export class Calculator {
  /** Writes lists of numbers as JSON in the same memory. */
  readonly writer: NumberWriter
  readonly timestamps: TimestampWriter
  readonly #module: WasmModule
  readonly #frame: number
  #numbers = new Float64Array()
  #words = new Uint32Array()
  #capacity = 0
  #columns: Columns | undefined
  /** The closed candles [from, to) of the series that are in memory, per column. */
  readonly #loadedFrom = new Uint32Array(columnNames.length)
  readonly #loadedTo = new Uint32Array(columnNames.length)
  /**
   * The last layout: indicator, address of the first output, length of each output in numbers, and address of the
   * state.
   */
  #indicator: Entry | undefined
  #outputsAt = 0
  #outputLength = 0
  #stateAt = 0
  readonly #shapes = new WeakMap<Entry, Shape>()
  /** Runs expressions; created by the first one. */
  #plans: PlanRunner | undefined
  /** Snapshot of the last calculation, if that was an expression. */
  #expressionOver: Snapshot | undefined

  constructor(module = instantiate()) {
    this.#module = module
    const start = firstFreeAddress(module)
    this.writer = new NumberWriter(module, start)
    this.timestamps = new TimestampWriter(this.writer)
    this.#frame = alignAddress(start + NumberWriter.byteSize)
  }

  /**
   * Runs the kernel over the whole snapshot. The caller must have checked that the snapshot is longer than the
   * lookback.
   */
  calculate(calculation: Calculation, snapshot: Snapshot): Outputs {
    this.compute(calculation, snapshot)
    const { indicator, params } = calculation
    const { count } = snapshot
    const columns: Float64Array[] = []
    for (let k = 0; k < indicator.columns; k++) columns.push(this.column(k, count))
    return { count, lookback: indicator.lookback(params), columns }
  }

  /**
   * Computes the values from candle `from` on, for `value` and `write`; earlier values are undefined. The caller must
   * have checked that the snapshot is longer than the lookback. A kernel without a state runs for these candles only.
   */
  compute(calculation: Calculation, snapshot: Snapshot, from = 0): void {
    const { count } = snapshot
    const { indicator } = calculation
    if (isExpression(indicator)) {
      this.#expressionOver = snapshot
      this.#plan.resume(indicator.plan, 0, undefined, count)
      this.run(0, count)
      return
    }
    const layout = layoutOf(calculation, this.#shapeOf(indicator))
    const first = layout.stateLength === 0 ? from : 0
    this.#layOut(layout, snapshot, Math.max(0, first - layout.lookback))
    this.run(first, count)
  }

  /** Runs the kernel for the candles [from, to) in the last layout. Throws `KernelFailure` if the kernel traps. */
  run(from: number, to: number): void {
    if (this.#expressionOver) {
      this.#plan.run(this.#expressionOver, from, to)
      return
    }
    try {
      runKernel(this.#module, this.#indicator as Entry, this.#frame, from, to)
    } catch (error) {
      // The kernel may have overwritten columns of candles, so the next calculation copies them again.
      this.#columns = undefined
      throw error
    }
  }

  /**
   * Lays out memory to continue at candle `from` with the kernel's previous state. Only candles within the lookback are
   * copied, however long the history is. Call `run`, `value` and `save` afterwards.
   */
  resume(layout: Layout, snapshot: Snapshot, from: number, state: Float64Array): void {
    const { indicator } = layout.calculation
    if (isExpression(indicator)) {
      this.#expressionOver = snapshot
      this.#plan.resume(indicator.plan, from, state)
      return
    }
    this.#layOut(layout, snapshot, Math.max(0, from - layout.lookback))
    const at = this.#stateAt >> 3
    for (let k = 0; k < state.length; k++) this.#numbers[at + k] = state[k] as number
  }

  /** The first `count` values of output `k` in the last layout, valid until the next one. */
  column(k: number, count: number): Float64Array {
    if (this.#expressionOver) return this.#plan.column(k, count)
    const at = (this.#outputsAt >> 3) + k * this.#outputLength
    return this.#numbers.subarray(at, at + count)
  }

  /** Value of output `k` at candle `i`. The kernel must have run for this candle in the last layout. */
  value(k: number, i: number): number {
    if (this.#expressionOver) return this.#plan.value(k, i)
    return this.#numbers[(this.#outputsAt >> 3) + k * this.#outputLength + i] as number
  }

  /** Writes the values [from, to) of output `k` in the last layout. */
  write(sink: JsonSink, k: number, from: number, to: number): void {
    if (this.#expressionOver) {
      sink.addNumbers(this.#plan.column(k, to), from, to)
      return
    }
    const at = (this.#outputsAt >> 3) + k * this.#outputLength
    sink.addNumbers(this.#numbers, at + from, at + to)
  }

  /**
   * Whether any of the first `columns` outputs has a value at candle `i`. The kernel must have run for this candle in
   * the last layout.
   */
  hasValue(columns: number, i: number): boolean {
    for (let k = 0; k < columns; k++) if (!Number.isNaN(this.value(k, i))) return true
    return false
  }

  /** Copies the state after the last run. */
  save(state: Float64Array): void {
    if (this.#expressionOver) {
      this.#plan.save(state)
      return
    }
    const at = this.#stateAt >> 3
    for (let k = 0; k < state.length; k++) state[k] = this.#numbers[at + k] as number
  }

  /** JSON formats of the outputs of an indicator. */
  formatsOf(indicator: Entry): readonly OutputFormat[] {
    return this.#shapeOf(indicator).formats
  }

  #shapeOf(indicator: Entry): Shape {
    let shape = this.#shapes.get(indicator)
    if (!shape) {
      shape = shapeOf(indicator)
      this.#shapes.set(indicator, shape)
    }
    return shape
  }

  get #plan(): PlanRunner {
    this.#plans ??= new PlanRunner(instantiate())
    return this.#plans
  }

  /** Fills the frame of the kernel, and its inputs from candle `first` on. */
  #layOut(layout: Layout, snapshot: Snapshot, first: number): void {
    this.#expressionOver = undefined
    const { count } = snapshot
    const { calculation, lookback } = layout
    const { indicator } = calculation
    const { columns, scratch } = indicator
    this.#indicator = indicator
    const scratchLength = scratch === 0 ? 0 : columnLength(scratchLengthOf(count, lookback))
    // One free number after every column, because kernels read and write two candles at a time (`setPair` in
    // assembly/frame.ts).
    const outputLength = columnLength(count + 1)
    const lines = 2 * cacheLineBytes
    this.#reserve(
      count,
      lines + (columns * outputLength + scratch * scratchLength + layout.stateLength + 1) * 8,
    )
    if (this.#columns !== snapshot.columns) {
      this.#columns = snapshot.columns
      this.#loadedTo.fill(0)
    }

    const words = this.#words
    const frame = this.#frame >> 2
    const { inputs, sources } = layout
    for (let k = 0; k < inputs.length; k++) {
      const source = sources[k]
      words[frame + (frameAt.inputs >> 2) + k] =
        source === undefined
          ? this.#load(inputs[k] as number, snapshot, first)
          : this.#derive(source, k, snapshot, first)
    }
    // Align the first value of each output to a cache line, so that no pair of values crosses two lines.
    let free = this.#residentAt(residentColumns) + ((-8 * lookback) & (cacheLineBytes - 1))
    this.#outputsAt = free
    this.#outputLength = outputLength
    for (let k = 0; k < columns; k++) {
      words[frame + (frameAt.outputs >> 2) + k] = free
      free += outputLength * 8
    }
    free = alignAddress(free, cacheLineBytes)
    for (let k = 0; k < scratch; k++) {
      words[frame + (frameAt.scratch >> 2) + k] = free
      free += scratchLength * 8
    }
    words[frame + (frameAt.state >> 2)] = free
    this.#stateAt = free
    const { params } = layout
    const at = (this.#frame + frameAt.params) >> 3
    for (let k = 0; k < params.length; k++) this.#numbers[at + k] = params[k] as number
  }

  /** The address of resident column `k`. */
  #residentAt(k: number): number {
    return alignAddress(this.#frame + frameAt.size, cacheLineBytes) + k * columnLength(this.#capacity) * 8
  }

  /** Reserves memory for `candles` per column and `extra` bytes after the columns. */
  #reserve(candles: number, extra: number): void {
    if (candles > this.#capacity) {
      this.#capacity = minCapacity
      while (this.#capacity < candles) this.#capacity *= 2
      this.#loadedTo.fill(0)
    }
    const needed = this.#residentAt(residentColumns) + extra
    // Views are empty at first, and after the memory has grown.
    if (this.#numbers.byteLength >= needed) return
    const { memory } = this.#module
    growMemory(memory, needed)
    this.#numbers = new Float64Array(memory.buffer)
    this.#words = new Uint32Array(memory.buffer)
  }

  /** Copies the candles of column `k` that are not in memory yet. Returns the address of the column. */
  #load(k: number, snapshot: Snapshot, first: number): number {
    const name = columnNames[k] as ColumnName
    const address = this.#residentAt(k)
    const { columns, closed, forming } = snapshot
    const at = address >> 3
    let to = this.#loadedTo[k] as number
    if (first < (this.#loadedFrom[k] as number) || first > to || to === 0) {
      this.#loadedFrom[k] = first
      to = first
    }
    if (to < closed) {
      this.#numbers.set(columns[name].subarray(to, closed), at + to)
      to = closed
    } else if (to > closed && forming) to = closed
    this.#loadedTo[k] = to
    if (forming) this.#numbers[at + closed] = forming[name]
    return address
  }

  /** Lays out the source chosen for input `k`: a column or a mean of columns. Returns its address. */
  #derive(source: SourceName, k: number, snapshot: Snapshot, first: number): number {
    if (source !== 'hl2' && source !== 'hlc3' && source !== 'ohlc4')
      return this.#load(columnIndex[source], snapshot, first)
    const address = this.#residentAt(columnNames.length + k)
    const numbers = this.#numbers
    const to = address >> 3
    const high = this.#load(columnIndex.high, snapshot, first) >> 3
    const low = this.#load(columnIndex.low, snapshot, first) >> 3
    const close = source === 'hl2' ? 0 : this.#load(columnIndex.close, snapshot, first) >> 3
    const open = source === 'ohlc4' ? this.#load(columnIndex.open, snapshot, first) >> 3 : 0
    const at = (i: number) => numbers[i] as number
    for (let i = first; i < snapshot.count; i++) {
      numbers[to + i] =
        source === 'hl2'
          ? (at(high + i) + at(low + i)) / 2
          : source === 'hlc3'
            ? (at(high + i) + at(low + i) + at(close + i)) / 3
            : (at(open + i) + at(high + i) + at(low + i) + at(close + i)) / 4
    }
    return address
  }
}

/** Whether each value depends only on the candles within the lookback: see test/laws. */
export const isStateless = ({ indicator, params }: Calculation): boolean =>
  !isExpression(indicator) && indicator.state(params) === 0

/** Memory layout of a calculation, independent of the candles. */
export interface Layout {
  readonly calculation: Calculation
  readonly lookback: number
  readonly stateLength: number
  /** Resident column per input, and the sources chosen for the first two inputs. */
  readonly inputs: readonly number[]
  readonly sources: readonly (SourceName | undefined)[]
  readonly params: readonly number[]
  /** JSON formats of the outputs. */
  readonly formats: readonly OutputFormat[]
}

/** Compiled facts of an indicator, shared by its calculations. */
interface Shape {
  readonly inputs: readonly number[]
  readonly params: readonly string[]
  readonly formats: readonly OutputFormat[]
}

const shapeOf = (indicator: Entry): Shape => ({
  inputs: indicator.inputs.map(name => columnIndex[name]),
  params: Object.keys(indicator.params),
  formats: formatsOf(indicator),
})

export function layoutOf(calculation: Calculation, shape = shapeOf(calculation.indicator)): Layout {
  const { indicator, params, source, source2 } = calculation
  const { inputs, formats } = shape
  const numbers: number[] = []
  for (const name of shape.params) numbers.push(encode(indicator, name, params))
  return {
    calculation,
    lookback: indicator.lookback(params),
    stateLength: indicator.state(params),
    inputs,
    sources: [source, source2],
    params: numbers,
    formats,
  }
}
