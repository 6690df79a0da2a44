import { type ColumnName, columnNames } from '../../candles/columns.js'
import type { Entry } from '../../catalogue/index.js'
import type { Plan, PlanNode } from '../expressions/plan.js'
import { encode } from '../kernels/frame.js'
import { blockSize, TimelineCandles } from './timeline-candles.js'

/** Numbers behind a column that kernels may write to, or longer candles that a block may have beyond its own. */
const spare = 4

/** A calculation with its place in memory. Places are indices of numbers, counted from the start of the plan's memory. */
export interface PlacedCalculation {
  readonly indicator: Entry
  readonly lookback: number
  readonly scratch: number
  readonly params: readonly number[]
  /** By input: the node. */
  readonly inputs: readonly number[]
  /** By column that the kernel writes: its values, and how many earlier ones are before them. */
  readonly outputs: readonly number[]
  readonly outputHistories: readonly number[]
  readonly state: number
  readonly stateLength: number
  /** Whether its inputs are columns of candles, which have a value everywhere. */
  readonly isDense: boolean
}

/** Where the values of a plan's nodes are in memory. */
export interface PlanLayout {
  /** By node: its column, which begins with the values that others look back at; -1 for calculations. */
  readonly columns: readonly number[]
  /** By node: undefined for others than calculations. */
  readonly calculations: readonly (PlacedCalculation | undefined)[]
  /** By timeline: by column of a candle the node with it, or -1. */
  readonly candles: readonly (readonly number[])[]
  readonly length: number
}

function layOutPlan({ nodes, timelines, state: { histories } }: Plan): PlanLayout {
  let length = 0
  const take = (count: number) => {
    length += count + (count % 2)
    return length - count - (count % 2)
  }
  const takeColumn = (history: number) => take(history + blockSize + spare)
  const columns = nodes.map((node, k) =>
    node.kind === 'calculation' ? -1 : takeColumn(histories[k] as number),
  )
  const calculations = nodes.map((node, k) => {
    if (node.kind !== 'calculation') return undefined
    const { indicator, params, inputs } = node
    const outputs: number[] = []
    const outputHistories: number[] = []
    for (let column = 0; column < indicator.columns; column++) {
      const output = nodes.findIndex(
        each => each.kind === 'output' && each.calculation === k && each.column === column,
      )
      outputs.push(output < 0 ? takeColumn(0) : (columns[output] as number))
      outputHistories.push(output < 0 ? 0 : (histories[output] as number))
    }
    const stateLength = indicator.state(params)
    return {
      indicator,
      lookback: indicator.lookback(params),
      scratch: indicator.scratch,
      params: Object.keys(indicator.params).map(name => encode(indicator, name, params)),
      inputs,
      outputs,
      outputHistories,
      state: take(stateLength + 1),
      stateLength,
      isDense: inputs.every(input => isDense(nodes[input] as PlanNode)),
    }
  })
  const candles = timelines.map((_, timeline) =>
    columnNames.map((name: ColumnName) =>
      nodes.findIndex(node => node.kind === 'column' && node.timeline === timeline && node.column === name),
    ),
  )
  return { columns, calculations, candles, length }
}

const isDense = (node: PlanNode): boolean =>
  node.kind === 'column' || (node.kind === 'constant' && Number.isFinite(node.value))

/** A plan with what belongs to it while it is run. */
export interface Loaded {
  readonly plan: Plan
  readonly layout: PlanLayout
  readonly candles: TimelineCandles
  /**
   * By node: the candle at which the present run of values of a calculation's inputs begins, or at which enough longer
   * candles had closed for the value of a `closed` one; -1 without one.
   */
  readonly starts: Int32Array
  /** By node: the first candle at which all that it is made of has left its warm-up; Infinity where it is not known yet. */
  readonly begins: Float64Array
}

/** Lays out a plan to be run from its first candle on. */
export function load(plan: Plan): Loaded {
  const { nodes } = plan
  return {
    plan,
    layout: layOutPlan(plan),
    candles: new TimelineCandles(plan),
    starts: new Int32Array(nodes.length).fill(-1),
    begins: new Float64Array(nodes.length),
  }
}
