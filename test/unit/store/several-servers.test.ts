import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Candle } from '../../../src/candles/candle.js'
import { type Account, hashOf } from '../../../src/contract/account.js'
import { issueKey, revokeKey } from '../../../src/contract/accounts.js'
import { Archive } from '../../../src/markets/archive/archive.js'
import type { RedisAddress } from '../../../src/store/address.js'
import { parseStoreAddress } from '../../../src/store/address.js'
import { openRedisStore, type RedisStore } from '../../../src/store/redis/redis-store.js'
import { listSeries } from '../../support/archived-series.js'
import { needs } from '../../support/needs.js'
import {
  isRedisAvailable,
  type RedisServer,
  startCluster,
  startRedis,
  startReplica,
  startSentinel,
} from '../../support/redis-server.js'
import { candleAt } from '../../support/scripted-source.js'

const account = { id: 'a', requests: 2, subscriptions: 3 } as Account
const noon = 1_750_248_000
/** Enough names that each of the three servers has keys, and several names share a server. */
const names = Array.from({ length: 30 }, (_, at) => `x:S${at}USDT:1m`)
const candles = Array.from({ length: 20 }, (_, at) => candleAt(noon + 60 * at))
const bytesOf = (text: string) => Buffer.from(text)
const until = (condition: () => void) => vi.waitFor(condition, { timeout: 15_000, interval: 20 })

async function open(url: string): Promise<RedisStore> {
  // However busy this machine is.
  const store = openRedisStore(parseStoreAddress(`${url}?timeout=10000`) as RedisAddress, {
    followerDelayMs: 0,
  })
  await store.ready()
  return store
}

const candlesOf = (archive: Archive, name: string): Candle[] => {
  const read = archive.read(name)
  return Array.from({ length: read?.closed ?? 0 }, (_, at) => read?.columns.read(at) as Candle)
}

/** Uses that every form of Redis supports for two nodes, for many accounts and series at once. */
const uses: readonly [what: string, use: (one: RedisStore, two: RedisStore) => Promise<void>][] = [
  [
    'accounts',
    async (one, two) => {
      const { key, account: issued } = await issueKey(one.accounts, { name: 'me', plan: 'pro' }, 1)
      expect(await two.accounts.find(hashOf(key))).toEqual(issued)
      expect(await revokeKey(two.accounts, issued.id, 5)).toMatchObject({ revoked: 5 })
    },
  ],
  [
    'windows',
    async (one, two) => {
      const takes = [0, 1, 2].flatMap(at =>
        names.map(id => ([one, two][at % 2] as RedisStore).rateWindows.take({ ...account, id })),
      )
      const taken = await Promise.all(takes)
      expect(taken.filter(({ allowed }) => allowed)).toHaveLength(2 * names.length)
      await two.rateWindows.take({ ...account, id: 'later' })
      expect(await one.rateWindows.take({ ...account, id: 'later' })).toMatchObject({ remaining: 0 })
    },
  ],
  [
    'subscriptions',
    async (one, two) => {
      for (const id of names) {
        const small = { ...account, id, subscriptions: 1 }
        expect(await one.subscriptions.reserve(small, 'x')).toBeUndefined()
        expect(await two.subscriptions.reserve(small, 'x')).toBe('plan')
      }
    },
  ],
  [
    'pending questions',
    async (one, two) => {
      for (const name of names) await one.freeRetries.add(name)
      for (const name of names) {
        await until(() => expect(two.freeRetries.isEmpty()).toBe(false))
        await expect.poll(() => two.freeRetries.take(name), { timeout: 15_000 }).toBe(true)
        expect(await one.freeRetries.take(name)).toBe(false)
      }
    },
  ],
  [
    'candles',
    async (one, two) => {
      const [from, to] = [one, two].map(
        ({ keyValues, journal }) => new Archive(keyValues, { depth: 100, journal }),
      ) as [Archive, Archive]
      await Promise.all(names.map(name => to.prepare(name)))
      for (const name of names) from.write(name, candles)
      from.flush()
      await one.keyValues.flush?.()
      for (const name of names) await until(() => expect(candlesOf(to, name)).toEqual(candles))
      await to.prepareList()
      expect(
        listSeries(to)
          .map(({ key }) => key)
          .sort(),
      ).toEqual([...names].sort())
    },
  ],
  [
    'fetches',
    async (one, two) => {
      let fetched = 0
      const fetch = ({ cluster }: RedisStore, name: string) =>
        cluster.fetches.fetch(name, { maxAgeMs: 60_000, depth: 1, keepMs: 60_000 }, async () => {
          fetched++
          return { bytes: bytesOf(name), isFailure: false }
        })
      const answers = await Promise.all(names.flatMap(name => [fetch(one, name), fetch(two, name)]))
      expect(fetched).toBe(names.length)
      const texts = answers.flatMap(answer => (answer ? [Buffer.from(answer.bytes).toString()] : []))
      expect(texts.sort()).toEqual([...names].sort())
    },
  ],
  [
    'streams',
    async (one, two) => {
      const got = new Map(names.map(name => [name, [] as string[]]))
      const held = await Promise.all(
        names.map(name => one.cluster.streams.join(name, { onEvent() {}, onLost() {} })),
      )
      await Promise.all(
        names.map(name =>
          two.cluster.streams.join(name, {
            onEvent: bytes => got.get(name)?.push(Buffer.from(bytes).toString()),
            onLost: reason => got.get(name)?.push(reason),
          }),
        ),
      )
      for (let number = 0; number < 3; number++)
        for (const stream of held)
          if (stream !== 'no stream' && stream.kind === 'held') void stream.append(bytesOf(String(number)))
      for (const name of names) await until(() => expect(got.get(name)).toEqual(['0', '1', '2']))
    },
  ],
]

function isUsed(form: string, start: () => Promise<{ readonly url: string; close(): Promise<void> }>): void {
  describe.skipIf(!isRedisAvailable)(`two nodes share through ${form}`, needs('redis-server'), () => {
    let engine: Awaited<ReturnType<typeof start>>
    let nodes: readonly [RedisStore, RedisStore]
    beforeAll(async () => {
      engine = await start()
      nodes = [await open(engine.url), await open(engine.url)]
    }, 60_000)
    afterAll(async () => {
      for (const node of nodes) await node.close()
      await engine.close()
    })

    it.each(uses)('%s', async (_, use) => {
      await use(...nodes)
      for (const { clusterState } of nodes) expect(clusterState.isUp).toBe(true)
    })
  })
}

isUsed('a cluster of three servers', () => startCluster(3))
isUsed('a sentinel', async () => {
  const server = await startRedis()
  const sentinel = await startSentinel(server)
  return {
    url: sentinel.url,
    async close() {
      await sentinel.close()
      await server.close()
    },
  }
})

describe.skipIf(!isRedisAvailable)('a server that fails under load', needs('redis-server'), () => {
  let master: RedisServer
  let replica: RedisServer
  let sentinel: Awaited<ReturnType<typeof startSentinel>>
  beforeAll(async () => {
    master = await startRedis()
    replica = await startReplica(master)
    sentinel = await startSentinel(master, 1)
  }, 60_000)
  afterAll(async () => {
    await sentinel.close()
    await Promise.all([master.close(), replica.close()])
  })

  it('is replaced by its replica, which the nodes find, with accounts, windows and candles', async () => {
    const nodes = [await open(sentinel.url), await open(sentinel.url)] as const
    const [one, two] = nodes
    const { key, account: issued } = await issueKey(one.accounts, { name: 'me', plan: 'pro' }, 1)
    const archives = nodes.map(({ keyValues, journal }) => new Archive(keyValues, { depth: 1000, journal }))
    const busy = { ...account, id: 'busy', requests: 1e9 }
    let written = 0
    let answered = 0
    let isEnded = false
    const load = nodes.map(async ({ rateWindows }) => {
      while (!isEnded) {
        expect((await rateWindows.take(busy)).allowed).toBe(true)
        answered++
        await new Promise(setImmediate)
      }
    })
    const writing = (async () => {
      for (; !isEnded; written++) {
        for (const archive of archives) archive.enqueue(names[0] as string, [candleAt(noon + 60 * written)])
        for (const archive of archives) archive.flush()
        await new Promise(resolve => setTimeout(resolve, 20))
      }
    })()
    try {
      await until(() => expect(written).toBeGreaterThan(10))
      await master.kill()
      await until(() => expect([one.clusterState.isUp, two.clusterState.isUp]).toEqual([false, false]))
      const before = answered
      await until(() => expect(answered, 'requests are answered meanwhile').toBeGreaterThan(before + 100))
      await sentinel.promote(replica)
      await until(() => expect([one.clusterState.isUp, two.clusterState.isUp]).toEqual([true, true]))
      const wanted = written + 10
      await until(() => expect(written).toBeGreaterThan(wanted))
    } finally {
      isEnded = true
      await Promise.all([...load, writing])
    }
    for (const { keyValues } of nodes) await keyValues.flush?.()
    const late = await open(sentinel.url)
    try {
      expect(await late.accounts.find(hashOf(key))).toEqual(issued)
      const archive = new Archive(late.keyValues, { depth: 1000, journal: late.journal })
      await archive.prepare(names[0] as string)
      const expected = Array.from({ length: written }, (_, at) => candleAt(noon + 60 * at))
      expect(candlesOf(archive, names[0] as string)).toEqual(expected)
      expect(await one.rateWindows.take(account)).toMatchObject({ allowed: true, remaining: 1 })
      expect(await two.rateWindows.take(account)).toMatchObject({ allowed: true, remaining: 0 })
      expect(await late.rateWindows.take(account)).toMatchObject({ allowed: false })
    } finally {
      for (const node of [...nodes, late]) await node.close()
    }
  })
})
