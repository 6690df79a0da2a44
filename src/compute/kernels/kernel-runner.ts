import {
  type ColumnName,
  type Columns,
  columnNames,
  type Inputs,
  type Snapshot,
} from '../../candles/columns.js'
import type { Entry } from '../../catalogue/index.js'
import type { OutputValues } from '../json/text-column.js'
import type { PlanRunner } from '../plans/plan-runner.js'
import { type PlanInputs, planInputs } from '../plans/timeline-candles.js'
import {
  alignAddress,
  cacheLineBytes,
  columnLength,
  frameAt,
  growMemory,
  runKernel,
  scratchLengthOf,
  type WasmModule,
} from '../wasm/module.js'
import { type Calculation, inputColumns, type Shape, shapeOf } from './shape.js'

/** Number of columns that stay in memory between calculations: those of a series, then up to two chosen sources. */
const residentColumns = columnNames.length + 2
/** The smallest capacity of a column, in candles. */
const minCapacity = 1024
/** Maximum count of numbers that are copied one by one. */
const fewNumbers = 48

/** The outputs of one calculation: `count` values each, the first `lookback` of them without a value (NaN). */
export interface Outputs {
  readonly count: number
  readonly lookback: number
  /** One view per output of the entry, valid until the next calculation. */
  readonly columns: readonly Float64Array[]
}

/**
 * One instance of the kernels. The columns of the last series stay in its memory: several indicators copy a series
 * once, and a grown series only copies its new candles.
 */
export class KernelRunner {
  readonly #module: WasmModule
  readonly #frame: number
  #numbers = new Float64Array()
  #words = new Uint32Array()
  #capacity = 0
  #columns: Columns | undefined
  /** The closed candles [from, to) of the series that are in memory, per column. */
  readonly #loadedFrom = new Uint32Array(columnNames.length)
  readonly #loadedTo = new Uint32Array(columnNames.length)
  /** Address of the first resident column, and bytes from one to the next. */
  readonly #residentsAt: number
  #residentBytes = 0
  /** Indicator and address of the state in the last layout. */
  #indicator: Entry | undefined
  #stateAt = 0
  /** Values of the candles for which the kernel ran in the last layout, valid until the next one. */
  outputs: OutputValues = { numbers: this.#numbers, at: 0, stride: 0 }
  /** Runs expressions; created by the first one. */
  #plans: PlanRunner | undefined
  readonly #createPlans: () => PlanRunner
  /** Snapshot of the last calculation, if that was an expression. */
  #expressionOver: PlanInputs | undefined

  /** Uses the memory from address `start` on. `createPlans` creates a runner of expressions with its own memory. */
  constructor(module: WasmModule, start: number, createPlans: () => PlanRunner) {
    this.#module = module
    this.#createPlans = createPlans
    this.#frame = alignAddress(start)
    this.#residentsAt = alignAddress(this.#frame + frameAt.size, cacheLineBytes)
  }

  /**
   * Runs the kernel over the whole history. The caller must have checked that the history is longer than the
   * lookback.
   */
  calculate(calculation: Calculation, inputs: Inputs): Outputs {
    this.compute(calculation, inputs)
    const { indicator, params } = calculation
    const { count } = inputs[0]
    const columns: Float64Array[] = []
    for (let k = 0; k < indicator.columns; k++) columns.push(this.column(k, count))
    return { count, lookback: indicator.lookback(params), columns }
  }

  /**
   * Computes the values from candle `from` on; earlier values are undefined. The caller must have checked that the
   * snapshot is longer than the lookback. A kernel without a state runs for these candles only.
   */
  compute(calculation: Calculation, inputs: Inputs, from = 0): void {
    const { count } = inputs[0]
    const shape = shapeOf(calculation)
    const first = shape.isStateless ? from : 0
    if (shape.plan) this.#plansOver(inputs).resume(shape.plan, 0, undefined, count)
    else this.#layOut(shape, inputs[0], first, 0)
    this.run(first, count)
  }

  /** Runs the kernel for the candles [from, to) in the last layout. Throws `KernelFailure` if the kernel traps. */
  run(from: number, to: number): void {
    if (this.#plans && this.#expressionOver) {
      this.#plans.run(this.#expressionOver, from, to)
      this.outputs = this.#plans.outputs
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
   * Lays out memory to continue at candle `from` with the kernel's previous state, which `state` begins with. At candle 0 the
   * state is not read. Only candles within the lookback are copied, however long the history is. The columns of the snapshot
   * begin with candle `first`. Call `run`, `value` and `save` afterwards.
   */
  resume(shape: Shape, inputs: Inputs, from: number, state: Float64Array, first = 0): void {
    if (shape.plan) {
      this.#plansOver(inputs, first).resume(shape.plan, from, state)
      return
    }
    this.#layOut(shape, inputs[0], from, first)
    if (from === 0) return
    const at = this.#stateAt >> 3
    for (let k = 0; k < shape.stateLength; k++) this.#numbers[at + k] = state[k] as number
  }

  /** Whether all inputs of the kernel in the last layout are finite at the candles [from, to). */
  isWhole({ inputs }: Shape, from: number, to: number): boolean {
    const count = to - from
    for (let k = 0; k < inputs.length; k++) {
      const at = (this.#words[((this.#frame + frameAt.inputs) >> 2) + k] as number) + 8 * from
      // One number costs less than a call.
      const isKnown =
        count === 1 ? Number.isFinite(this.#numbers[at >>> 3]) : this.#module.countFinite(at, count) === count
      if (!isKnown) return false
    }
    return true
  }

  /** The first `count` values of output `k` in the last layout, valid until the next one. */
  column(k: number, count: number): Float64Array {
    const { numbers, at, stride } = this.outputs
    return numbers.subarray(at + k * stride, at + k * stride + count)
  }

  /** Value of output `k` at candle `i`. The kernel must have run for this candle in the last layout. */
  value(k: number, i: number): number {
    const { numbers, at, stride } = this.outputs
    return numbers[at + k * stride + i] as number
  }

  /**
   * Whether any of the first `columns` outputs has a value at candle `i`. The kernel must have run for this candle in
   * the last layout.
   */
  hasValue(columns: number, i: number): boolean {
    for (let k = 0; k < columns; k++) if (!Number.isNaN(this.value(k, i))) return true
    return false
  }

  /** Copies the state after the last run to the first numbers of `state`. */
  save({ stateLength }: Shape, state: Float64Array): void {
    if (this.#plans && this.#expressionOver) {
      this.#plans.save(state)
      return
    }
    const at = this.#stateAt >> 3
    for (let k = 0; k < stateLength; k++) state[k] = this.#numbers[at + k] as number
  }

  /** The runner of expressions for candles whose columns begin with candle `first`. */
  #plansOver(inputs: Inputs, first = 0): PlanRunner {
    this.#plans ??= this.#createPlans()
    this.#expressionOver = planInputs(inputs, first)
    return this.#plans
  }

  /**
   * Fills the frame of the kernel for the candles from `from` on, and its inputs with the candles within its lookback.
   * The columns of the snapshot begin with candle `first`. An address is that of candle 0, which may lie before the
   * memory: addresses wrap at 4 GiB.
   */
  #layOut(shape: Shape, snapshot: Snapshot, from: number, first: number): void {
    this.#expressionOver = undefined
    const { places, lookback, params, stateLength } = shape
    const { indicator } = shape.calculation
    const { columns, scratch } = indicator
    this.#indicator = indicator
    const { count } = snapshot
    const scratchLength = scratch === 0 ? 0 : columnLength(scratchLengthOf(count, lookback))
    // One free number after every column, because kernels read and write two candles at a time (`setPair` in
    // assembly/frame.ts).
    const stride = columnLength(count - from + 1)
    const lines = 2 * cacheLineBytes
    this.#reserve(count - first, lines + (columns * stride + scratch * scratchLength + stateLength + 1) * 8)
    if (this.#columns !== snapshot.columns) {
      this.#columns = snapshot.columns
      this.#loadedTo.fill(0)
    }

    const words = this.#words
    const frame = this.#frame >> 2
    const read = Math.max(0, from - lookback) - first
    for (let k = 0; k < places.length; k++) {
      const place = places[k] as number
      const address =
        place < columnNames.length
          ? this.#load(place, snapshot, read, first)
          : this.#derive(place, k, snapshot, read, first)
      words[frame + (frameAt.inputs >> 2) + k] = address - 8 * first
    }
    // Align the first value of each output to a cache line, so that no pair of values crosses two lines.
    let free = this.#residentsAt + residentColumns * this.#residentBytes
    free += (8 * (from - lookback)) & (cacheLineBytes - 1)
    this.outputs = { numbers: this.#numbers, at: (free >> 3) - from, stride }
    for (let k = 0; k < columns; k++) {
      words[frame + (frameAt.outputs >> 2) + k] = free - 8 * from
      free += stride * 8
    }
    free = alignAddress(free, cacheLineBytes)
    for (let k = 0; k < scratch; k++) {
      words[frame + (frameAt.scratch >> 2) + k] = free
      free += scratchLength * 8
    }
    words[frame + (frameAt.state >> 2)] = free
    this.#stateAt = free
    const at = (this.#frame + frameAt.params) >> 3
    for (let k = 0; k < params.length; k++) this.#numbers[at + k] = params[k] as number
  }

  /** Reserves memory for `candles` per column and `extra` bytes after the columns. */
  #reserve(candles: number, extra: number): void {
    if (candles > this.#capacity) {
      this.#capacity = minCapacity
      while (this.#capacity < candles) this.#capacity *= 2
      this.#residentBytes = columnLength(this.#capacity) * 8
      this.#loadedTo.fill(0)
    }
    const needed = this.#residentsAt + residentColumns * this.#residentBytes + extra
    // Views are empty at first, and after the memory has grown.
    if (this.#numbers.byteLength >= needed) return
    const { memory } = this.#module
    growMemory(memory, needed)
    this.#numbers = new Float64Array(memory.buffer)
    this.#words = new Uint32Array(memory.buffer)
  }

  /**
   * Copies the candles of column `k` that are not in memory yet, from index `from` of the columns on, which begin with
   * candle `first`. Returns the address of the column.
   */
  #load(k: number, { columns, closed, forming }: Snapshot, from: number, first: number): number {
    const name = columnNames[k] as ColumnName
    const address = this.#residentsAt + k * this.#residentBytes
    const numbers = this.#numbers
    const at = address >> 3
    const end = closed - first
    let to = this.#loadedTo[k] as number
    if (from < (this.#loadedFrom[k] as number) || from > to || to === 0) {
      this.#loadedFrom[k] = from
      to = from
    }
    if (to < end) {
      const column = columns[name]
      // A view of the column costs more than copying few numbers.
      if (end - to > fewNumbers) numbers.set(column.subarray(to, end), at + to)
      else for (let i = to; i < end; i++) numbers[at + i] = column[i] as number
      to = end
    } else if (to > end && forming) to = end
    this.#loadedTo[k] = to
    if (forming) numbers[at + end] = forming[name]
    return address
  }

  /** Lays out a mean of columns as input `k`, like `#load`. Returns its address. */
  #derive(place: number, k: number, snapshot: Snapshot, from: number, first: number): number {
    const address = this.#residentsAt + (columnNames.length + k) * this.#residentBytes
    const numbers = this.#numbers
    const to = address >> 3
    const source = inputColumns[place]
    const placed = (column: number) => this.#load(column, snapshot, from, first) >> 3
    const [high, low] = [placed(2), placed(3)]
    const close = source === 'hl2' ? 0 : placed(4)
    const open = source === 'ohlc4' ? placed(1) : 0
    const at = (i: number) => numbers[i] as number
    for (let i = from; i < snapshot.count - first; i++) {
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
