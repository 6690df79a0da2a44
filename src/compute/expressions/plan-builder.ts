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

/** The means of columns that stand beside them, as an expression or as the source of an indicator. */
const means: Readonly<Record<string, readonly Price[]>> = {
  hl2: ['high', 'low'],
  hlc3: ['high', 'low', 'close'],
  ohlc4: ['open', 'high', 'low', 'close'],
}

/** Collects the nodes of a plan. Equal parts become one node. `at` is the place in the text that a refusal names. */
export class PlanBuilder {
  readonly #nodes: PlanNode[] = []
  /** By node: see `PlanNode`. */
  readonly #warmups: number[] = []
  readonly #reaches: number[] = []
  readonly #byKey = new Map<string, number>()
  readonly #timelines: Timeline[]
  readonly #markets: OtherMarket[] = []
  readonly #limits: { readonly nodes: number; readonly calculations: number }
  #calculations = 0

  /** `timeframe` is that of the candles, where it is known. */
  constructor(timeframe?: Timeframe, limits = { nodes: maxNodes, calculations: maxCalculations }) {
    this.#limits = limits
    this.#timelines = [{ timeframe, length: timeframe ? timeframes[timeframe] : 0, isMade: false }]
  }

  /** The timeline of a timeframe that the expression chooses, of its own market or of another one. */
  timeline(timeframe: Timeframe, market?: number): number {
    const known = this.#timelines.findIndex(
      (each, k) => k > 0 && each.timeframe === timeframe && each.market === market,
    )
    if (known > 0) return known
    const isMade = market === undefined || timeframe !== this.#timelines[0]?.timeframe
    const of = market === undefined ? {} : { market }
    return this.#timelines.push({ timeframe, length: timeframes[timeframe], ...of, isMade }) - 1
  }

  /** The index of another market. */
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

  /** A column or a mean of columns, in the order of operations in which kernels compute it. */
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

  /** The value of a node so many candles ago. */
  history(input: number, candles: number, timeline: number, at: number): number {
    if (candles === 0) return input
    return this.#add({ kind: 'history', input, candles }, timeline, at)
  }

  /** A column that an indicator writes over inputs, whose values begin after `lookback` candles. */
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

  /** The values of a node of another timeline at its newest closed candle. */
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

  /** Longer candles are never more than those of the series. Another market may have any number of candles before them. */
  #warmupOfClosed(input: number): number {
    const { timeline, warmup } = this.#nodes[input] as PlanNode
    return (this.#timelines[timeline] as Timeline).market === undefined ? warmup : 0
  }

  #reachOfClosed(input: number): number {
    const { timeline, warmup } = this.#nodes[input] as PlanNode
    const { isMade, length } = this.#timelines[timeline] as Timeline
    if (!isMade) return warmup
    const ratio = length / (this.#timelines[0] as Timeline).length
    // The first longer candle may lack its beginning: it is left out.
    return Math.max(warmup, (warmup + 2) * ratio - 2)
  }
}

/** Equal for equal work. -0 and 0 differ. */
function nodeKey(work: NodeWork): unknown {
  if (work.kind === 'calculation') return [work.indicator.name, Object.values(work.params), work.inputs]
  if (work.kind === 'constant') return [work.kind, Object.is(work.value, -0) ? '-0' : work.value]
  return work
}
