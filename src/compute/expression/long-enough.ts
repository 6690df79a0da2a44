import { rewind, type Snapshot, timestampAt } from '../../candles/columns.js'
import { openOf } from '../../candles/timeframe.js'
import type { ExpressionEntry } from '../../expression/compile.js'
import type { Plan, Timeline } from '../../expression/plan.js'

/**
 * Whether an expression has left its warm-up at the newest candle of a snapshot as it was `backtrack` candles ago. Where
 * it chooses longer timeframes, that depends on how many of their candles have closed.
 */
export function isLongEnough(
  { plan, depth, warmup }: ExpressionEntry,
  current: Snapshot,
  backtrack = 0,
): boolean {
  const snapshot = rewind(current, backtrack)
  if (snapshot.count >= depth) return true
  if (snapshot.count <= warmup({})) return false
  return plan.timelines.every(
    (timeline, k) =>
      k === 0 || closedCandles(timeline, plan.timelines[0] as Timeline, snapshot) > warmupOf(plan, k),
  )
}

/** The first candle of a timeline at which all that is read of it may have a value. */
const warmupOf = ({ nodes }: Plan, timeline: number): number =>
  Math.max(
    ...nodes.flatMap(node => {
      const input = node.kind === 'closed' ? nodes[node.input] : undefined
      return input?.timeline === timeline ? [input.warmup] : []
    }),
  )

/** How many candles of a longer timeframe have closed: see `LongerCandles`. */
function closedCandles(
  { timeframe, length }: Timeline,
  { length: ownLength }: Timeline,
  snapshot: Snapshot,
): number {
  if (timeframe === undefined || snapshot.count === 0) return 0
  const opens = new Set<number>()
  for (let i = 0; i < snapshot.count; i++) opens.add(openOf(timeframe, timestampAt(snapshot, i)))
  const last = timestampAt(snapshot, snapshot.count - 1)
  const hasEnded = !snapshot.forming && last + ownLength >= openOf(timeframe, last) + length
  const first = timestampAt(snapshot, 0)
  const lacksBeginning = openOf(timeframe, first) !== first
  return opens.size - (hasEnded ? 0 : 1) - (lacksBeginning ? 1 : 0)
}
