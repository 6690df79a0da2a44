import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Account } from '../../../src/contract/account.js'
import { parseRedisAddress, type RedisAddress } from '../../../src/store/address.js'
import { createRedisClient, type RedisClient } from '../../../src/store/redis/redis-client.js'
import { openRedisStore, type RedisStore } from '../../../src/store/redis/redis-store.js'
import { needs } from '../../support/needs.js'
import { canShiftClock, isRedisAvailable, startShiftedRedis } from '../../support/redis-server.js'

const account = { id: 'a', requests: 5, subscriptions: 2 } as Account
const name = 'x:BTCUSDT:1m'
/** Long enough that a busy machine renews it in time. */
const leaseMs = 1500
const hour = 3600
/** Far below an hour, and far above the seconds in which it happens. */
const patient = { timeout: 60_000, interval: 50 }
const root = fileURLToPath(new URL('../../..', import.meta.url))

let server: Awaited<ReturnType<typeof startShiftedRedis>>
let address: RedisAddress
let bare: RedisClient
let store: RedisStore
const others: ChildProcess[] = []

const ignored = { onEvent: () => {}, onLost: () => {} }

/** A node in a process of its own, which counts a request, holds two subscriptions, the stream and the lease of alerts. */
async function startOther(): Promise<ChildProcess> {
  const program = `
    import { openRedisStore } from '#dist/store/redis/redis-store.js'
    const store = openRedisStore(${JSON.stringify(address)}, { copyBytes: 1e6, leaseMs: ${leaseMs} })
    await store.ready()
    const account = ${JSON.stringify(account)}
    await store.rateWindows.take(account)
    await store.subscriptions.reserve(account, 'x')
    await store.subscriptions.reserve(account, 'y')
    await store.cluster.streams.join(${JSON.stringify(name)}, { onEvent() {}, onLost() {} })
    await store.alerts.lease()
    console.log('ready')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  others.push(child)
  await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line')
  return child
}
async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}
const secondsOfServer = async () => Number(((await bare.call('TIME')) as [string, string])[0])

describe.skipIf(!canShiftClock)(
  'the clock of the shared Redis',
  needs(isRedisAvailable ? 'cc' : 'redis-server'),
  () => {
    beforeEach(async () => {
      server = await startShiftedRedis()
      address = parseRedisAddress(`${server.url}?timeout=10000`) as RedisAddress
      bare = createRedisClient(address)
      await bare.connect()
      store = openRedisStore(address, { leaseMs })
      await store.ready()
    })
    afterEach(async () => {
      for (const child of others.splice(0))
        if (child.exitCode === null && child.signalCode === null) await kill(child)
      await store.close()
      bare.disconnect()
      await server.close()
    })

    it('may be set back while a node dies: within seconds the node counts as dead, and others do what it did', {
      tags: ['faults'],
      timeout: 120_000,
    }, async () => {
      const other = await startOther()
      const before = await secondsOfServer()
      await kill(other)
      server.shift(-hour)
      expect(await secondsOfServer()).toBeLessThan(before - hour + 60)
      const joined = async () => {
        const stream = await store.cluster.streams.join(name, ignored)
        if (typeof stream === 'object' && stream.kind === 'followed') stream.end()
        return typeof stream === 'object' ? stream.kind : stream
      }
      // At the same time: each of them takes until the node counts as dead.
      await Promise.all([
        expect.poll(async () => (await store.rateWindows.take(account)).allowed, patient).toBe(true),
        expect.poll(() => store.subscriptions.reserve(account, 'z'), patient).toBeUndefined(),
        expect.poll(async () => (await store.alerts.lease()).isHeld, patient).toBe(true),
        expect.poll(joined, patient).toBe('held'),
      ])
    })

    it('may be set back while a node follows the stream of one that dies: the follower hears of it', async () => {
      const other = await startOther()
      const losses: string[] = []
      const stream = await store.cluster.streams.join(name, {
        ...ignored,
        onLost: reason => losses.push(reason),
      })
      expect(stream).toMatchObject({ kind: 'followed' })
      await kill(other)
      server.shift(-hour)
      await expect.poll(() => losses, patient).toHaveLength(1)
    }, 120_000)

    it('may be set back: what was fetched before does not count as fresh until then', async () => {
      const { fetches } = store.cluster
      const fetch = (text: string, maxAgeMs: number) =>
        fetches.fetch('a', { maxAgeMs, depth: 1, keepMs: 7_200_000 }, async () => ({
          bytes: Buffer.from(text),
          isFailure: false,
        }))
      expect(await fetch('old', 0), 'fetched here').toBeUndefined()
      const kept = async () => (await fetch('other', 1_000_000))?.bytes.toString()
      await expect.poll(kept, patient).toBe('old')
      server.shift(-hour)
      expect(await fetch('new', 1000), 'fetched here').toBeUndefined()
      await expect.poll(kept, patient).toBe('new')
    }, 120_000)

    it('may be set forward: nodes that live go on', async () => {
      await startOther()
      expect(await store.subscriptions.reserve(account, 'z')).toBe('plan')
      server.shift(hour)
      await expect.poll(async () => (await store.rateWindows.take(account)).allowed, patient).toBe(true)
      // The other node reports its subscriptions once more.
      await expect
        .poll(async () => Object.values(await bare.hgetall('subscriptions:{a}')), patient)
        .toEqual(['2'])
      expect(await store.subscriptions.reserve(account, 'z')).toBe('plan')
    }, 120_000)
  },
)
