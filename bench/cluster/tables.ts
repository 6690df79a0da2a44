import { createRandom } from '../random.js'
import { percentile, rounded } from '../statistics.js'
import {
  type Costs,
  closingMs,
  engineClosing,
  engineLoad,
  meanTakeoverMs,
  nodeLoad,
  nodesFor,
  shareOf,
  storedAfterMs,
  type Workload,
} from './model.js'
import { simulateQueue, simulateTakeovers, workOf } from './queue.js'

/** The load of README.md. */
export const goal: Workload = {
  requestsPerSecond: 100_000,
  subscriptions: 1_000_000,
  series: 2_000,
  topics: 20_000,
  changesPerSecond: 1,
  candleSeconds: 60,
}
/** The same load behind a balancer that sends the clients of a market to a few nodes. */
export const balancedGoal: Workload = { ...goal, nodesPerSeries: 3 }
/** Largest share of a core that a node may use, and longest closing in milliseconds. */
const maxLoad = 0.6
const maxClosingMs = 2000
/** Largest share of a core that a server of Redis may use. */
const maxEngineLoad = 0.5
const maxEngineClosingMs = 1000
/** Masters of the smallest cluster that can agree on the death of one master. */
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

/** Number of nodes and of servers of Redis for a workload. */
export function sizeOf(workload: Workload, costs: Costs) {
  const nodes = nodesFor(workload, costs, maxLoad, maxClosingMs)
  const engine = engineLoad(workload, nodes, costs)
  const { changingMs, storingMs } = engineClosing(workload, nodes, costs)
  const servers = Math.ceil(
    Math.max(engine.total / maxEngineLoad, (changingMs + storingMs) / maxEngineClosingMs),
  )
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
        'storing a candle that has closed, where the stream of its series is',
        `${costs.heldClose} µs`,
        `${costs.engineClose} µs`,
        costs.scriptsPerClose,
      ],
      [
        'the same, at each node that follows the series; at Redis for each node',
        `${costs.followedClose} µs`,
        `${costs.engineClosePerNode} µs`,
        '–',
      ],
    ],
  )
}

function nodeRows(workload: Workload, costs: Costs, counts: readonly number[]): string {
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
      'Stored after',
      'A request waits, median',
      '99 %',
      'Redis',
      'Redis, all closing at once',
    ],
    counts.map(nodes => {
      const load = nodeLoad(workload, nodes, costs)
      const { changingMs, storingMs } = engineClosing(workload, nodes, costs)
      // The waiting time of an overloaded node has no limit.
      const waiting =
        load.total < 1
          ? simulateQueue(workOf(workload, nodes, costs), goal.candleSeconds, createRandom(nodes))
          : undefined
      return [
        nodes,
        whole(shareOf(workload, nodes).series),
        percent(load.requests),
        percent(load.events),
        percent(load.steps),
        percent(load.deliveries),
        percent(load.closes),
        percent(load.total),
        `${whole(closingMs(workload, nodes, costs))} ms`,
        `${rounded(storedAfterMs(workload, nodes, costs) / 1000, 1)} s`,
        waiting ? ms(waiting.p50) : '–',
        waiting ? ms(waiting.p99) : '–',
        percent(engineLoad(workload, nodes, costs).total),
        `${whole(changingMs)} + ${whole(storingMs)} ms`,
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

/** The generated part of README.md. */
export function clusterTables(costs: Costs): string {
  const { nodes, engine, servers } = sizeOf(goal, costs)
  const own = shareOf(goal, nodes)
  const load = nodeLoad(goal, nodes, costs)
  const closing = engineClosing(goal, nodes, costs)
  const balanced = sizeOf(balancedGoal, costs)
  const countsOf = (enough: number) => [
    ...new Set([Math.ceil(enough / 2), enough, Math.ceil(1.5 * enough), 2 * enough]),
  ]
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
    `Redis runs ${whole(engine.scripts)} scripts per second for them and uses ${percent(engine.total)} of a core${servers === 1 ? '' : `, so its keys are spread over a cluster of ${servers} masters`}. In the second in which all candles close it runs ${whole(closing.scripts)} scripts for them: ${whole(closing.changingMs)} ms of a core for the changes, and ${whole(closing.storingMs)} ms for storing the candles.`,
    'The same load on other numbers of nodes. The waiting times are simulated, with requests and changes at random times and all candles closing at the same time, the worst case:',
    nodeRows(goal, costs, countsOf(nodes)),
    `Where the balancer sends the clients of a market to ${balancedGoal.nodesPerSeries} nodes, **${balanced.nodes} nodes** are enough:`,
    nodeRows(balancedGoal, costs, countsOf(balanced.nodes)),
    'A node that dies: how long a series that it held is without changes until another node has opened its stream, simulated 20,000 times and by a formula:',
    takeoverRows(),
  ].join('\n\n')
}
