import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Table } from '../baseline.js'
import { createRandom } from '../random.js'
import { rounded } from '../statistics.js'
import { measureCosts, readCosts, writeCosts } from './costs.js'
import { type Costs, closingMs, engineLoad, nodeLoad } from './model.js'
import { simulateQueue, workOf } from './queue.js'
import { clusterTables, goal, sizeOf } from './tables.js'

const page = fileURLToPath(new URL('../../../bench/cluster/README.md', import.meta.url))
const marked = /(<!-- cluster -->\n)[\s\S]*?(\n<!-- \/cluster -->)/

/** Results of `bench -- stream` in microseconds: a step of a live indicator, and a sent update. */
const streaming = { step: 0.4, delivery: 8.6 }

/**
 * Measures costs on this machine, and calculates and simulates the number of nodes for the goal of tables.ts. With
 * `isRecorded` the costs become those of README.md.
 */
export async function benchCluster(isRecorded: boolean): Promise<readonly Table[]> {
  const before = readCosts()
  const costs = await measureCosts(before?.costs ?? streaming)
  if (isRecorded) {
    writeCosts(costs)
    const text = readFileSync(page, 'utf8')
    if (!marked.test(text)) throw new Error('bench/cluster/README.md has no place for the tables')
    writeFileSync(
      page,
      text.replace(marked, (_, start, end) => start + clusterTables(costs) + end),
    )
  }
  return [costTable(costs, before?.costs), sizeTable(costs)]
}

function costTable(costs: Costs, recorded: Costs | undefined): Table {
  return Object.fromEntries(
    Object.entries(costs).map(([name, value]) => {
      const known = recorded?.[name as keyof Costs]
      return [name, { measured: value, recorded: known ?? null }]
    }),
  )
}

function sizeTable(costs: Costs): Table {
  const { nodes: enough, servers } = sizeOf(goal, costs)
  const counts = [...new Set([Math.ceil(enough / 2), enough, 2 * enough])]
  return Object.fromEntries(
    counts.map(nodes => {
      const load = nodeLoad(goal, nodes, costs)
      const waiting =
        load.total < 1
          ? simulateQueue(workOf(goal, nodes, costs), goal.candleSeconds, createRandom(nodes))
          : undefined
      return [
        `${nodes} nodes${nodes === enough ? `, enough, with ${servers} servers of Redis` : ''}`,
        {
          'core of a node': rounded(load.total),
          'core of Redis': rounded(engineLoad(goal, nodes, costs).total),
          'closing, ms': Math.round(closingMs(goal, nodes, costs)),
          'a request waits, 99 %, ms': waiting ? rounded(waiting.p99 * 1000) : null,
        },
      ]
    }),
  )
}
