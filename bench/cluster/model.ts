// Model of N nodes that share Redis, by arithmetic: processor time per second of each node and of Redis, time without a
// stream after a node's death, and number of nodes for a load. `queue.ts` simulates the waiting time of requests.

/** Processor time in microseconds of each piece of work, as measured. */
export interface Costs {
  /** A warm GET. */
  readonly request: number
  /** Scripts of Redis per request, and the time of Redis for one script. */
  readonly scriptsPerRequest: number
  readonly script: number
  /** Processing an update of a topic, from the candle to its text, and sending it to one subscriber. */
  readonly step: number
  readonly delivery: number
  /** A change of a series on the node that has its stream, and on each node that follows it. */
  readonly heldEvent: number
  readonly followedEvent: number
  /** A change of a series on Redis, and the addition of each node that follows it. */
  readonly engineEvent: number
  readonly engineEventPerFollower: number
  /** Storing a closed candle: on the node that has the stream of its series, and on each node that follows it. */
  readonly heldClose: number
  readonly followedClose: number
  /** The same on Redis, and the addition of each further node, which is notified. */
  readonly engineClose: number
  readonly engineClosePerNode: number
  readonly scriptsPerClose: number
}

/** Times of the service in milliseconds. */
export const times = {
  /** Duration of a lease, interval of its renewal, and interval of its checks. */
  lease: 3000,
  tick: 1000,
  /** From noticing a lost stream until another node has opened it. */
  reopen: 1000,
  /** Time after which a command of Redis counts as failed. */
  engineTimeout: 250,
  /** Time that closed candles wait to be stored, and the pause between two batches. */
  storing: 1000,
  batchPause: 20,
} as const
/** Number of series whose candles are stored together. */
export const batchSize = 20

export interface Workload {
  readonly requestsPerSecond: number
  readonly subscriptions: number
  /** Followed series, and subscribed topics (combinations of a series, an indicator and parameters). */
  readonly series: number
  readonly topics: number
  /** Changes of each series per second. */
  readonly changesPerSecond: number
  /** Seconds of a candle; all series close their candles at the same time. */
  readonly candleSeconds: number
  /** Number of nodes that serve the clients of one series; all nodes if undefined. */
  readonly nodesPerSeries?: number
}

/** Expected number of distinct results of `draws` random draws from `places`. */
export const expectedDistinct = (places: number, draws: number): number =>
  places === 0 ? 0 : places * (1 - (1 - 1 / places) ** draws)

/**
 * Share of one node in the workload, if clients are spread at random over all nodes, or over the nodes of the series they
 * request.
 */
export function shareOf(workload: Workload, nodes: number) {
  const { series, topics, subscriptions, requestsPerSecond, nodesPerSeries = nodes } = workload
  const own = subscriptions / nodes
  /** Share of all series, and of their topics, whose clients may come to this node. */
  const part = Math.min(1, nodesPerSeries / nodes)
  const followed = expectedDistinct(series * part, own)
  // Each series is held by one of the nodes that have it.
  const held = expectedDistinct(series, subscriptions) / nodes
  return {
    requestsPerSecond: requestsPerSecond / nodes,
    subscriptions: own,
    series: followed,
    heldSeries: Math.min(held, followed),
    topics: expectedDistinct(topics * part, own),
  }
}

/** Shares of one core that a node uses, by what it does. */
export function nodeLoad(workload: Workload, nodes: number, costs: Costs) {
  const own = shareOf(workload, nodes)
  const { changesPerSecond, candleSeconds } = workload
  const seconds = (perSecond: number, microseconds: number) => (perSecond * microseconds) / 1e6
  const followed = own.series - own.heldSeries
  const parts = {
    requests: seconds(own.requestsPerSecond, costs.request),
    events:
      seconds(own.heldSeries * changesPerSecond, nodes > 1 ? costs.heldEvent : 0) +
      seconds(followed * changesPerSecond, costs.followedEvent),
    steps: seconds(own.topics * changesPerSecond, costs.step),
    deliveries: seconds(own.subscriptions * changesPerSecond, costs.delivery),
    closes: seconds(1 / candleSeconds, storingWork(own, costs)),
  }
  return { ...parts, total: Object.values(parts).reduce((sum, part) => sum + part) }
}

/** Microseconds that a node needs to store a candle of each of its series. */
export const storingWork = (
  { series, heldSeries }: Pick<ReturnType<typeof shareOf>, 'series' | 'heldSeries'>,
  costs: Costs,
): number => heldSeries * costs.heldClose + (series - heldSeries) * costs.followedClose

/** Microseconds that Redis needs for a change of each series, and for storing a candle of each. */
function engineWork(workload: Workload, nodes: number, costs: Costs) {
  const own = shareOf(workload, nodes)
  const held = own.heldSeries * nodes
  const followers = own.series * nodes - held
  return {
    held,
    changing: held * costs.engineEvent + followers * costs.engineEventPerFollower,
    storing: held * (costs.engineClose + (nodes - 1) * costs.engineClosePerNode),
  }
}

/** Mean number of scripts of Redis per second, and the share of one core that Redis uses. */
export function engineLoad(workload: Workload, nodes: number, costs: Costs) {
  const { requestsPerSecond, changesPerSecond, candleSeconds } = workload
  const { held, changing, storing } = engineWork(workload, nodes, costs)
  const requestScripts = requestsPerSecond * costs.scriptsPerRequest
  const microseconds = requestScripts * costs.script + changing * changesPerSecond + storing / candleSeconds
  return {
    scripts: requestScripts + held * changesPerSecond + (held * costs.scriptsPerClose) / candleSeconds,
    total: microseconds / 1e6,
  }
}

/**
 * Load of Redis when all candles close at the same time: number of scripts, and the milliseconds of its core for the closing
 * changes and, a second later, for storing the candles.
 */
export function engineClosing(workload: Workload, nodes: number, costs: Costs) {
  const { held, changing, storing } = engineWork(workload, nodes, costs)
  return {
    scripts: held * (1 + costs.scriptsPerClose),
    changingMs: changing / 1000,
    storingMs: storing / 1000,
  }
}

/**
 * Milliseconds that a node is busy when all candles close at the same time, until each subscriber has its update: it reads
 * the candles, computes its topics and sends the updates. It stores the candles afterwards.
 */
export function closingMs(workload: Workload, nodes: number, costs: Costs): number {
  const own = shareOf(workload, nodes)
  const followed = own.series - own.heldSeries
  const microseconds =
    own.heldSeries * costs.heldEvent +
    followed * costs.followedEvent +
    own.topics * costs.step +
    own.subscriptions * costs.delivery
  return microseconds / 1000
}

/** Milliseconds from that time until a node has stored the candles, in batches with pauses. */
export function storedAfterMs(workload: Workload, nodes: number, costs: Costs): number {
  const own = shareOf(workload, nodes)
  return times.storing + (own.series / batchSize) * times.batchPause + storingWork(own, costs) / 1000
}

/**
 * Milliseconds from the death of a node until another one has opened the stream of one of its series. The lease was last
 * renewed `sinceRenewal` earlier; the follower with the earliest next check takes over.
 */
export function takeoverMs(sinceRenewal: number, looks: readonly number[]): number {
  const free = times.lease - sinceRenewal
  const first = Math.min(
    ...looks.map(look => look + times.tick * Math.max(0, Math.ceil((free - look) / times.tick))),
  )
  return first + times.reopen
}

/**
 * Mean of `takeoverMs`. The lease is renewed at regular times and by every change of the series, which come at random; the
 * checks of the followers are spread evenly.
 */
export function meanTakeoverMs(changesPerSecond: number, followers: number): number {
  const { lease, tick, reopen } = times
  const rate = changesPerSecond / 1000
  const sinceRenewal = rate === 0 ? tick / 2 : 1 / rate - (1 - Math.exp(-rate * tick)) / (rate * rate * tick)
  return lease - sinceRenewal + tick / (followers + 1) + reopen
}

/** Smallest number of nodes at which no node exceeds `maxLoad` of its core, or `maxClosingMs` for a closing. */
export function nodesFor(workload: Workload, costs: Costs, maxLoad: number, maxClosingMs: number): number {
  let nodes = 1
  while (
    nodeLoad(workload, nodes, costs).total > maxLoad ||
    closingMs(workload, nodes, costs) > maxClosingMs
  ) {
    nodes++
    if (nodes > 10_000) throw new Error('no number of nodes is enough')
  }
  return nodes
}
