import type { Candle } from '../../candles/candle.js'
import type { FlowState } from '../../candles/charts/bar-flow.js'
import { type ColumnName, Columns, columnNames } from '../../candles/columns.js'
import { MultiMarketColumns } from '../../candles/multi-market-columns.js'
import { isExpression } from '../expressions/compile.js'
import type { Plan } from '../expressions/plan.js'
import { PlanBuilder } from '../expressions/plan-builder.js'
import type { OtherFlow, OtherPlace } from '../plans/other-flow.js'
import { PlanRunner } from '../plans/plan-runner.js'
import { instantiate } from '../wasm/module.js'
import type { Calculation } from './calculator.js'

/** The values of the candles that were added last, valid until the next block is computed. */
export interface Block {
  /** How many candles there were before. */
  readonly from: number
  readonly count: number
  /** The open time of each candle, in Unix seconds. */
  readonly timestamp: Float64Array
  /** By calculation: one view per column of its entry, NaN where there is no value. */
  readonly columns: readonly (readonly Float64Array[])[]
}

/** Where a calculation continues: what its plan knows of the candles before. */
export interface Checkpoint {
  /** The number of candles before, or of bars where it is over those of a chart. */
  readonly index: number
  /** Candles before, and bars of a chart in addition: what it has taken to come here. */
  readonly passed: number
  /** The candles that open at this time (Unix seconds) or later are the ones that the plan looks back at, and those to come. */
  readonly from: number
  /** When the last candle before opens. */
  readonly last: number
  readonly state: Float64Array
  /** By other market of the plan: where its candles go on; undefined where none of them was read. */
  readonly others?: readonly (OtherPlace | undefined)[]
  /** Where the plan is over the bars of a chart: what makes these, and the memory of the bars that it looks back at. */
  readonly chart?: { readonly flow: FlowState; readonly bars: ArrayBufferLike }
}

/**
 * Computes indicators over any number of candles, which are added in blocks, as one plan that continues with its state. So the
 * values are those of one calculation over all candles, bit for bit. In memory are the block, the candles before it that a
 * kernel looks back at, and working space: some kernels address theirs by the index of the candle, so it grows by up to 8 bytes
 * for each scratch column and candle.
 */
export class BlockCalculator {
  readonly blockSize: number
  readonly #calculations: readonly Calculation[]
  readonly #plan: Plan
  readonly #runner: PlanRunner
  readonly #state: Float64Array
  /** Candles before a block that the plan looks back at. */
  readonly #lookback: number
  readonly #candles: Columns
  /** The columns of candles that are kept. */
  readonly #names: readonly ColumnName[]
  /** When the candles of the last block open. */
  readonly #times: Float64Array
  readonly #others: readonly OtherFlow[]
  /** The index of the first candle in memory, of the first one of the block, and of the next one that is added. */
  #first = 0
  #from = 0
  #next = 0
  #begin = Number.POSITIVE_INFINITY
  /** When the last candle of the last block opens, in Unix seconds. */
  #last = Number.NEGATIVE_INFINITY

  /** `openOthers` has the candles of the other markets of the plan, of which as many as are given are looked back at. */
  constructor(
    calculations: readonly Calculation[],
    blockSize = 1024,
    module = instantiate(),
    openOthers: (lookback: number) => readonly OtherFlow[] = () => [],
  ) {
    this.blockSize = blockSize
    this.#calculations = calculations
    this.#plan = planOf(calculations)
    this.#runner = new PlanRunner(module)
    this.#state = new Float64Array(this.#plan.state.length)
    this.#lookback = Math.max(...this.#plan.state.histories)
    this.#others = openOthers(this.#lookback)
    const candles = Columns.unshared(this.#lookback + blockSize + 1)
    this.#names = this.readsClosesOnly ? ['timestamp', 'close'] : columnNames
    this.#times = new Float64Array(blockSize + 1)
    this.#candles = this.#others.length > 0 ? new MultiMarketColumns(candles, this.#others) : candles
  }

  /** Whether candles of another market were read that are in memory and may be corrected. */
  get hasReachedOthersInMemory(): boolean {
    return this.#others.some((other, market) => other.hasReachedMemory(this.#readOf(market)))
  }

  /** Whether it reads nothing but times and closes of the candles that are added. */
  get readsClosesOnly(): boolean {
    const { nodes, timelines } = this.#plan
    // Candles of other timelines are made of whole ones.
    return timelines.length === 1 && nodes.every(node => node.kind !== 'column' || node.column === 'close')
  }

  /** The first candle at which the first value has left its warm-up, as far as blocks were computed; Infinity where it has not. */
  get begin(): number {
    return this.#begin
  }

  /** Candles that were added to the block. */
  get size(): number {
    return this.#next - this.#from
  }

  /** The index of the next candle that is added. */
  get next(): number {
    return this.#next
  }

  /** Adds the next candle; to be called at most `blockSize` times for one block. */
  add(candle: Candle): void {
    this.#candles.write(this.#next++ - this.#first, candle)
  }

  /** Adds the candles of columns from `from` on and before `to`, as many as the block has room for; answers how many. */
  addFrom(columns: Columns, from: number, to: number): number {
    const count = Math.min(to - from, this.blockSize - this.size)
    const at = this.#next - this.#first
    for (const name of this.#names) this.#candles[name].set(columns[name].subarray(from, from + count), at)
    this.#next += count
    return count
  }

  /** Continues behind the candles before a checkpoint; those from its `from` on are added first. */
  resume({ index, last, state }: Checkpoint): void {
    this.#state.set(state)
    this.#last = last
    this.#from = index
    this.#next = Math.max(0, index - this.#lookback)
    this.#first = this.#next
  }

  /** Where another calculator may continue behind the last block. */
  checkpoint(): Checkpoint {
    const from = this.#first < this.#next ? (this.#candles.timestamp[0] as number) : this.#last + 1
    return {
      ...{ index: this.#next, passed: this.#next, from, last: this.#last, state: this.#state.slice() },
      ...(this.#others.length > 0 && {
        others: this.#others.map((other, market) => other.placeAt(this.#readOf(market))),
      }),
    }
  }

  /** How many candles of another market were read before the next block. */
  #readOf(market: number): number {
    return this.#state[this.#plan.state.markets + market] as number
  }

  /** A copy of the candles that the next block looks back at. */
  lookback(): Columns {
    const count = this.#from - this.#first
    const copy = Columns.unshared(count)
    for (const name of columnNames) copy[name].set(this.#candles[name].subarray(0, count))
    return copy
  }

  /** Computes the candles of the block, and begins the next one; a forming candle is computed behind them and not added. */
  compute(forming?: Candle): Block {
    const [from, to] = [this.#from, this.#next]
    const count = to - from + (forming ? 1 : 0)
    const snapshot = { columns: this.#candles, closed: to, forming: undefined, count: to }
    this.#runner.resume(this.#plan, from, this.#state, count)
    this.#runner.run(snapshot, from, to, this.#first)
    this.#runner.save(this.#state)
    if (forming) {
      this.#candles.write(to - this.#first, forming)
      this.#runner.run({ ...snapshot, forming, count: to + 1 }, to, to + 1, this.#first)
    }
    this.#begin = this.#runner.beginOf(0)
    // The next block takes the place of the candles.
    this.#times.set(this.#candles.timestamp.subarray(from - this.#first, from - this.#first + count))
    const timestamp = this.#times.subarray(0, count)
    let root = 0
    const columns = this.#calculations.map(({ indicator }) =>
      Array.from({ length: indicator.columns }, () => this.#runner.column(root++, count)),
    )
    this.#from = to
    if (to > from) this.#last = timestamp[to - from - 1] as number
    this.#dropOldest()
    return { from, count, timestamp, columns }
  }

  /** Moves the candles that the next block looks back at to the beginning. */
  #dropOldest(): void {
    const first = Math.max(this.#first, this.#next - this.#lookback)
    for (const name of this.#names)
      this.#candles[name].copyWithin(0, first - this.#first, this.#next - this.#first)
    this.#first = first
  }
}

/** The plan whose results are the columns of calculations, one after the other; that of an expression is its own. */
function planOf(calculations: readonly Calculation[]): Plan {
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
