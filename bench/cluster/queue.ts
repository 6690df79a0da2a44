import { percentile } from '../statistics.js'
import {
  batchSize,
  type Costs,
  nodeLoad,
  shareOf,
  storingWork,
  takeoverMs,
  times,
  type Workload,
} from './model.js'

type Random = () => number

/** Work that arrives at a node: at random times, or in bulk at regular times. */
export interface Work {
  /** Arrivals per second. */
  readonly rate: number
  /** Seconds of a core per arrival. */
  readonly seconds: number
  /** Seconds between two bulk arrivals; undefined for random arrivals. */
  readonly every?: number
  /** Bulk arrivals come in groups of `size`, the first group `after` seconds later, with `pause` seconds between groups. */
  readonly groups?: { readonly size: number; readonly after: number; readonly pause: number }
  /** Whether the waiting time is measured. */
  readonly isMeasured?: boolean
}

export interface Waiting {
  /** Share of the time in which the node works. */
  readonly load: number
  /** Waiting time of the measured work in seconds. */
  readonly mean: number
  readonly p50: number
  readonly p99: number
  readonly p999: number
  readonly max: number
}

const exponential = (random: Random, rate: number) => -Math.log(1 - random()) / rate

/** One kind of work with the time of its next arrival. */
interface Stream extends Work {
  at: number
  /** Number of items in the next arrival. */
  count: number
  /** Remaining items of a bulk arrival, and the time of the next bulk arrival. */
  left: number
  next: number
}

/**
 * Creates a stream. Arrivals at regular times lie in the middle of each interval, so that every number of intervals has as
 * many arrivals.
 */
function open(work: Work, random: Random): Stream {
  const { rate, every } = work
  const none = { ...work, at: Number.POSITIVE_INFINITY, count: 0, left: 0, next: Number.POSITIVE_INFINITY }
  if (rate === 0) return none
  if (every === undefined) return { ...none, at: exponential(random, rate), count: 1 }
  const stream = { ...none, next: every / 2 }
  advance(stream, random)
  return stream
}

/** Moves a stream to its next arrival. */
function advance(stream: Stream, random: Random): void {
  const { rate, every, groups, seconds } = stream
  if (every === undefined) {
    stream.at += exponential(random, rate)
    return
  }
  if (stream.left > 0) stream.at += (groups?.pause ?? 0) + stream.count * seconds
  else {
    stream.at = stream.next + (groups?.after ?? 0)
    stream.next += every
    stream.left = Math.round(rate * every)
  }
  stream.count = Math.min(stream.left, groups?.size ?? stream.left)
  stream.left -= stream.count
}

/**
 * Simulates a node as a queue with one server, which works in the order of arrival like an event loop. Returns the waiting
 * time of the measured work.
 */
export function simulateQueue(kinds: readonly Work[], seconds: number, random: Random): Waiting {
  const streams = kinds.map(kind => open(kind, random))
  const waits: number[] = []
  let free = 0
  let busy = 0
  for (;;) {
    let first = streams[0] as Stream
    for (const stream of streams) if (stream.at < first.at) first = stream
    if (first.at > seconds) break
    const begins = Math.max(free, first.at)
    if (first.isMeasured) waits.push(begins - first.at)
    free = begins + first.count * first.seconds
    busy += first.count * first.seconds
    advance(first, random)
  }
  const ascending = Float64Array.from(waits).sort()
  const at = (share: number) => percentile(ascending, share) ?? 0
  return {
    load: busy / seconds,
    mean: waits.reduce((sum, wait) => sum + wait, 0) / Math.max(1, waits.length),
    p50: at(0.5),
    p99: at(0.99),
    p999: at(0.999),
    max: at(1),
  }
}

/** The mean waiting time of a queue with one server, by the formula of Pollaczek and Khinchine. */
export function meanWaiting(kinds: readonly Work[]): number {
  const load = kinds.reduce((sum, { rate, seconds }) => sum + rate * seconds, 0)
  const second = kinds.reduce((sum, { rate, seconds }) => sum + rate * seconds ** 2, 0)
  return second / (2 * (1 - load))
}

/** Work of one of several nodes. The candles of all series close at the same time. */
export function workOf(workload: Workload, nodes: number, costs: Costs): readonly Work[] {
  const own = shareOf(workload, nodes)
  const { changesPerSecond, candleSeconds } = workload
  const load = nodeLoad(workload, nodes, costs)
  const changes = own.series * changesPerSecond
  // A change is read, computed and sent in one turn of the event loop.
  const change = changes === 0 ? 0 : (load.events + load.steps + load.deliveries) / changes
  // A change that closes a candle counts as a change. Its candle is stored later, in batches.
  const closes = own.series / candleSeconds
  const groups = { size: batchSize, after: times.storing / 1000, pause: times.batchPause / 1000 }
  return [
    { rate: own.requestsPerSecond, seconds: costs.request / 1e6, isMeasured: true },
    { rate: Math.max(0, changes - closes), seconds: change },
    { rate: closes, seconds: change, every: candleSeconds },
    { rate: closes, seconds: storingWork(own, costs) / own.series / 1e6, every: candleSeconds, groups },
  ]
}

/** Milliseconds that series are without a stream after their node has died, in many trials. */
export function simulateTakeovers(
  changesPerSecond: number,
  followers: number,
  trials: number,
  random: Random,
): readonly number[] {
  return Array.from({ length: trials }, () => {
    const sinceTick = times.tick * random()
    const sinceChange =
      changesPerSecond === 0 ? Number.POSITIVE_INFINITY : 1000 * exponential(random, changesPerSecond)
    const looks = Array.from({ length: followers }, () => times.tick * random())
    return takeoverMs(Math.min(sinceTick, sinceChange), looks)
  }).sort((a, b) => a - b)
}
