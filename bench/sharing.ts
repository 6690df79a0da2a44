import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Candle } from '#dist/candles/candle.js'
import { CandleChannel } from '#dist/exchanges/channel.js'
import { shareExchanges } from '#dist/exchanges/shared/shared-source.js'
import { Archive } from '#dist/history/archive.js'
import { parseRedisAddress, type RedisAddress } from '#dist/store/redis/address.js'
import { createRedisClient, type RedisClient } from '#dist/store/redis/connection.js'
import { openShared } from '#dist/store/redis/shared.js'
import type { Table } from './baseline.js'
import { randomCandles } from './random-walk.js'
import { startRedis } from './redis-process.js'
import { median, rounded } from './statistics.js'

const seriesCount = 500
const eventsPerSecond = 1000
const seconds = 5
const closes = 20
const minute = 60

const symbolOf = (i: number) => `S${i}USDT`
const clock = () => Date.now() / 1000

/** What the engine has done: commands that clients have sent, bytes in both directions, and seconds of a processor. */
async function usageOf(client: RedisClient) {
  const info = await client.info('everything')
  const value = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1])
  return {
    commands: value('total_commands_processed'),
    scripts: Number(/^cmdstat_evalsha:calls=(\d+)/m.exec(info)?.[1] ?? 0),
    bytes: value('total_net_input_bytes') + value('total_net_output_bytes'),
    cpu: value('used_cpu_user') + value('used_cpu_sys'),
  }
}

/** A node in a process of its own that follows every series; it says what events have cost and how long they took. */
async function startFollower(address: RedisAddress) {
  const program = `
    import { openShared } from '#dist/store/redis/shared.js'
    import { shareExchanges } from '#dist/exchanges/shared/shared-source.js'
    const store = openShared(${JSON.stringify(address)}, { copyBytes: 1e8 })
    await store.ready()
    const source = { symbols: () => [], candles: () => [], watch: () => undefined }
    const shared = shareExchanges(
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
    cwd: fileURLToPath(new URL('..', import.meta.url)),
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

/** Events of 500 series on one node, which others follow: what one event costs whom. */
async function eventRows(address: RedisAddress, followerCount: number): Promise<Table> {
  const client = createRedisClient(address)
  await client.connect()
  const store = openShared(address, { copyBytes: 1e8 })
  await store.ready()
  const channels = Array.from({ length: seriesCount }, () => new CandleChannel())
  const source = {
    symbols: () => [],
    candles: () => [],
    watch: (symbol: string) => channels[Number(symbol.slice(1, -4))],
  }
  const shared = shareExchanges(
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
  const perEvent = (value: number, digits = 2) => ({ value: rounded(value / events, digits) })
  const name = `${followerCount} following`
  return {
    [`${name}: scripts per event`]: perEvent(after.scripts - before.scripts),
    [`${name}: commands of the engine per event`]: perEvent(after.commands - before.commands),
    [`${name}: bytes from and to the engine per event`]: perEvent(after.bytes - before.bytes, 0),
    [`${name}: engine, µs of a processor per event`]: perEvent((after.cpu - before.cpu) * 1e6, 1),
    [`${name}: node with the stream, µs per event`]: perEvent(user + system, 1),
    ...(results[0] && {
      [`${name}: following node, µs per event`]: {
        value: rounded(results[0].cpuUs / results[0].events, 1),
      },
      [`${name}: events received, %`]: { value: rounded((100 * results[0].events) / events, 1) },
      [`${name}: latency, median ms`]: { value: rounded(median(latencies), 2) },
      [`${name}: latency, 99 % ms`]: {
        value: rounded(latencies[Math.floor(latencies.length * 0.99)] ?? 0, 2),
      },
    }),
  }
}

/** A thousand candles of one minute each. */
const minuteCandles = (seed: number, first: number): Candle[] =>
  randomCandles(1000, seed, first).map((candle, k) => ({ ...candle, timestamp: first + k * minute }))

/** Closed candles of 100 series that several nodes write: what the archive costs. */
async function archiveRows(address: RedisAddress, nodeCount: number): Promise<Table> {
  const client = createRedisClient(address)
  await client.connect()
  const written = 100
  const keys = Array.from({ length: written }, (_, i) => `x:A${nodeCount}S${i}:1m`)
  const first = Math.floor(clock() / minute) * minute - 2000 * minute
  const stores = Array.from({ length: nodeCount }, () => openShared(address, { copyBytes: 1e8 }))
  const archives: Archive[] = []
  for (const store of stores) {
    await store.ready()
    archives.push(new Archive(store.chunks, { depth: 1000, journal: store.journal }))
  }
  const held = { onEvent() {}, onLost() {} }
  for (const key of keys) await stores[0]?.sharing.streams.join(key, held)
  for (const [i, key] of keys.entries()) archives[0]?.write(key, minuteCandles(i, first))
  await stores[0]?.chunks.flush?.()
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
    await stores[0]?.chunks.flush?.()
    // The others have been told meanwhile, so that they have nothing to write.
    await pause(100)
    for (const store of stores) await store.chunks.flush?.()
  }
  const { user, system } = process.cpuUsage(cpuBefore)
  const after = await usageOf(client)
  client.disconnect()
  await Promise.all(stores.map(store => store.close()))
  const count = written * closes
  const name = `${nodeCount} nodes`
  return {
    [`${name}: scripts per closed candle, archive`]: {
      value: rounded((after.scripts - before.scripts) / count, 2),
    },
    [`${name}: commands per closed candle, archive`]: {
      value: rounded((after.commands - before.commands) / count, 2),
    },
    [`${name}: bytes per closed candle, archive`]: {
      value: rounded((after.bytes - before.bytes) / count, 0),
    },
    [`${name}: engine, µs per closed candle`]: {
      value: rounded(((after.cpu - before.cpu) * 1e6) / count, 0),
    },
    [`${name}: all nodes, µs per closed candle`]: { value: rounded((user + system) / count, 0) },
  }
}

/** What events and closed candles cost that several nodes share through Redis. */
export async function benchSharing(): Promise<readonly Table[]> {
  const server = await startRedis()
  try {
    const address = (name: string) => parseRedisAddress(`${server.url}?prefix=${name}:`) as RedisAddress
    const tables: Table[] = []
    for (const followers of [0, 1, 2]) tables.push(await eventRows(address(`e${followers}`), followers))
    for (const nodes of [1, 2, 3]) tables.push(await archiveRows(address(`a${nodes}`), nodes))
    return tables
  } finally {
    await server.stop()
  }
}
