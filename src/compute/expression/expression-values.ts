import type { Columns, Snapshot } from '../../candles/columns.js'
import type { CompiledExpression } from '../../expression/compile.js'
import type { Calculator } from '../kernels/calculator.js'
import type { PackedResults } from '../results/result-series.js'

/**
 * The values of an expression at the newest `count` candles of a snapshot (fewer where it is shorter), oldest first: one
 * column per output. Conditions are 1 and 0, and NaN stands for what is undefined, as it is before `depth` candles. The
 * last value is that of the forming candle, where there is one.
 */
export function newestValues(
  calculator: Calculator,
  { spec }: CompiledExpression,
  snapshot: Snapshot,
  count: number,
): readonly Float64Array[] {
  const { columns } = calculator.calculate(spec, snapshot)
  return columns.map(column => column.slice(Math.max(0, snapshot.count - count)))
}

/** Called with the values of a closed candle by output, valid until the call returns. */
export type OnClosed = (timestamp: number, values: Float64Array) => void

/**
 * An expression over one series as it grows. A closed candle is one step, a forming one a step on a copy of the state;
 * neither takes longer in a longer history. The values equal those of `newestValues` over the same candles bit for bit.
 */
export class LiveExpression {
  readonly #calculator: Calculator
  readonly #compiled: CompiledExpression
  readonly #state: Float64Array
  readonly #values: Float64Array
  readonly #previewed: Float64Array
  /** The columns and the number of closed candles that the state is about; undefined after a step that threw. */
  #columns: Columns | undefined
  #closed = 0
  /** The open time of the newest closed candle that was seen. */
  #newest: number | undefined

  constructor(calculator: Calculator, compiled: CompiledExpression) {
    const { indicator, params } = compiled.spec
    this.#calculator = calculator
    this.#compiled = compiled
    this.#state = new Float64Array(indicator.state(params))
    this.#values = new Float64Array(indicator.columns).fill(Number.NaN)
    this.#previewed = new Float64Array(indicator.columns)
  }

  /** The values at the newest closed candle by output: conditions as 1 and 0, NaN where they are undefined. */
  get values(): Float64Array {
    return this.#values
  }

  /**
   * Advances to the closed candles of a snapshot. `onClosed` is called for each candle that is newer than all of the
   * calls before, oldest first; in the first call there is none. Where other columns replaced those of the last
   * call, as after a correction, everything is computed again.
   */
  advance(snapshot: Snapshot, onClosed?: OnClosed): void {
    const { columns, closed } = snapshot
    const from = closed - this.candlesToRun(snapshot)
    if (columns === this.#columns && from === closed) return
    this.#run(snapshot, from, closed)
    this.#visit(columns, from, closed, onClosed)
    this.#read(closed - 1, this.#values)
  }

  /** The closed candles that were not computed yet: all of them where other columns replaced those of the last call. */
  candlesToRun({ columns, closed }: Snapshot): number {
    return columns === this.#columns && closed >= this.#closed ? closed - this.#closed : closed
  }

  /** Begins with the first candle again. */
  reset(): void {
    this.#columns = undefined
  }

  /** Computes so many of the candles that `candlesToRun` counts. `visit` is called with each of them, oldest first. */
  advancePart(snapshot: Snapshot, candles: number, visit: (i: number, values: Float64Array) => void): void {
    const { columns, closed } = snapshot
    const from = closed - this.candlesToRun(snapshot)
    const to = Math.min(closed, from + candles)
    this.#run(snapshot, from, to)
    for (let i = from; i < to; i++) {
      this.#read(i, this.#values)
      visit(i, this.#values)
    }
    this.#newest = columns.timestamp[to - 1]
  }

  /** Takes over the state and the values at the newest candle of another thread, which has computed so many candles. */
  adopt({ columns }: Snapshot, { state, included }: PackedResults, values: ArrayLike<number>): void {
    this.#state.set(state)
    this.#values.set(values)
    this.#newest = columns.timestamp[included - 1]
    this.#columns = columns
    this.#closed = included
  }

  /** Runs the plan over the candles [from, to), of which those before are included. */
  #run(snapshot: Snapshot, from: number, to: number): void {
    const { spec } = this.#compiled
    this.#columns = undefined
    this.#calculator.resume(spec, snapshot, from, this.#state)
    this.#calculator.run(spec.indicator, from, to)
    this.#calculator.save(this.#state)
    this.#columns = snapshot.columns
    this.#closed = to
  }

  /**
   * The values at the forming candle of a snapshot by output, valid until the next call; undefined where none is
   * forming. The closed candles must be those of the last call of `advance`. The state stays as it is.
   */
  preview(snapshot: Snapshot): Float64Array | undefined {
    if (!snapshot.forming) return undefined
    if (snapshot.columns !== this.#columns || snapshot.closed !== this.#closed)
      throw new Error('a forming candle was previewed before the closed candles were included')
    const { spec } = this.#compiled
    this.#calculator.resume(spec, snapshot, snapshot.closed, this.#state)
    this.#calculator.run(spec.indicator, snapshot.closed, snapshot.count)
    this.#read(snapshot.closed, this.#previewed)
    return this.#previewed
  }

  #visit({ timestamp }: Columns, from: number, closed: number, onClosed: OnClosed | undefined): void {
    const before = this.#newest
    this.#newest = closed > 0 ? timestamp[closed - 1] : undefined
    if (before === undefined || !onClosed) return
    let first = closed
    while (first > from && (timestamp[first - 1] as number) > before) first--
    for (let i = first; i < closed; i++) {
      this.#read(i, this.#values)
      onClosed(timestamp[i] as number, this.#values)
    }
  }

  /** Copies the values at candle `i`, which was run last. */
  #read(i: number, target: Float64Array): void {
    for (let k = 0; k < target.length; k++) target[k] = i < 0 ? Number.NaN : this.#calculator.value(k, i)
  }
}
