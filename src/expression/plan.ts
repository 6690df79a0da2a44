import type { ColumnName } from '../candles/columns.js'
import type { Timeframe } from '../candles/timeframe.js'
import type { Entry, Values } from '../catalogue/index.js'

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

/** The value of a node of another timeline at its newest closed candle. */
interface ClosedWork {
  readonly kind: 'closed'
  readonly input: number
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

/** Candles of one timeframe: those that the expression is about, or longer ones that are made of them. */
export interface Timeline {
  /** Undefined for candles of which nothing else is known, where there is no other timeline. */
  readonly timeframe: Timeframe | undefined
  /** Seconds of one candle; 0 where the timeframe is not known. */
  readonly length: number
}

/**
 * What has to be computed for one or several expressions, each part once. Nodes stand behind those that they use, so that
 * they can be computed in their order.
 */
export interface Plan {
  readonly nodes: readonly PlanNode[]
  /** The first one are the candles that the expression is about. */
  readonly timelines: readonly Timeline[]
  /** The nodes with the results. */
  readonly roots: readonly number[]
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
