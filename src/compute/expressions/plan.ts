import type { ColumnName } from '../../candles/columns.js'
import type { Timeframe } from '../../candles/timeframe.js'
import type { Entry, Values } from '../../catalogue/index.js'
import { maxNameLength } from '../../contract/limits.js'
import { canonicalSymbol } from '../../contract/market.js'

/** Type of a value. A condition is 1 if it holds, else 0. Undefined values of both types are NaN. */
export type ValueType = 'number' | 'boolean'

/** Operations on the values of one candle, with their numbers in the kernel module: see assembly/expression/pointwise.ts. */
export const operationCodes = {
  add: 0,
  subtract: 1,
  multiply: 2,
  divide: 3,
  min: 4,
  max: 5,
  less: 6,
  lessOrEqual: 7,
  equal: 8,
  notEqual: 9,
  and: 10,
  or: 11,
  not: 12,
  negate: 13,
  isUndefined: 14,
  orElse: 15,
  if: 16,
  power: 17,
  remainder: 18,
} as const
export type Operation = keyof typeof operationCodes

/** The computation of a node. Inputs are indices of earlier nodes. */
export type NodeWork =
  | { readonly kind: 'column'; readonly column: ColumnName }
  | { readonly kind: 'constant'; readonly value: number }
  | { readonly kind: 'pointwise'; readonly operation: Operation; readonly inputs: readonly number[] }
  /**
   * The value of another node `candles` candles ago. With `by` it is as many candles ago as this node says: an integer of 0 to
   * `candles`, else the value is undefined.
   */
  | { readonly kind: 'history'; readonly input: number; readonly candles: number; readonly by?: number }
  /** The second input at the newest candle at which the first one, a condition, holds. `name` is the function in the text. */
  | {
      readonly kind: 'held'
      readonly inputs: readonly [condition: number, value: number]
      readonly name: string
    }
  /** An indicator over other nodes, one per input. Its values are in its `output` nodes. */
  | {
      readonly kind: 'calculation'
      readonly indicator: Entry
      readonly params: Values
      readonly inputs: readonly number[]
    }
  /** A column of a calculation. Its values begin `lookback` candles after those of the inputs. */
  | {
      readonly kind: 'output'
      readonly calculation: number
      readonly column: number
      readonly lookback: number
    }
  | ClosedWork

/**
 * The value of a node of another timeline at its newest closed candle. With `isStrict` it is undefined if no candle of
 * the other market has ended within the current candle.
 */
interface ClosedWork {
  readonly kind: 'closed'
  readonly input: number
  readonly isStrict?: true
}

export type PlanNode = NodeWork & {
  /** Timeline of the values: 0 for the candles themselves, else an index of `Plan.timelines`. */
  readonly timeline: number
  /**
   * First candle of its timeline that may have a value. If the node uses longer candles, its values begin later, when
   * enough of these have closed.
   */
  readonly warmup: number
  /**
   * First candle of its timeline that has a value if no candle is missing. Later than `warmup` if longer candles are
   * built from those of the series. If most candles are missing, there may be as many longer candles as candles.
   */
  readonly reach: number
}

/** Candles of one timeframe: those of a market, or longer ones built from them. */
export interface Timeline {
  /** Undefined if the timeframe of the candles is unknown. Then there is no other timeline. */
  readonly timeframe: Timeframe | undefined
  /** Seconds of one candle; 0 if the timeframe is unknown. */
  readonly length: number
  /** Index of the market in `Plan.markets`; undefined for the expression's own market. */
  readonly market?: number
  /** Whether its candles are built from shorter ones. */
  readonly isMade: boolean
}

/**
 * The computation of one or several expressions, with each part once. Nodes come after the nodes that they use, so they
 * can be computed in order.
 */
export interface Plan {
  readonly nodes: readonly PlanNode[]
  /** Timeline 0 is that of the expression's own market. */
  readonly timelines: readonly Timeline[]
  readonly markets: readonly OtherMarket[]
  /** Indices of the nodes with the results. */
  readonly roots: readonly number[]
  readonly state: PlanState
}

/**
 * First candle at which all parts of a node have left their warm-up. `begins` has this candle for all earlier nodes.
 * For a `closed` node it depends on the candles instead.
 */
export function beginOf(node: Exclude<NodeWork, ClosedWork>, begins: ArrayLike<number>): number {
  switch (node.kind) {
    case 'column':
    case 'constant':
      return 0
    case 'history':
      return node.by === undefined
        ? (begins[node.input] as number) + node.candles
        : Math.max(begins[node.input] as number, begins[node.by] as number)
    case 'output':
      return (begins[node.calculation] as number) + node.lookback
    case 'pointwise':
    case 'held':
    case 'calculation': {
      let begin = 0
      for (const input of node.inputs) begin = Math.max(begin, begins[input] as number)
      return begin
    }
  }
}

/** State of a longer timeline, in numbers: the count of closed candles, and the incomplete candle. */
export const timelineNumbers = 9

/** Layout of a plan's state between two candles, as places in one list of numbers. */
export interface PlanState {
  /** Number of newest values that other nodes look back at, per node. */
  readonly histories: readonly number[]
  /**
   * Place of the newest values or of the kernel's state, per node; -1 for none. A node with a start has one more number
   * before this place: see `hasStart`.
   */
  readonly places: readonly number[]
  /** Place of the numbers of each timeline; -1 if its candles are not built from others. */
  readonly timelines: readonly number[]
  /** Place of the counts of read candles, one per other market. */
  readonly markets: number
  readonly length: number
}

/** Whether earlier values of a node can be read again. Candles are in the snapshot; longer candles are not. */
export const isGiven = ({ kind, timeline }: PlanNode, timelines: readonly Timeline[]): boolean =>
  !(timelines[timeline] as Timeline).isMade && (kind === 'constant' || kind === 'column')

/** Whether the state has the start candle of a node: true for calculations and the values of longer candles. */
export const hasStart = ({ kind }: PlanNode): boolean => kind === 'calculation' || kind === 'closed'

/** Lays out the state of a plan's nodes and timelines. */
export function stateOf(
  nodes: readonly PlanNode[],
  timelines: readonly Timeline[],
  markets: number,
): PlanState {
  const histories = historiesOf(nodes)
  let length = 0
  const timelinePlaces = timelines.map(({ isMade }) => {
    if (!isMade) return -1
    length += timelineNumbers
    return length - timelineNumbers
  })
  const marketsAt = length
  length += markets
  const places = nodes.map((node, k) => {
    const start = hasStart(node) ? 1 : 0
    const count = isGiven(node, timelines) ? 0 : numbersOf(node, histories[k] as number)
    if (start + count === 0) return -1
    length += start + count
    return length - count
  })
  return { histories, places, timelines: timelinePlaces, markets: marketsAt, length }
}

/** Size of a node's state without its start, in numbers, if other nodes look back at `history` of its values. */
const numbersOf = (node: PlanNode, history: number): number =>
  node.kind === 'calculation' ? node.indicator.state(node.params) : history

/** Computes per node how far other nodes look back at its values. */
function historiesOf(nodes: readonly PlanNode[]): readonly number[] {
  const histories = nodes.map(() => 0)
  const lookBack = (input: number, candles: number) => {
    histories[input] = Math.max(histories[input] as number, candles)
  }
  for (const [k, node] of nodes.entries()) {
    if (node.kind === 'history') lookBack(node.input, node.candles)
    // A held value continues from the candle before.
    if (node.kind === 'held') lookBack(k, 1)
    // The newest closed candle may be from an earlier call.
    if (node.kind === 'closed') lookBack(node.input, 1)
    if (node.kind === 'calculation')
      for (const input of node.inputs) lookBack(input, node.indicator.lookback(node.params))
  }
  return histories
}

/** Another market whose candles an expression reads, in the timeframe of its own market. */
export interface OtherMarket {
  /** Lower case; undefined for the exchange of the expression's own market. */
  readonly exchange: string | undefined
  /** Upper case, without slash or dash. */
  readonly symbol: string
}

/**
 * Text between braces: a symbol, after `<exchange>:` if it is on another exchange, and optionally before `, strict`.
 */
const pattern = /^\s*(?:([^\s:,]+):)?([^\s,]+?)\s*(,\s*strict\s*)?$/i

/** Reads the text between braces; undefined if it names no market. */
export function readOther(text: string): (OtherMarket & { readonly isStrict: boolean }) | undefined {
  const [, exchange, name = '', strict] = pattern.exec(text) ?? []
  const symbol = canonicalSymbol(name)
  if (symbol === '' || text.length > maxNameLength) return undefined
  return { exchange: exchange?.toLowerCase(), symbol, isStrict: strict !== undefined }
}

/** Formats a market as in the text between braces. */
export const nameOfOther = ({ exchange, symbol }: OtherMarket): string =>
  exchange === undefined ? symbol : `${exchange}:${symbol}`
