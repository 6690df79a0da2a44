import type { ColumnName } from '../../candles/columns.js'
import { type Timeframe, timeframes } from '../../candles/timeframe.js'
import type { Input, Price } from '../../catalogue/define.js'
import type { Entry, SourceName, Values } from '../../catalogue/index.js'
import { expressionTooCostly } from '../../contract/expression-refusals.js'
import { Fault, maxCalculations, maxMarkets, maxNodes } from './parser.js'
import {
  beginOf,
  type NodeWork,
  type Operation,
  type OtherMarket,
  type Plan,
  type PlanNode,
  stateOf,
  type Timeline,
} from './plan.js'

/** Means of columns, used as an expression or as the source of an indicator. */
const means: Readonly<Record<string, readonly Price[]>> = {
  hl2: ['high', 'low'],
  hlc3: ['high', 'low', 'close'],
  ohlc4: ['open', 'high', 'low', 'close'],
}

/** Collects the nodes of a plan. Equal parts become one node. `at` is the position in the text for refusals. */
export class PlanBuilder {
  readonly #nodes: PlanNode[] = []
  /** Warm-up and reach per node: see `PlanNode`. */
  readonly #warmups: number[] = []
  readonly #reaches: number[] = []
  readonly #byKey = new Map<string, number>()
  readonly #timelines: Timeline[]
  readonly #markets: OtherMarket[] = []
  readonly #limits: { readonly nodes: number; readonly calculations: number }
  #calculations = 0

  constructor(timeframe?: Timeframe, limits = { nodes: maxNodes, calculations: maxCalculations }) {
    this.#limits = limits
    this.#timelines = [{ timeframe, length: timeframe ? timeframes[timeframe] : 0, isMade: false }]
  }

  /** Index of the timeline of a chosen timeframe, of the own market or of another one. */
  timeline(timeframe: Timeframe, market?: number): number {
    const known = this.#timelines.findIndex(
      (each, k) => k > 0 && each.timeframe === timeframe && each.market === market,
    )
    if (known > 0) return known
    const isMade = market === undefined || timeframe !== this.#timelines[0]?.timeframe
    const of = market === undefined ? {} : { market }
    return this.#timelines.push({ timeframe, length: timeframes[timeframe], ...of, isMade }) - 1
  }

  /** Index of another market. */
  market({ exchange, symbol }: OtherMarket, at: number): number {
    const known = this.#markets.findIndex(each => each.exchange === exchange && each.symbol === symbol)
    if (known >= 0) return known
    if (this.#markets.length >= maxMarkets)
      throw new Fault(expressionTooCostly(at, maxMarkets, 'other markets'))
    return this.#markets.push({ exchange, symbol }) - 1
  }

  column(name: ColumnName, timeline: number): number {
    return this.#add({ kind: 'column', column: name }, timeline, 1)
  }

  /** Adds a column or a mean of columns, with the operations in the same order as in kernels. */
  candleValue(name: Input | SourceName, timeline: number, at: number): number {
    const [first, ...others] = means[name] ?? []
    if (!first) return this.column(name as ColumnName, timeline)
    let sum = this.column(first, timeline)
    for (const other of others) sum = this.pointwise('add', [sum, this.column(other, timeline)], timeline, at)
    const count = this.constant(others.length + 1, timeline)
    return this.pointwise('divide', [sum, count], timeline, at)
  }

  constant(value: number, timeline: number): number {
    return this.#add({ kind: 'constant', value }, timeline, 1)
  }

  pointwise(operation: Operation, inputs: readonly number[], timeline: number, at: number): number {
    return this.#add({ kind: 'pointwise', operation, inputs }, timeline, at)
  }

  /** Adds the value of a node as many candles ago as the node `by` says, at most `candles`. */
  historyBy(input: number, by: number, candles: number, timeline: number, at: number): number {
    return this.#add({ kind: 'history', input, candles, by }, timeline, at)
  }

  /** Adds the value of a node at the newest candle at which a condition holds. `name` is the function in the text. */
  held(
    name: string,
    inputs: readonly [condition: number, value: number],
    timeline: number,
    at: number,
  ): number {
    return this.#add({ kind: 'held', inputs, name }, timeline, at)
  }

  history(input: number, candles: number, timeline: number, at: number): number {
    if (candles === 0) return input
    return this.#add({ kind: 'history', input, candles }, timeline, at)
  }

  /** Adds a column that an indicator computes from inputs. Its values begin after `lookback` candles. */
  output(
    calculation: { readonly indicator: Entry; readonly params: Values; readonly inputs: readonly number[] },
    column: number,
    lookback: number,
    timeline: number,
    at: number,
  ): number {
    const before = this.#nodes.length
    const node = this.#add({ kind: 'calculation', ...calculation }, timeline, at)
    if (this.#nodes.length > before && ++this.#calculations > this.#limits.calculations)
      throw new Fault(expressionTooCostly(at, this.#limits.calculations, 'different indicators'))
    return this.#add({ kind: 'output', calculation: node, column, lookback }, timeline, at)
  }

  /** Adds the values of a node of another timeline at its newest closed candle. */
  closed(input: number, at: number, isStrict = false): number {
    return this.#add({ kind: 'closed', input, ...(isStrict && { isStrict }) }, 0, at)
  }

  build(roots: readonly number[]): Plan {
    const [nodes, timelines, markets] = [this.#nodes, this.#timelines, this.#markets]
    return { nodes, timelines, markets, roots, state: stateOf(nodes, timelines, markets.length) }
  }

  #add(work: NodeWork, timeline: number, at: number): number {
    const key = JSON.stringify([timeline, nodeKey(work)])
    const known = this.#byKey.get(key)
    if (known !== undefined) return known
    const { nodes } = this.#limits
    if (this.#nodes.length >= nodes) throw new Fault(expressionTooCostly(at, nodes, 'different parts'))
    const isClosed = work.kind === 'closed'
    const warmup = isClosed ? this.#warmupOfClosed(work.input) : beginOf(work, this.#warmups)
    const reach = isClosed ? this.#reachOfClosed(work.input) : beginOf(work, this.#reaches)
    const index = this.#nodes.push({ ...work, timeline, warmup, reach }) - 1
    this.#warmups.push(warmup)
    this.#reaches.push(reach)
    this.#byKey.set(key, index)
    return index
  }

  /**
   * Warm-up of a `closed` node. The longer candles of a series are never more numerous than its own, but another market
   * may have any number of earlier candles.
   */
  #warmupOfClosed(input: number): number {
    const { timeline, warmup } = this.#nodes[input] as PlanNode
    return (this.#timelines[timeline] as Timeline).market === undefined ? warmup : 0
  }

  #reachOfClosed(input: number): number {
    const { timeline, warmup } = this.#nodes[input] as PlanNode
    const { isMade, length } = this.#timelines[timeline] as Timeline
    if (!isMade) return warmup
    const ratio = length / (this.#timelines[0] as Timeline).length
    // The first longer candle is dropped, because it may lack its beginning.
    return Math.max(warmup, (warmup + 2) * ratio - 2)
  }
}

/** Cache key of a node's work. -0 and 0 differ. */
function nodeKey(work: NodeWork): unknown {
  if (work.kind === 'calculation') return [work.indicator.name, Object.values(work.params), work.inputs]
  if (work.kind === 'constant') return [work.kind, Object.is(work.value, -0) ? '-0' : work.value]
  return work
}
