import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Candle } from '#dist/candles/candle.js'
import { Archive } from '#dist/markets/archive/archive.js'
import { CandleChannel } from '#dist/markets/exchanges/channel.js'
import { shareInCluster } from '#dist/markets/exchanges/cluster/cluster-source.js'
import type { RedisAddress } from '#dist/store/address.js'
import { createRedisClient } from '#dist/store/redis/redis-client.js'
import { openRedisStore } from '#dist/store/redis/redis-store.js'
import type { Table } from '../baseline.js'
import { effort } from '../effort.js'
import { randomCandles } from '../random-walk.js'
import { median, rounded } from '../statistics.js'
import { usageOf } from './usage.js'

const seriesCount = effort(500, 5)
const eventsPerSecond = 1000
const seconds = effort(5, 1)
const closes = effort(20, 2)
const minute = 60

const symbolOf = (i: number) => `S${i}USDT`
const clock = () => Date.now() / 1000

/** A node in a process of its own that follows every series and reports the cost and latency of events. */
async function startFollower(address: RedisAddress) {
  const program = `
    import { openRedisStore } from '#dist/store/redis/redis-store.js'
    import { shareInCluster } from '#dist/markets/exchanges/cluster/cluster-source.js'
    const store = openRedisStore(${JSON.stringify(address)}, { copyBytes: 1e8 })
    await store.ready()
    const source = { symbols: () => [], candles: () => [], watch: () => undefined }
    const shared = shareInCluster(
      { ids: () => [], find: () => ({ id: 'x', source }), close: async () => {} },
      { store, refreshSeconds: 5, formingPerSecond: 50, clock: () => 0 },
    ).find('x').source
    const latencies = []
    await Promise.all(Array.from({ length: ${seriesCount} }, async (_, i) => {
      const stream = await shared.watch('S' + i + 'USDT', '1m', new AbortController().signal)
      void (async () => {
        for await (const [candle] of stream)
          latencies.push(performance.timeOrigin + performance.now() - candle.open)
      })().catch(() => {})
    }))
    console.log('ready')
    let before = process.cpuUsage()
    process.stdin.on('data', text => {
      if (String(text).startsWith('begin')) { latencies.length = 0; before = process.cpuUsage(); return }
      const { user, system } = process.cpuUsage(before)
      console.log(JSON.stringify({ events: latencies.length, cpuUs: user + system, latencies }))
    })`
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  await once(lines, 'line')
  return {
    begin: () => child.stdin?.write('begin\n'),
    async end() {
      child.stdin?.write('end\n')
      const [line] = (await once(lines, 'line')) as [string]
      child.kill()
      return JSON.parse(line) as { events: number; cpuUs: number; latencies: number[] }
    },
  }
}

/** Cost of one event: scripts, commands and bytes of Redis, microseconds of processors, milliseconds of latency. */
interface EventCosts {
  readonly scripts: number
  readonly commands: number
  readonly bytes: number
  readonly engine: number
  readonly holder: number
  /** Cost of the first node that follows. */
  readonly follower?: number
  readonly received?: number
  readonly latencies: readonly number[]
}

/** Events of 500 series on one node, followed by `followerCount` others. */
export async function measureEvents(address: RedisAddress, followerCount: number): Promise<EventCosts> {
  const client = createRedisClient(address)
  await client.connect()
  const store = openRedisStore(address, { copyBytes: 1e8 })
  await store.ready()
  const channels = Array.from({ length: seriesCount }, () => new CandleChannel())
  const source = {
    symbols: () => [],
    candles: () => [],
    watch: (symbol: string) => channels[Number(symbol.slice(1, -4))],
  }
  const shared = shareInCluster(
    { ids: () => [], find: () => ({ id: 'x', source }), close: async () => {} },
    { store, refreshSeconds: 5, formingPerSecond: 50, clock },
  ).find('x')?.source
  for (let i = 0; i < seriesCount; i++)
    void (async () => {
      const stream = await shared?.watch?.(symbolOf(i), '1m', new AbortController().signal)
      for await (const _ of stream ?? []);
    })().catch(() => {})
  await pause(500)
  const followers = []
  for (let k = 0; k < followerCount; k++) followers.push(await startFollower(address))
  for (const follower of followers) follower.begin()
  const before = await usageOf(client)
  const cpuBefore = process.cpuUsage()
  const perTurn = eventsPerSecond / 100
  for (let turn = 0; turn < seconds * 100; turn++) {
    for (let k = 0; k < perTurn; k++) {
      const open = performance.timeOrigin + performance.now()
      const at = (turn * perTurn + k) % seriesCount
      channels[at]?.push([{ timestamp: 0, open, high: open, low: 1, close: 1, volume: turn }])
    }
    await pause(10)
  }
  const { user, system } = process.cpuUsage(cpuBefore)
  await pause(500)
  const after = await usageOf(client)
  const events = seconds * eventsPerSecond
  const results = await Promise.all(followers.map(follower => follower.end()))
  const latencies = results.flatMap(result => result.latencies).sort((a, b) => a - b)
  client.disconnect()
  for (const channel of channels) channel.end()
  await store.close()
  return {
    scripts: (after.scripts - before.scripts) / events,
    commands: (after.commands - before.commands) / events,
    bytes: (after.bytes - before.bytes) / events,
    engine: ((after.cpu - before.cpu) * 1e6) / events,
    holder: (user + system) / events,
    ...(results[0] && {
      follower: results[0].cpuUs / results[0].events,
      received: results[0].events / events,
    }),
    latencies,
  }
}

/** Cost of events on each side, as a table. */
export async function eventRows(address: RedisAddress, followerCount: number): Promise<Table> {
  const { scripts, commands, bytes, engine, holder, follower, received, latencies } = await measureEvents(
    address,
    followerCount,
  )
  const row = (value: number, digits = 2) => ({ value: rounded(value, digits) })
  const name = `${followerCount} following`
  return {
    [`${name}: scripts per event`]: row(scripts),
    [`${name}: commands of Redis per event`]: row(commands),
    [`${name}: bytes from and to Redis per event`]: row(bytes, 0),
    [`${name}: Redis, µs of a processor per event`]: row(engine, 1),
    [`${name}: node with the stream, µs per event`]: row(holder, 1),
    ...(follower !== undefined && {
      [`${name}: following node, µs per event`]: row(follower, 1),
      [`${name}: events received, %`]: row(100 * (received ?? 0), 1),
      [`${name}: latency, median ms`]: row(median(latencies)),
      [`${name}: latency, 99 % ms`]: row(latencies[Math.floor(latencies.length * 0.99)] ?? 0),
    }),
  }
}

/** A thousand candles of one minute each. */
const minuteCandles = (seed: number, first: number): Candle[] =>
  randomCandles(1000, seed, first).map((candle, k) => ({ ...candle, timestamp: first + k * minute }))

/** Cost of a closed candle on all nodes that have its series and on Redis, in the archive. */
interface CloseCosts {
  readonly scripts: number
  readonly commands: number
  readonly bytes: number
  readonly engine: number
  readonly nodes: number
}

/** Closed candles of 100 series that several nodes write. */
export async function measureCloses(address: RedisAddress, nodeCount: number): Promise<CloseCosts> {
  const client = createRedisClient(address)
  await client.connect()
  const written = effort(100, 5)
  const keys = Array.from({ length: written }, (_, i) => `x:A${nodeCount}S${i}:1m`)
  const first = Math.floor(clock() / minute) * minute - 2000 * minute
  const stores = Array.from({ length: nodeCount }, () => openRedisStore(address, { copyBytes: 1e8 }))
  const archives: Archive[] = []
  for (const store of stores) {
    await store.ready()
    archives.push(new Archive(store.keyValues, { depth: 1000, journal: store.journal }))
  }
  const held = { onEvent() {}, onLost() {} }
  for (const key of keys) await stores[0]?.cluster.streams.join(key, held)
  for (const [i, key] of keys.entries()) archives[0]?.write(key, minuteCandles(i, first))
  await stores[0]?.keyValues.flush?.()
  for (const archive of archives)
    for (const key of keys) {
      await archive.prepare(key)
      archive.read(key)
    }
  const before = await usageOf(client)
  const cpuBefore = process.cpuUsage()
  for (let k = 0; k < closes; k++) {
    const candle: Candle = {
      timestamp: first + (1000 + k) * minute,
      open: 1,
      high: 2,
      low: 1,
      close: 2,
      volume: k,
    }
    for (const archive of archives) for (const key of keys) archive.enqueue(key, [candle])
    for (const archive of archives) archive.flush()
    await stores[0]?.keyValues.flush?.()
    // By then the others have been notified, so that they have nothing to write.
    await pause(100)
    for (const store of stores) await store.keyValues.flush?.()
  }
  const { user, system } = process.cpuUsage(cpuBefore)
  const after = await usageOf(client)
  client.disconnect()
  await Promise.all(stores.map(store => store.close()))
  const count = written * closes
  return {
    scripts: (after.scripts - before.scripts) / count,
    commands: (after.commands - before.commands) / count,
    bytes: (after.bytes - before.bytes) / count,
    engine: ((after.cpu - before.cpu) * 1e6) / count,
    nodes: (user + system) / count,
  }
}

/** Cost of closed candles, as a table. */
export async function archiveRows(address: RedisAddress, nodeCount: number): Promise<Table> {
  const { scripts, commands, bytes, engine, nodes } = await measureCloses(address, nodeCount)
  const name = `${nodeCount} nodes`
  return {
    [`${name}: scripts per closed candle, archive`]: { value: rounded(scripts, 2) },
    [`${name}: commands per closed candle, archive`]: { value: rounded(commands, 2) },
    [`${name}: bytes per closed candle, archive`]: { value: rounded(bytes, 0) },
    [`${name}: Redis, µs per closed candle`]: { value: rounded(engine, 0) },
    [`${name}: all nodes, µs per closed candle`]: { value: rounded(nodes, 0) },
  }
}
