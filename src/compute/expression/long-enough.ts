import { rewind, type Snapshot, timestampAt } from '../../candles/columns.js'
import type { Timeframe } from '../../candles/timeframe.js'
import type { ExpressionEntry } from '../../expression/compile.js'
import { beginOf, type Plan, type PlanNode, type Timeline } from '../../expression/plan.js'
import { LongerCandles } from './longer-candles.js'

/**
 * Whether the first output of an expression has left its warm-up at the newest candle of a snapshot as it was `backtrack`
 * candles ago. Where it chooses longer timeframes, that depends on when their candles have closed.
 */
export function isLongEnough({ plan, depth }: ExpressionEntry, current: Snapshot, backtrack = 0): boolean {
  const snapshot = rewind(current, backtrack)
  if (snapshot.count >= depth) return true
  const root = plan.roots[0] as number
  const { warmup } = plan.nodes[root] as PlanNode
  return snapshot.count > warmup && (beginsOf(plan, snapshot)[root] as number) < snapshot.count
}

/** By node: the first candle at which all that it is made of has left its warm-up; Infinity where none has. */
function beginsOf({ nodes, timelines }: Plan, snapshot: Snapshot): readonly number[] {
  const counts = timelines.map((timeline, k) =>
    k === 0 ? [] : closedCounts(timeline, timelines[0] as Timeline, snapshot),
  )
  const begins: number[] = []
  for (const node of nodes) {
    if (node.kind !== 'closed') {
      begins.push(beginOf(node, begins))
      continue
    }
    const { timeline, warmup } = nodes[node.input] as PlanNode
    const begin = (counts[timeline] as readonly number[]).findIndex(count => count > warmup)
    begins.push(begin < 0 ? Number.POSITIVE_INFINITY : begin)
  }
  return begins
}

/** By candle of a snapshot: how many candles of a longer timeline have closed with it. */
function closedCounts(
  { timeframe }: Timeline,
  { length: shorterLength }: Timeline,
  snapshot: Snapshot,
): readonly number[] {
  const longer = new LongerCandles(timeframe as Timeframe, shorterLength)
  return Array.from({ length: snapshot.count }, (_, i) => {
    const read = (k: number) => (k === 0 ? timestampAt(snapshot, i) : 0)
    longer.add(i, read, i >= snapshot.closed, () => undefined)
    return longer.closed
  })
}
