import { rewind, type Snapshot, timestampAt } from '../../candles/columns.js'
import { type OtherCandles, othersOf } from '../../candles/multi-market-columns.js'
import type { ExpressionEntry } from '../expressions/compile.js'
import { beginOf, type Plan, type PlanNode } from '../expressions/plan.js'
import { blockSize, TimelineCandles } from './timeline-candles.js'

/**
 * Whether the first output of an expression has left its warm-up at the newest candle of a snapshot as it was `backtrack`
 * candles ago. Where it chooses longer timeframes, that depends on when their candles have closed.
 */
export function isLongEnough({ plan, depth }: ExpressionEntry, current: Snapshot, backtrack = 0): boolean {
  const snapshot = rewind(current, backtrack)
  if (snapshot.count >= depth && haveOthersBegun(plan, snapshot, snapshot.count - depth)) return true
  const root = plan.roots[0] as number
  const { warmup } = plan.nodes[root] as PlanNode
  return snapshot.count > warmup && (beginsOf(plan, snapshot)[root] as number) < snapshot.count
}

/** Whether other markets had enough candles at candle `at`, also for the longer ones that are made of them. */
function haveOthersBegun({ nodes, timelines, markets }: Plan, snapshot: Snapshot, at: number): boolean {
  if (markets.length === 0) return true
  const others = othersOf(snapshot)
  const time = timestampAt(snapshot, at)
  return nodes.every(node => {
    const { timeline } = node.kind === 'closed' ? (nodes[node.input] as PlanNode) : node
    const market = timelines[timeline]?.market
    if (node.kind !== 'closed' || market === undefined) return true
    const { columns, closed } = others[market] as OtherCandles
    return node.reach < closed && (columns.timestamp[node.reach] as number) <= time
  })
}

/** By node: the first candle at which all that it is made of has left its warm-up; Infinity where none has. */
function beginsOf(plan: Plan, snapshot: Snapshot): readonly number[] {
  const { nodes } = plan
  const closedBegins = beginsOfClosed(plan, snapshot)
  const begins: number[] = []
  for (const [k, node] of nodes.entries())
    begins.push(
      node.kind === 'closed' ? (closedBegins.get(k) ?? Number.POSITIVE_INFINITY) : beginOf(node, begins),
    )
  return begins
}

/** By node with the values of another timeline: the first candle with which enough of its candles have closed. */
function beginsOfClosed(plan: Plan, snapshot: Snapshot): ReadonlyMap<number, number> {
  const { nodes } = plan
  const candles = new TimelineCandles(plan)
  const begins = new Map<number, number>()
  for (let from = 0; from < snapshot.count; from = candles.to[0] as number) {
    candles.fill(snapshot, 0, from, Math.min(from + blockSize, snapshot.count), () => undefined)
    for (const [k, node] of nodes.entries()) {
      if (node.kind !== 'closed' || begins.has(k)) continue
      const { timeline, warmup } = nodes[node.input] as PlanNode
      const counts = (candles.closedAt[timeline] as Int32Array).subarray(0, (candles.to[0] as number) - from)
      const begin = counts.findIndex(count => count > warmup)
      if (begin >= 0) begins.set(k, from + begin)
    }
  }
  return begins
}
