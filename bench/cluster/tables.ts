import { createRandom } from '../random.js'
import { percentile, rounded } from '../statistics.js'
import {
  type Costs,
  closingMs,
  engineLoad,
  meanTakeoverMs,
  nodeLoad,
  nodesFor,
  shareOf,
  type Workload,
} from './model.js'
import { simulateQueue, simulateTakeovers, workOf } from './queue.js'

/** What is to be served: the load of docs/scaling.md. */
export const goal: Workload = {
  requestsPerSecond: 100_000,
  subscriptions: 1_000_000,
  series: 2_000,
  topics: 20_000,
  changesPerSecond: 1,
  candleSeconds: 60,
}
/** No node uses more than this share of a core, is busy with a closing for longer, and no server of Redis uses more. */
const maxLoad = 0.6
const maxClosingMs = 2000
const maxEngineLoad = 0.5
/** Masters of the smallest cluster in which they agree on the death of one of them. */
const minMasters = 3

type Row = readonly (string | number)[]

const table = (head: readonly string[], rows: readonly Row[]): string =>
  [
    `| ${head.join(' | ')} |`,
    `|${'---|'.repeat(head.length)}`,
    ...rows.map(row => `| ${row.join(' | ')} |`),
  ].join('\n')

const percent = (share: number) => `${Math.round(share * 100)} %`
const whole = (value: number) => Math.round(value).toLocaleString('en-US')
const ms = (seconds: number) => `${rounded(seconds * 1000, 2)} ms`

/** How many nodes, and servers of Redis, a workload needs. */
export function sizeOf(workload: Workload, costs: Costs) {
  const nodes = nodesFor(workload, costs, maxLoad, maxClosingMs)
  const engine = engineLoad(workload, nodes, costs)
  const servers = Math.ceil(engine.total / maxEngineLoad)
  return { nodes, engine, servers: servers > 1 ? Math.max(minMasters, servers) : 1 }
}

function costRows(costs: Costs): string {
  return table(
    ['Work', 'Processor time, node', 'Processor time, Redis', 'Scripts'],
    [
      [
        'a warm GET',
        `${costs.request} µs`,
        `${rounded(costs.scriptsPerRequest * costs.script, 2)} µs`,
        costs.scriptsPerRequest,
      ],
      ['an update of a topic', `${costs.step} µs`, '–', '–'],
      ['sending it to a subscriber', `${costs.delivery} µs`, '–', '–'],
      ['a change of a series, where its stream is', `${costs.heldEvent} µs`, `${costs.engineEvent} µs`, 1],
      [
        'a change of a series, at each node that follows it',
        `${costs.followedEvent} µs`,
        `${costs.engineEventPerFollower} µs`,
        '–',
      ],
      [
        'a candle that closes, at each node that has its series',
        `${costs.closedCandle} µs`,
        `${costs.engineClosedCandle} µs`,
        costs.scriptsPerClosedCandle,
      ],
    ],
  )
}

function nodeRows(costs: Costs, counts: readonly number[]): string {
  return table(
    [
      'Nodes',
      'Series of a node',
      'Requests',
      'Series',
      'Topics',
      'Sending',
      'Closed candles',
      'Core of a node',
      'All closing at once',
      'A request waits, median',
      '99 %',
      'Redis',
    ],
    counts.map(nodes => {
      const load = nodeLoad(goal, nodes, costs)
      // A node that has more to do than a core can has no waiting time: it grows.
      const waiting =
        load.total < 1 ? simulateQueue(workOf(goal, nodes, costs), 120, createRandom(nodes)) : undefined
      return [
        nodes,
        whole(shareOf(goal, nodes).series),
        percent(load.requests),
        percent(load.events),
        percent(load.steps),
        percent(load.deliveries),
        percent(load.closes),
        percent(load.total),
        `${whole(closingMs(goal, nodes, costs))} ms`,
        waiting ? ms(waiting.p50) : '–',
        waiting ? ms(waiting.p99) : '–',
        percent(engineLoad(goal, nodes, costs).total),
      ]
    }),
  )
}

function takeoverRows(): string {
  return table(
    [
      'Changes of a series per second',
      'Nodes that follow it',
      'Mean by formula',
      'Mean simulated',
      '99 %',
      'Longest',
    ],
    [
      [0, 1],
      [1, 1],
      [1, 10],
    ].map(([changes, followers]) => {
      const gaps = simulateTakeovers(changes as number, followers as number, 20_000, createRandom(1))
      const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
      const shown = (value: number) => `${rounded(value / 1000, 2)} s`
      return [
        changes as number,
        followers as number,
        shown(meanTakeoverMs(changes as number, followers as number)),
        shown(mean),
        shown(percentile(gaps, 0.99)),
        shown(gaps.at(-1) as number),
      ]
    }),
  )
}

/** The generated part of docs/scaling.md. */
export function clusterTables(costs: Costs): string {
  const { nodes, engine, servers } = sizeOf(goal, costs)
  const own = shareOf(goal, nodes)
  const load = nodeLoad(goal, nodes, costs)
  const counts = [...new Set([Math.ceil(nodes / 2), nodes, Math.ceil(1.5 * nodes), 2 * nodes])]
  return [
    'What work costs, as it was measured:',
    costRows(costs),
    `**${nodes} nodes and ${servers === 1 ? 'one server' : `${servers} servers`} of Redis** serve ${whole(goal.requestsPerSecond)} requests per second and ${whole(goal.subscriptions)} subscriptions to ${whole(goal.topics)} topics on ${whole(goal.series)} series that change ${goal.changesPerSecond === 1 ? 'once' : `${goal.changesPerSecond} times`} a second and close a candle each minute. Each node then uses ${percent(load.total)} of a core:`,
    table(
      ['', 'per second and node', 'core'],
      [
        [
          `requests: ${whole(goal.requestsPerSecond)} ÷ ${nodes}`,
          whole(own.requestsPerSecond),
          percent(load.requests),
        ],
        [
          `updates sent: ${whole(goal.subscriptions)} ÷ ${nodes} × ${goal.changesPerSecond}`,
          whole(own.subscriptions * goal.changesPerSecond),
          percent(load.deliveries),
        ],
        [
          `topics calculated: ${whole(own.topics)} have a subscriber here`,
          whole(own.topics * goal.changesPerSecond),
          percent(load.steps),
        ],
        [
          `changes of series: ${whole(own.heldSeries)} held, ${whole(own.series - own.heldSeries)} followed`,
          whole(own.series * goal.changesPerSecond),
          percent(load.events),
        ],
        [
          `closed candles: ${whole(own.series)} ÷ ${goal.candleSeconds}`,
          whole(own.series / goal.candleSeconds),
          percent(load.closes),
        ],
      ],
    ),
    `Redis runs ${whole(engine.scripts)} scripts per second for them and uses ${percent(engine.total)} of a core${servers === 1 ? '' : `, so its keys are spread over a cluster of ${servers} masters`}.`,
    'The same load on other numbers of nodes. The waiting times are simulated, with requests and changes at random times and all candles closing at the same time, the worst case:',
    nodeRows(costs, counts),
    'A node that dies: how long a series that it held is without changes until another node has opened its stream, simulated 20,000 times and by a formula:',
    takeoverRows(),
  ].join('\n\n')
}
