import type { Candle } from '../../candles/candle.js'
import type { FlowState } from '../../candles/charts/bar-flow.js'
import { type ColumnName, Columns, columnNames } from '../../candles/columns.js'
import { isExpression } from '../expressions/compile.js'
import type { Plan } from '../expressions/plan.js'
import { PlanBuilder } from '../expressions/plan-builder.js'
import type { OtherFlow, OtherStart } from '../plans/other-flow.js'
import { PlanRunner } from '../plans/plan-runner.js'
import type { WasmModule } from '../wasm/module.js'
import type { Calculation } from './shape.js'

/** Values of the candles of one block, valid until the next block is computed. */
export interface Block {
  /** Number of candles already processed. */
  readonly from: number
  readonly count: number
  /** The open time of each candle, in Unix seconds. */
  readonly timestamp: Float64Array
  /** Output columns per calculation. A missing value is NaN. */
  readonly columns: readonly (readonly Float64Array[])[]
}

/** A point from which a calculation can continue: the state of its plan after the candles already processed. */
export interface Checkpoint {
  /** Number of candles already processed; of bars if the calculation is over a chart. */
  readonly index: number
  /** Candles plus bars of a chart that were processed to get here. */
  readonly passed: number
  /**
   * Open time of the first candle to add after a resume, in Unix seconds. The candles within the lookback are included.
   */
  readonly from: number
  /** Open time of the last candle already processed. */
  readonly last: number
  readonly state: Float64Array
  /** Candle to continue from, per other market of the plan; undefined if none of its candles was read. */
  readonly others?: readonly (OtherStart | undefined)[]
  /** Only over the bars of a chart: the state of the bar builder, and the memory of the bars within the lookback. */
  readonly chart?: { readonly flow: FlowState; readonly bars: ArrayBufferLike }
}

/**
 * Computes indicators over any number of candles, added in blocks, as one plan that keeps its state. The values equal
 * those of one calculation over all candles, bit for bit. Memory holds the block, the candles within the lookback, and
 * scratch space. Some kernels address scratch by candle index, so it grows by up to 8 bytes per scratch column and
 * candle.
 */
export class BlockCalculator {
  readonly blockSize: number
  readonly #plan: Plan
  readonly #runner: PlanRunner
  readonly #state: Float64Array
  /** Number of candles before a block that the plan reads. */
  readonly #lookback: number
  readonly #candles: Columns
  /** The columns of candles that are kept. */
  readonly #names: readonly ColumnName[]
  /** Open times of the last block. */
  readonly #times: Float64Array
  readonly #others: readonly OtherFlow[]
  /** Indices of the first candle in memory, of the first candle of the block, and of the next candle to add. */
  #first = 0
  #from = 0
  #next = 0
  #begin = Number.POSITIVE_INFINITY
  /** Open time of the last candle of the last block, in Unix seconds. */
  #last = Number.NEGATIVE_INFINITY

  /** `openOthers` opens the candles of the plan's other markets, with the given lookback. */
  constructor(
    private readonly calculations: readonly Calculation[],
    module: WasmModule,
    blockSize = 1024,
    openOthers: (lookback: number) => readonly OtherFlow[] = () => [],
  ) {
    this.blockSize = blockSize
    this.#plan = planOf(calculations)
    this.#runner = new PlanRunner(module)
    this.#state = new Float64Array(this.#plan.state.length)
    this.#lookback = Math.max(...this.#plan.state.histories)
    this.#others = openOthers(this.#lookback)
    this.#candles = Columns.unshared(this.#lookback + blockSize + 1)
    this.#names = this.readsClosesOnly ? ['timestamp', 'close'] : columnNames
    this.#times = new Float64Array(blockSize + 1)
  }

  /** Whether the calculation has read another market's candles that are in memory and may still be corrected. */
  get hasReachedOthersInMemory(): boolean {
    return this.#others.some((other, market) => other.hasReachedMemory(this.#readOf(market)))
  }

  /** Whether the plan reads only times and closes of the added candles. */
  get readsClosesOnly(): boolean {
    const { nodes, timelines } = this.#plan
    // Building candles of other timelines needs all columns.
    return timelines.length === 1 && nodes.every(node => node.kind !== 'column' || node.column === 'close')
  }

  /** First candle at which the first output has left its warm-up; Infinity if no computed block has reached it. */
  get begin(): number {
    return this.#begin
  }

  /** Number of candles added to the block. */
  get size(): number {
    return this.#next - this.#from
  }

  /** Index of the next candle to add. */
  get next(): number {
    return this.#next
  }

  /** Adds the next candle. Call it at most `blockSize` times per block. */
  add(candle: Candle): void {
    this.#candles.write(this.#next++ - this.#first, candle)
  }

  /** Adds the candles [from, to) of columns, as many as fit into the block. Returns the number of candles added. */
  addFrom(columns: Columns, from: number, to: number): number {
    const count = Math.min(to - from, this.blockSize - this.size)
    const at = this.#next - this.#first
    for (const name of this.#names) this.#candles[name].set(columns[name].subarray(from, from + count), at)
    this.#next += count
    return count
  }

  /** Continues after a checkpoint. The candles from the checkpoint's `from` on must be added first. */
  resume({ index, last, state }: Checkpoint): void {
    this.#state.set(state)
    this.#last = last
    this.#from = index
    this.#next = Math.max(0, index - this.#lookback)
    this.#first = this.#next
  }

  /** Returns a checkpoint after the last block, for another calculator. */
  checkpoint(): Checkpoint {
    const from = this.#first < this.#next ? (this.#candles.timestamp[0] as number) : this.#last + 1
    return {
      ...{ index: this.#next, passed: this.#next, from, last: this.#last, state: this.#state.slice() },
      ...(this.#others.length > 0 && {
        others: this.#others.map((other, market) => other.startAt(this.#readOf(market))),
      }),
    }
  }

  /** Number of candles of another market that were read before the next block. */
  #readOf(market: number): number {
    return this.#state[this.#plan.state.markets + market] as number
  }

  /** Copies the candles that the next block looks back at. */
  lookback(): Columns {
    const count = this.#from - this.#first
    const copy = Columns.unshared(count)
    for (const name of columnNames) copy[name].set(this.#candles[name].subarray(0, count))
    return copy
  }

  /**
   * Computes the candles of the block, and begins the next block. A forming candle is computed after them but not
   * added.
   */
  compute(forming?: Candle): Block {
    const [from, to] = [this.#from, this.#next]
    const count = to - from + (forming ? 1 : 0)
    const snapshot = { columns: this.#candles, closed: to, forming: undefined, count: to }
    this.#runner.resume(this.#plan, from, this.#state, count)
    const inputs = { snapshot, first: this.#first, others: this.#others }
    this.#runner.run(inputs, from, to)
    this.#runner.save(this.#state)
    if (forming) {
      this.#candles.write(to - this.#first, forming)
      this.#runner.run({ ...inputs, snapshot: { ...snapshot, forming, count: to + 1 } }, to, to + 1)
    }
    this.#begin = this.#runner.beginOf(0)
    // The next block overwrites the candles.
    this.#times.set(this.#candles.timestamp.subarray(from - this.#first, from - this.#first + count))
    const timestamp = this.#times.subarray(0, count)
    let root = 0
    const columns = this.calculations.map(({ indicator }) => {
      const own: Float64Array[] = []
      while (own.length < indicator.columns) own.push(this.#runner.column(root++, count))
      return own
    })
    this.#from = to
    if (to > from) this.#last = timestamp[to - from - 1] as number
    this.#dropOldest()
    return { from, count, timestamp, columns }
  }

  /** Moves the candles within the lookback of the next block to the front. */
  #dropOldest(): void {
    const first = Math.max(this.#first, this.#next - this.#lookback)
    for (const name of this.#names)
      this.#candles[name].copyWithin(0, first - this.#first, this.#next - this.#first)
    this.#first = first
  }
}

/** Builds the plan whose results are the columns of all calculations, in order. An expression has its own plan. */
export function planOf(calculations: readonly Calculation[]): Plan {
  const [first] = calculations
  if (first && isExpression(first.indicator)) return first.indicator.plan
  const builder = new PlanBuilder(undefined, { nodes: Infinity, calculations: Infinity })
  const roots = calculations.flatMap(({ indicator, params, source, source2 }) => {
    const inputs = indicator.inputs.map((input, k) =>
      builder.candleValue([source, source2][k] ?? input, 0, 1),
    )
    return Array.from({ length: indicator.columns }, (_, column) =>
      builder.output({ indicator, params, inputs }, column, 0, 0, 1),
    )
  })
  return builder.build(roots)
}
