import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Candle } from '../../src/candles/candle.js'
import type { Inputs } from '../../src/candles/columns.js'
import type { Cluster } from '../../src/contract/storage/cluster.js'
import { Archive } from '../../src/markets/archive/archive.js'
import { shareInCluster } from '../../src/markets/exchanges/cluster/cluster-source.js'
import type { Source } from '../../src/markets/exchanges/source.js'
import { FeedRegistry } from '../../src/markets/feeds/feed-registry.js'
import { History } from '../../src/markets/history/history.js'
import type { RedisAddress } from '../../src/store/address.js'
import { openRedisStore } from '../../src/store/redis/redis-store.js'
import { closedOf } from './scripted-source.js'

export const market = { exchange: 'scripted', symbol: 'BTCUSDT', timeframe: '1m' } as const
export const series = 'scripted:BTCUSDT:1m'

/** Milliseconds of a lease in tests. */
export const leaseMs = 300

type SharedOptions = Parameters<typeof openRedisStore>[1]

/** The candle parts of a node of the service, on a shared store, with an exchange of its own. */
export async function startNode(
  address: RedisAddress,
  source: Source,
  clock: () => number,
  options: Partial<SharedOptions> = {},
) {
  const changes: boolean[] = []
  const store = openRedisStore(address, {
    copyBytes: 1e7,
    leaseMs,
    followerDelayMs: 100,
    onAway: () => changes.push(true),
    onReturn: () => changes.push(false),
    ...options,
  })
  await store.ready()
  const failures: unknown[] = []
  const archive = new Archive(store.keyValues, { depth: 100, journal: store.journal, clock })
  const history = new History({
    depth: 100,
    bytes: 1e8,
    refreshSeconds: 5,
    clock,
    archive,
    onFailure: error => failures.push(error),
  })
  const exchange = { id: market.exchange, source }
  const { fetches } = store.cluster
  const cluster: Cluster = {
    ...store.cluster,
    // Redis's clock continues while the clock of a test stands still or jumps.
    fetches: { fetch: (name, question, work) => fetches.fetch(`${name}@${clock()}`, question, work) },
  }
  const shared = shareInCluster(
    { ids: () => [exchange.id], find: () => exchange, close: async () => {} },
    { store: { keyValues: store.keyValues, cluster }, refreshSeconds: 5, formingPerSecond: 1000, clock },
  ).find(exchange.id)?.source as Source
  const feeds = new FeedRegistry({
    history,
    clock,
    formingPerSecond: 1000,
    lingerSeconds: 0,
    pollSeconds: 5,
    backoffMs: 20,
    onFault: error => faults.push(error),
  })
  const faults: unknown[] = []
  /** Closed candles in the order in which a subscriber received them. */
  const closed: Candle[] = []
  const states: Candle[] = []
  const take = ([snapshot]: Inputs) => {
    const last = closed.at(-1)?.timestamp ?? Number.POSITIVE_INFINITY
    closed.push(...closedOf(snapshot).filter(({ timestamp }) => timestamp > last))
    if (snapshot.forming) states.push(snapshot.forming)
  }
  return {
    store,
    archive,
    history,
    shared,
    closed,
    states,
    failures,
    faults,
    /** Whether Redis was away, in alternating order. */
    changes,
    async follow() {
      const feed = await feeds.follow(market, shared, take)
      const { forming } = feed.inputs()[0]
      closed.push(...closedOf(feed.inputs()[0]).slice(-1))
      if (forming) states.push(forming)
      return feed
    },
    async close() {
      await feeds.close()
      await store.close()
    },
  }
}
export type TestNode = Awaited<ReturnType<typeof startNode>>

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A node in a process of its own that opens the stream of the series first, and emits candles on request. */
export async function startHolder(address: RedisAddress) {
  const program = `
    import { createInterface } from 'node:readline'
    import { openRedisStore } from '#dist/store/redis/redis-store.js'
    import { shareInCluster } from '#dist/markets/exchanges/cluster/cluster-source.js'
    import { CandleChannel } from '#dist/markets/exchanges/channel.js'
    const store = openRedisStore(${JSON.stringify(address)}, { copyBytes: 1e6, leaseMs: ${leaseMs} })
    await store.ready()
    const channel = new CandleChannel()
    const source = { symbols: () => [], candles: () => [], watch: () => channel }
    const shared = shareInCluster(
      { ids: () => [], find: () => ({ id: 'scripted', source }), close: async () => {} },
      { store, refreshSeconds: 5, formingPerSecond: 1000, clock: () => 0 },
    ).find('scripted').source
    const stream = await shared.watch('BTCUSDT', '1m', new AbortController().signal)
    console.log('open')
    createInterface({ input: process.stdin }).on('line', line => channel.push(JSON.parse(line)))
    try {
      for await (const candles of stream) console.log('event')
    } catch (error) {
      console.log('lost: ' + error.message)
    }`
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const said: string[] = []
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  lines.on('line', line => said.push(line))
  await once(lines, 'line')
  return {
    said,
    emit: (candles: readonly Candle[]) => child.stdin?.write(`${JSON.stringify(candles)}\n`),
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGCONT')
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
