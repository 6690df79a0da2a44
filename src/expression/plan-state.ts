import type { Plan, PlanNode } from './plan.js'

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
  /** By timeline: where its numbers are; -1 for the candles themselves. */
  readonly timelines: readonly number[]
  readonly length: number
}

const states = new WeakMap<Plan, PlanState>()

/** The state of a plan. */
export function stateOf(plan: Plan): PlanState {
  let state = states.get(plan)
  if (!state) {
    state = layOut(plan)
    states.set(plan, state)
  }
  return state
}

/** Whether the values of a node before a block can be had again: candles are in the snapshot, longer ones are not. */
export const isGiven = ({ kind, timeline }: PlanNode): boolean =>
  timeline === 0 && (kind === 'constant' || kind === 'column')

/** Whether a node remembers at which candle it began: a calculation, or the value of longer candles. */
export const hasStart = ({ kind }: PlanNode): boolean => kind === 'calculation' || kind === 'closed'

function layOut(plan: Plan): PlanState {
  const { nodes } = plan
  const histories = historiesOf(plan)
  let length = 0
  const timelines = plan.timelines.map((_, k) => {
    if (k === 0) return -1
    length += timelineNumbers
    return length - timelineNumbers
  })
  const places = nodes.map((node, k) => {
    const start = hasStart(node) ? 1 : 0
    const count = numbersOf(node, histories[k] as number)
    if (start + count === 0) return -1
    length += start + count
    return length - count
  })
  return { histories, places, timelines, length }
}

/** What a node remembers beside its start, when others look back at so many of its values. */
function numbersOf(node: PlanNode, history: number): number {
  if (node.kind === 'calculation') return node.indicator.state(node.params)
  return isGiven(node) ? 0 : history
}

/** By node: how far others look back at its values. */
function historiesOf({ nodes }: Plan): readonly number[] {
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
