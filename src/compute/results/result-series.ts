import type { Candle } from '../../candles/candle.js'
import { type Inputs, rewind, type Snapshot } from '../../candles/columns.js'
import type { Query, Settled } from '../../contract/query.js'
import type { Rows } from '../json/text-column.js'
import type { Calculator } from '../kernels/calculator.js'
import { type Calculation, type Shape, shapeOf } from '../kernels/shape.js'
import { KeptValues, type PackedValues } from './kept-values.js'

/**
 * Approximate bytes of a calculation without its columns and state, but with its query, keys and cache entry: see
 * test/unit/compute/result-memory.test.ts.
 */
const objectBytes = 1_600

/** The values of a query: those of the closed candles, then those of the forming candle, if any. */
export interface Window extends Rows {
  /** The candles without the newest ones that the query skips. */
  readonly snapshot: Snapshot
  readonly values: KeptValues
}

/**
 * One calculation over the closed candles of one series: the kernel's state after the newest candle, and the newest
 * values. A closed candle is one step, whose values are appended. The forming candle is one step on a copy of the
 * state. No kernel looks ahead, so earlier values never change, and the values of any query are a part of the kept
 * ones. All calls must be about the columns with which the series was built. When other columns replace them, it must
 * be built again.
 */
export class ResultSeries {
  readonly shape: Shape
  readonly values: KeptValues
  /** Number of closed candles in the state; -1 before the series is built, and after a step that threw. */
  included = -1
  /** First candle with a value in any output; if there is none yet, the first that may have one. */
  #firstValue = 0
  /** Forming candle after all included ones whose values were last computed. */
  #previewed: Candle | undefined
  #hasPreviewValue = false

  constructor(calculation: Calculation) {
    this.shape = shapeOf(calculation)
    this.values = new KeptValues(this.shape)
  }

  /** Approximate bytes of memory. */
  get byteLength(): number {
    return objectBytes + this.values.byteLength
  }

  /** Approximate bytes of memory if `kept` values of `closed` candles are kept. */
  byteLengthFor(kept: number, closed: number): number {
    return objectBytes + this.values.byteLengthFor(kept, closed)
  }

  /**
   * Number of values to keep so that the newest `wanted` ones are included, Infinity for all. Grows by doubling, so
   * that a caller that requests more each time causes few builds.
   */
  keptFor(wanted: number): number {
    const { kept } = this.values
    if (wanted <= kept || kept === 1) return Math.max(wanted, kept)
    return Math.max(wanted, 2 * kept)
  }

  /** Whether the values of the candles [from, to) are kept. None of them may be within the warm-up. */
  covers(from: number, to: number): boolean {
    return from >= to || (to <= this.included && from >= this.values.first)
  }

  /** Runs the kernel over all closed candles, and keeps the newest `kept` values. */
  build(calculator: Calculator, inputs: Inputs, kept: number): void {
    const { closed } = inputs[0]
    const { warmup } = this.shape
    const { numbers } = this.values
    this.#reset()
    calculator.resume(this.shape, inputs, 0, numbers)
    if (closed > 0) calculator.run(0, closed)
    calculator.save(this.shape, numbers)
    this.values.fill(calculator, kept, warmup, closed)
    this.#firstValue = warmup
    this.#seekFirstValue(calculator, closed)
    this.included = closed
  }

  /** Computes the closed candles that are not included yet, and the forming candle, if any, with `wantsForming`. */
  advance(calculator: Calculator, inputs: Inputs, wantsForming: boolean): void {
    const { closed, forming } = inputs[0]
    const { warmup } = this.shape
    const { numbers } = this.values
    const from = this.included
    if (closed <= from) return
    // A step that throws must not leave a state that includes a candle whose values are missing.
    this.included = -1
    this.#previewed = undefined
    calculator.resume(this.shape, inputs, from, numbers)
    calculator.run(from, closed)
    calculator.save(this.shape, numbers)
    const first = Math.max(from, closed - this.values.kept)
    if (first > from) this.values.dropTexts()
    for (let i = Math.max(first, warmup); i < closed; i++) this.values.append(calculator, i)
    if (this.#firstValue >= from) this.#seekFirstValue(calculator, closed)
    // The memory of the calculator is already laid out for the forming candle.
    if (wantsForming && forming && closed >= warmup) this.#runForming(calculator, closed, forming)
    this.included = closed
  }

  /** Computes the forming candle after all included ones. The state is not changed. */
  preview(calculator: Calculator, inputs: Inputs): void {
    const { closed, forming } = inputs[0]
    if (!forming || this.#previewed === forming) return
    this.#previewed = undefined
    calculator.resume(this.shape, inputs, closed, this.values.numbers)
    this.#runForming(calculator, closed, forming)
  }

  /** Drops all but the newest value. */
  shrink(): void {
    this.values.shrinkTo(this.included - 1)
  }

  /** Packs the series for another thread; undefined if not built. */
  pack(): PackedResults | undefined {
    if (this.included < 0) return undefined
    const { included, values } = this
    return { included, firstValue: this.#firstValue, ...values.pack() }
  }

  /** Restores a series that another thread has packed. */
  unpack(packed: PackedResults): void {
    this.#reset()
    this.values.unpack(packed)
    this.#firstValue = packed.firstValue
    this.included = packed.included
  }

  #reset(): void {
    this.included = -1
    this.#previewed = undefined
    this.values.clear()
  }

  /** Runs the kernel for the forming candle in the last layout of the calculator, and keeps its values. */
  #runForming(calculator: Calculator, closed: number, forming: Candle): void {
    calculator.run(closed, closed + 1)
    this.values.setForming(calculator, closed)
    this.#hasPreviewValue = this.#firstValue >= closed && this.#hasValue(calculator, closed)
    this.#previewed = forming
  }

  /** Advances `#firstValue` to the first candle before `closed` with a value. */
  #seekFirstValue(calculator: Calculator, closed: number): void {
    while (this.#firstValue < closed && !this.#hasValue(calculator, this.#firstValue)) this.#firstValue++
  }

  #hasValue(calculator: Calculator, i: number): boolean {
    return calculator.hasValue(this.shape.calculation.indicator.columns, i)
  }

  /**
   * The window of a query in a calculation that includes all closed candles of the snapshot, and keeps all values that
   * the query needs.
   */
  window(calculator: Calculator, query: Query, current: Inputs): Window {
    const inputs = query.backtrack === 0 ? current : rewind(current, query.backtrack)
    const snapshot = inputs[0]
    const { closed, forming, count } = snapshot
    if (forming) this.preview(calculator, inputs)
    let from = Math.max(this.shape.warmup, count - query.results)
    // Begins at the first candle with a value; after the last candle if there is none.
    if (query.results === Number.POSITIVE_INFINITY)
      from = this.#firstValue < closed ? this.#firstValue : forming && this.#hasPreviewValue ? closed : count
    const { settled } = query
    const masked = settled ? maskedFrom(settled, from) : 0
    return { values: this.values, snapshot, from, to: count, masked }
  }
}

/** The results of a calculation as they cross threads. */
export interface PackedResults extends PackedValues {
  readonly included: number
  readonly firstValue: number
}

/** Number of values from candle `from` on that are masked in the answer to a query that is not refused. */
export const maskedFrom = ({ first }: Settled, from: number): number => Math.max(0, first - from)

/** Number of newest closed candles whose values a query needs, counted back from the newest one; Infinity for all. */
export function wantedBy({ warmup }: Shape, { results, backtrack }: Query, snapshot: Snapshot): number {
  if (results === Number.POSITIVE_INFINITY) return results
  return Math.max(0, snapshot.closed - Math.max(warmup, snapshot.count - backtrack - results))
}

/**
 * Whether a query can be answered from kept values, after a step per missing candle. A calculation that includes more
 * candles than the snapshot lacks the value of a candle that was forming then.
 */
export function isWarm(results: ResultSeries, query: Query, current: Snapshot): boolean {
  const { included, shape, values } = results
  if (current.closed >= included) return included >= 0 && wantedBy(shape, query, current) <= values.kept
  const [{ closed, forming }] = rewind([current], query.backtrack)
  const isAll = query.results === Number.POSITIVE_INFINITY
  return (
    !forming && results.covers(isAll ? shape.warmup : Math.max(shape.warmup, closed - query.results), closed)
  )
}
