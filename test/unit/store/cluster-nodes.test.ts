import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Costs, engineLoad, takeoverMs, times, type Workload } from '../../../bench/cluster/model.js'
import type { Account } from '../../../src/contract/account.js'
import { Archive } from '../../../src/markets/archive/archive.js'
import { parseRedisAddress, type RedisAddress } from '../../../src/store/address.js'
import { keysOf } from '../../../src/store/redis/leases.js'
import { createRedisClient, type RedisClient } from '../../../src/store/redis/redis-client.js'
import { openRedisStore, type RedisStore } from '../../../src/store/redis/redis-store.js'
import { needs } from '../../support/needs.js'
import { isRedisAvailable, type RedisServer, startRedis } from '../../support/redis-server.js'
import { candleAt } from '../../support/scripted-source.js'

const noon = 1_750_248_000
const names = Array.from({ length: 20 }, (_, at) => `x:S${at}USDT:1m`)
/** Costs of scripts in the model. The other costs are not used here. */
const costs = { scriptsPerRequest: 1, scriptsPerClose: 1 } as Costs
/** Two nodes of which each has subscribers of every series. */
const workload: Workload = {
  requestsPerSecond: 0,
  subscriptions: 1000,
  series: names.length,
  topics: names.length,
  changesPerSecond: 0,
  candleSeconds: Number.POSITIVE_INFINITY,
}

describe.skipIf(!isRedisAvailable)(
  'two nodes that run need what the model of a cluster says:',
  needs('redis-server'),
  () => {
    let server: RedisServer
    let client: RedisClient
    let one: RedisStore
    let two: RedisStore

    beforeAll(async () => {
      server = await startRedis()
      const address = parseRedisAddress(`${server.url}?timeout=10000`) as RedisAddress
      client = createRedisClient(address)
      await client.connect()
      const open = async () => {
        const store = openRedisStore(address, { followerDelayMs: 1000, copyBytes: 1e7 })
        await store.ready()
        return store
      }
      one = await open()
      two = await open()
    })
    afterAll(async () => {
      client.disconnect()
      await Promise.all([one.close(), two.close()])
      await server.close()
    })

    /** Number of calls of a command so far. Each script for `work` calls it once, and the regular scripts of nodes do not. */
    async function callsOf(command: string): Promise<number> {
      const info = await client.info('commandstats')
      return Number(new RegExp(`^cmdstat_${command}:calls=(\\d+)`, 'm').exec(info)?.[1] ?? 0)
    }
    async function scriptsOf(command: string, work: () => Promise<void>): Promise<number> {
      const before = await callsOf(command)
      await work()
      return (await callsOf(command)) - before
    }

    it('one script for each change of a series, however many nodes follow it', async () => {
      const held = await Promise.all(
        names.map(name => one.cluster.streams.join(name, { onEvent() {}, onLost() {} })),
      )
      let received = 0
      await Promise.all(
        names.map(name => two.cluster.streams.join(name, { onEvent: () => received++, onLost() {} })),
      )
      const changes = 25
      const scripts = await scriptsOf('xadd', async () => {
        for (let change = 0; change < changes; change++)
          await Promise.all(
            held.map(stream =>
              stream !== 'no stream' && stream.kind === 'held' ? stream.append(Buffer.from('x')) : undefined,
            ),
          )
      })
      await expect.poll(() => received).toBe(changes * names.length)
      const expected = engineLoad({ ...workload, changesPerSecond: changes }, 2, costs).scripts
      expect(expected).toBeCloseTo(changes * names.length, 3)
      expect(scripts).toBe(Math.round(expected))
    })

    it('one script for each closed candle, however many nodes follow its series', async () => {
      const archives = [one, two].map(
        ({ keyValues, journal }) => new Archive(keyValues, { depth: 100, journal }),
      )
      for (const archive of archives) await Promise.all(names.map(name => archive.prepare(name)))
      const closes = 10
      const scripts = await scriptsOf('publish', async () => {
        for (let close = 0; close < closes; close++) {
          for (const archive of archives) {
            for (const name of names) archive.enqueue(name, [candleAt(noon + 60 * close)])
            archive.flush()
          }
          await one.keyValues.flush?.()
          // The other node has been told.
          const [, other] = archives as [Archive, Archive]
          await vi.waitFor(
            () => expect(names.filter(name => other.info(name).revision <= close)).toEqual([]),
            10_000,
          )
        }
        await two.keyValues.flush?.()
      })
      const expected = engineLoad({ ...workload, candleSeconds: 1 / closes }, 2, costs).scripts
      expect(expected).toBeCloseTo(closes * names.length, 3)
      expect(scripts).toBe(Math.round(expected))
    })

    it('one script for each request', async () => {
      const accounts = [one, two].map((store, node) => ({
        store,
        own: Array.from({ length: 50 }, (_, at) => ({ id: `${node}-${at}`, requests: 30 }) as Account),
      }))
      for (const { store, own } of accounts)
        await Promise.all(own.map(account => store.rateWindows.take(account)))
      const scripts = await scriptsOf('hincrby', async () => {
        for (let request = 0; request < 20; request++)
          for (const { store, own } of accounts)
            await Promise.all(own.map(account => store.rateWindows.take(account)))
      })
      const expected = engineLoad(
        { ...workload, changesPerSecond: 0, requestsPerSecond: 2000 },
        2,
        costs,
      ).scripts
      expect(expected).toBe(2000)
      expect(scripts).toBe(expected)
    })

    it('at least the time of the model until a stream is free whose node has died', async () => {
      const { lease, fence } = keysOf('x:DEADUSDT:1m')
      await client.set(fence, 1)
      // The dead node has renewed its lease, and does nothing after that.
      await client.set(lease, 'dead:1', 'PX', times.lease)
      const died = performance.now()
      const lost = new Promise<number>(resolve => {
        void two.cluster.streams.join('x:DEADUSDT:1m', {
          onEvent() {},
          onLost: () => resolve(performance.now() - died),
        })
      })
      const earliest = takeoverMs(0, [0]) - times.reopen
      expect(await lost).toBeGreaterThan(earliest - 100)
    })
  },
)
