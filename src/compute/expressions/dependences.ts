import { type Composed, type Dependence, dependencesOf, inRow, slowestOf } from '../../catalogue/fading.js'
import type { PlanNode, Timeline } from './plan.js'

/** On its own candle alone. */
const here: readonly Dependence[] = [{ window: 0, keeps: [] }]

/**
 * In which ways each node of a plan depends on the past. An indicator over other nodes uses each of them as it uses candles, an
 * operation on several nodes has settled when they all have.
 */
export function memoriesOf(nodes: readonly PlanNode[], timelines: readonly Timeline[]): readonly Composed[] {
  const memories: Composed[] = []
  for (const node of nodes) memories.push(memoryOf(node, nodes, memories, timelines))
  return memories
}

function memoryOf(
  node: PlanNode,
  nodes: readonly PlanNode[],
  memories: readonly Composed[],
  timelines: readonly Timeline[],
): Composed {
  const memoryAt = (at: number) => memories[at] as Composed
  switch (node.kind) {
    case 'column':
    case 'constant':
      return here
    case 'history':
      return then(memoryAt(node.input), [{ window: node.candles, keeps: [] }])
    case 'output':
      return memoryAt(node.calculation)
    case 'pointwise':
      return together(node.inputs.map(memoryAt))
    case 'calculation': {
      const own = dependencesOf(node.indicator, node.params)
      return own ? then(together(node.inputs.map(memoryAt)), own) : { because: node.indicator }
    }
    case 'closed': {
      const { timeline } = nodes[node.input] as PlanNode
      const { isMade, length } = timelines[timeline] as Timeline
      const ratio = length / (timelines[0] as Timeline).length
      const memory = memoryAt(node.input)
      // Another market counts as having a candle beside each.
      return 'because' in memory || !isMade ? memory : memory.map(each => ofShorterCandles(each, ratio))
    }
  }
}

const then = (before: Composed, next: readonly Dependence[]): Composed =>
  'because' in before ? before : slowestOf(inRow(before, next))

function together(memories: readonly Composed[]): Composed {
  const all: Dependence[] = []
  for (const memory of memories) {
    if ('because' in memory) return memory
    all.push(...memory)
  }
  return memories.length === 0 ? here : slowestOf(all)
}

/**
 * A dependence on longer candles, of which each is made of `ratio` shorter ones, as one on these. The first longer candle may lack
 * its beginning and the newest one its end. A smoothing forgets at most one longer candle later than its share of each shorter one.
 */
const ofShorterCandles = ({ window, keeps }: Dependence, ratio: number): Dependence => ({
  window: Math.ceil((window + 2 + keeps.length) * ratio),
  keeps: keeps.map(keep => keep ** (1 / ratio)),
})
