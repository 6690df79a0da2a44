import type { ColumnName } from '../../candles/columns.js'
import type { Timeframe } from '../../candles/timeframe.js'
import type { Entry, Values } from '../../catalogue/index.js'
import { maxNameLength } from '../../contract/limits.js'
import { canonicalSymbol } from '../../contract/market.js'

/** What a value is. A condition is 1 where it holds and 0 where it does not. Both are NaN where they are undefined. */
export type ValueType = 'number' | 'boolean'

/** What is computed of the values of one candle. */
export type Operation =
  | 'add'
  | 'subtract'
  | 'multiply'
  | 'divide'
  | 'remainder'
  | 'power'
  | 'negate'
  | 'min'
  | 'max'
  | 'less'
  | 'lessOrEqual'
  | 'equal'
  | 'notEqual'
  | 'and'
  | 'or'
  | 'not'
  | 'if'
  | 'isUndefined'
  | 'orElse'

/** What a node computes. Inputs are indices of nodes before it. */
export type NodeWork =
  /** A column of the candles. */
  | { readonly kind: 'column'; readonly column: ColumnName }
  | { readonly kind: 'constant'; readonly value: number }
  | { readonly kind: 'pointwise'; readonly operation: Operation; readonly inputs: readonly number[] }
  /** The value of another node so many candles ago. */
  | { readonly kind: 'history'; readonly input: number; readonly candles: number }
  /** An indicator over other nodes, one for each of its inputs. Its values are in the nodes of its outputs. */
  | {
      readonly kind: 'calculation'
      readonly indicator: Entry
      readonly params: Values
      readonly inputs: readonly number[]
    }
  /** A column that a calculation writes, with values from `lookback` candles after its inputs have theirs. */
  | {
      readonly kind: 'output'
      readonly calculation: number
      readonly column: number
      readonly lookback: number
    }
  | ClosedWork

/**
 * The value of a node of another timeline at its newest closed candle. `isStrict` leaves it undefined where no candle of the other
 * market has ended within the present one.
 */
interface ClosedWork {
  readonly kind: 'closed'
  readonly input: number
  readonly isStrict?: true
}

export type PlanNode = NodeWork & {
  /** The timeline that it has values for: 0 for the candles themselves, else one of `Plan.timelines`. */
  readonly timeline: number
  /**
   * The first candle of its timeline that may have a value: none before it has one. Where the node uses longer candles, it
   * begins later, at a candle that depends on when these close.
   */
  readonly warmup: number
  /**
   * The first candle of its timeline that has one where no candle is missing. Later than `warmup` where longer candles are
   * made of those of the series: of these there may be as many as candles where most are missing.
   */
  readonly reach: number
}

/** Candles of one timeframe: those of a market, or longer ones that are made of them. */
export interface Timeline {
  /** Undefined for candles of which nothing else is known, where there is no other timeline. */
  readonly timeframe: Timeframe | undefined
  /** Seconds of one candle; 0 where the timeframe is not known. */
  readonly length: number
  /** The index of the market in `Plan.markets`; undefined for that which the expression is about. */
  readonly market?: number
  /** Whether its candles are made of shorter ones. */
  readonly isMade: boolean
}

/**
 * What has to be computed for one or several expressions, each part once. Nodes stand behind those that they use, so that
 * they can be computed in their order.
 */
export interface Plan {
  readonly nodes: readonly PlanNode[]
  /** The first one are the candles that the expression is about. */
  readonly timelines: readonly Timeline[]
  /** The other markets. */
  readonly markets: readonly OtherMarket[]
  /** The nodes with the results. */
  readonly roots: readonly number[]
  readonly state: PlanState
}

/**
 * The first candle at which all that a node is made of has left its warm-up, when `begins` has those of the nodes before
 * it. That of a `closed` one depends on the candles instead.
 */
export function beginOf(node: Exclude<NodeWork, ClosedWork>, begins: ArrayLike<number>): number {
  switch (node.kind) {
    case 'column':
    case 'constant':
      return 0
    case 'history':
      return (begins[node.input] as number) + node.candles
    case 'output':
      return (begins[node.calculation] as number) + node.lookback
    case 'pointwise':
    case 'calculation': {
      let begin = 0
      for (const input of node.inputs) begin = Math.max(begin, begins[input] as number)
      return begin
    }
  }
}

/** Numbers that a longer timeline remembers: the count of its closed candles, and the candle that is not complete. */
export const timelineNumbers = 9

/** What a plan remembers from one candle to the next, as places in one list of numbers. */
export interface PlanState {
  /** By node: how many of its newest values others look back at. */
  readonly histories: readonly number[]
  /**
   * By node: where its newest values are, or the state of its kernel; -1 where nowhere. One number is before them where the
   * node has a start: see `hasStart`.
   */
  readonly places: readonly number[]
  /** By timeline: where its numbers are; -1 where its candles are not made of others. */
  readonly timelines: readonly number[]
  /** Where the numbers of candles are by other market that were read. */
  readonly markets: number
  readonly length: number
}

/** Whether the values of a node before a block can be had again: candles are in the snapshot, longer ones are not. */
export const isGiven = ({ kind, timeline }: PlanNode, timelines: readonly Timeline[]): boolean =>
  !(timelines[timeline] as Timeline).isMade && (kind === 'constant' || kind === 'column')

/** Whether a node remembers at which candle it began: a calculation, or the value of longer candles. */
export const hasStart = ({ kind }: PlanNode): boolean => kind === 'calculation' || kind === 'closed'

/** Where the nodes of a plan and its timelines have their state. */
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

/** What a node remembers beside its start, when others look back at so many of its values. */
const numbersOf = (node: PlanNode, history: number): number =>
  node.kind === 'calculation' ? node.indicator.state(node.params) : history

/** By node: how far others look back at its values. */
function historiesOf(nodes: readonly PlanNode[]): readonly number[] {
  const histories = nodes.map(() => 0)
  const lookBack = (input: number, candles: number) => {
    histories[input] = Math.max(histories[input] as number, candles)
  }
  for (const node of nodes) {
    if (node.kind === 'history') lookBack(node.input, node.candles)
    // The newest closed candle may be one of a call before.
    if (node.kind === 'closed') lookBack(node.input, 1)
    if (node.kind === 'calculation')
      for (const input of node.inputs) lookBack(input, node.indicator.lookback(node.params))
  }
  return histories
}

/** Another market whose candles an expression reads, in the timeframe of its own. */
export interface OtherMarket {
  /** Lower case; undefined for the exchange of the expression's own market. */
  readonly exchange: string | undefined
  /** Upper case, without slash or dash. */
  readonly symbol: string
}

/** Between braces: a symbol, with its exchange before a colon where that is another one, and `strict` behind a comma. */
const pattern = /^\s*(?:([^\s:,]+):)?([^\s,]+?)\s*(,\s*strict\s*)?$/i

/** Reads what stands between braces; undefined where that names no market. */
export function readOther(text: string): (OtherMarket & { readonly isStrict: boolean }) | undefined {
  const [, exchange, name = '', strict] = pattern.exec(text) ?? []
  const symbol = canonicalSymbol(name)
  if (symbol === '' || text.length > maxNameLength) return undefined
  return { exchange: exchange?.toLowerCase(), symbol, isStrict: strict !== undefined }
}

/** A market as it is written between braces. */
export const nameOfOther = ({ exchange, symbol }: OtherMarket): string =>
  exchange === undefined ? symbol : `${exchange}:${symbol}`
