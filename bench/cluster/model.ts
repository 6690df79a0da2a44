// What N nodes that share Redis have to do, by arithmetic: processor time per second of each node and of Redis,
// how long a series is without a stream when its node dies, and how many nodes a load needs. `queue.ts` simulates the
// time that requests wait.

/** Processor time in microseconds of each piece of work, as measured. */
export interface Costs {
  /** A warm GET. */
  readonly request: number
  /** Scripts of Redis per request, and what Redis takes for one. */
  readonly scriptsPerRequest: number
  readonly script: number
  /** An update of a topic, from the candle to its text, and sending it to one subscriber. */
  readonly step: number
  readonly delivery: number
  /** A change of a series at the node that has its stream, and at each node that follows it. */
  readonly heldEvent: number
  readonly followedEvent: number
  /** A change of a series at Redis, and what is added by each node that follows it. */
  readonly engineEvent: number
  readonly engineEventPerFollower: number
  /** A candle that closes, at each node that has its series, and at Redis for each such node. */
  readonly closedCandle: number
  readonly engineClosedCandle: number
  /** Scripts per candle that closes, for each node that has its series. */
  readonly scriptsPerClosedCandle: number
}

/** Times of the service in milliseconds. */
export const times = {
  /** How long a lease lasts, and how often it is renewed and looked at. */
  lease: 3000,
  tick: 1000,
  /** From noticing that a stream is lost until another node has opened it. */
  reopen: 1000,
  /** How long a command of Redis may take before Redis counts as away. */
  engineTimeout: 250,
} as const

export interface Workload {
  readonly requestsPerSecond: number
  readonly subscriptions: number
  /** Series that are followed, and topics (combinations of a series, an indicator and parameters) that are subscribed to. */
  readonly series: number
  readonly topics: number
  /** Changes of each series in a second. */
  readonly changesPerSecond: number
  /** Seconds of a candle; all series close their candles at the same time. */
  readonly candleSeconds: number
}

/** Of so many places that `draws` fall on at random, the expected number that at least one falls on. */
export const expectedDistinct = (places: number, draws: number): number =>
  places === 0 ? 0 : places * (1 - (1 - 1 / places) ** draws)

/** What one node has, where clients are spread over the nodes at random. */
export function shareOf({ series, topics, subscriptions, requestsPerSecond }: Workload, nodes: number) {
  const own = subscriptions / nodes
  const followed = expectedDistinct(series, own)
  // Each series is held by one of the nodes that have it.
  const held = expectedDistinct(series, subscriptions) / nodes
  return {
    requestsPerSecond: requestsPerSecond / nodes,
    subscriptions: own,
    series: followed,
    heldSeries: Math.min(held, followed),
    topics: expectedDistinct(topics, own),
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
    closes: seconds(own.series / candleSeconds, costs.closedCandle),
  }
  return { ...parts, total: Object.values(parts).reduce((sum, part) => sum + part) }
}

/** Scripts of Redis per second, and the share of one core that it uses. */
export function engineLoad(workload: Workload, nodes: number, costs: Costs) {
  const { requestsPerSecond, changesPerSecond, candleSeconds } = workload
  const own = shareOf(workload, nodes)
  const held = own.heldSeries * nodes
  const followers = own.series * nodes - held
  const closes = (own.series * nodes) / candleSeconds
  const requestScripts = requestsPerSecond * costs.scriptsPerRequest
  const events = held * changesPerSecond
  const microseconds =
    requestScripts * costs.script +
    events * costs.engineEvent +
    followers * changesPerSecond * costs.engineEventPerFollower +
    closes * costs.engineClosedCandle
  return {
    scripts: requestScripts + events + closes * costs.scriptsPerClosedCandle,
    total: microseconds / 1e6,
  }
}

/**
 * Milliseconds that a node is busy with the candles that all close at the same time: it reads them, calculates its topics
 * and sends each subscriber its update.
 */
export function closingMs(workload: Workload, nodes: number, costs: Costs): number {
  const own = shareOf(workload, nodes)
  const followed = own.series - own.heldSeries
  const microseconds =
    own.heldSeries * costs.heldEvent +
    followed * costs.followedEvent +
    own.series * costs.closedCandle +
    own.topics * costs.step +
    own.subscriptions * costs.delivery
  return microseconds / 1000
}

/**
 * Milliseconds from the death of a node until another one has opened the stream of a series that it held. The lease was
 * renewed `sinceRenewal` before; of the nodes that follow, the one whose next look comes first takes over.
 */
export function takeoverMs(sinceRenewal: number, looks: readonly number[]): number {
  const free = times.lease - sinceRenewal
  const first = Math.min(
    ...looks.map(look => look + times.tick * Math.max(0, Math.ceil((free - look) / times.tick))),
  )
  return first + times.reopen
}

/**
 * The mean of `takeoverMs`: the lease is renewed at regular times and by every change of the series, which come at random;
 * the looks of the followers are spread evenly.
 */
export function meanTakeoverMs(changesPerSecond: number, followers: number): number {
  const { lease, tick, reopen } = times
  const rate = changesPerSecond / 1000
  const sinceRenewal = rate === 0 ? tick / 2 : 1 / rate - (1 - Math.exp(-rate * tick)) / (rate * rate * tick)
  return lease - sinceRenewal + tick / (followers + 1) + reopen
}

/** The smallest number of nodes of which none uses more than a share of its core, nor is busy for longer with a closing. */
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
