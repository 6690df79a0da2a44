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
  /** Storing a candle that has closed: at the node that has the stream of its series, and at each node that follows it. */
  readonly heldClose: number
  readonly followedClose: number
  /** The same at Redis, and what is added by each further node, which is told of it. */
  readonly engineClose: number
  readonly engineClosePerNode: number
  readonly scriptsPerClose: number
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
  /** How long closed candles wait to be stored, and the pause between two batches of them. */
  storing: 1000,
  batchPause: 20,
} as const
/** Series whose candles are stored together. */
export const batchSize = 20

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
  /** How many nodes the clients of one series are sent to; to all of them without it. */
  readonly nodesPerSeries?: number
}

/** Of so many places that `draws` fall on at random, the expected number that at least one falls on. */
export const expectedDistinct = (places: number, draws: number): number =>
  places === 0 ? 0 : places * (1 - (1 - 1 / places) ** draws)

/** What one node has, where clients are spread at random over the nodes, or over those of the series that they ask for. */
export function shareOf(workload: Workload, nodes: number) {
  const { series, topics, subscriptions, requestsPerSecond, nodesPerSeries = nodes } = workload
  const own = subscriptions / nodes
  /** The part of all series, and of their topics, whose clients may come here. */
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

/** Microseconds in which a node stores a candle of each of its series. */
export const storingWork = (
  { series, heldSeries }: Pick<ReturnType<typeof shareOf>, 'series' | 'heldSeries'>,
  costs: Costs,
): number => heldSeries * costs.heldClose + (series - heldSeries) * costs.followedClose

/** Microseconds of Redis for a change of each series, and for storing a candle of each. */
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

/** Scripts of Redis per second in the mean, and the share of one core that it uses. */
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
 * What Redis has to do when all candles close at the same time: scripts, and the milliseconds of its core for the changes
 * that close them, and for storing them a second later.
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
 * Milliseconds that a node is busy when all candles close at the same time, until each subscriber has its update: it reads the
 * candles, calculates its topics and sends the updates. It stores the candles after that.
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
