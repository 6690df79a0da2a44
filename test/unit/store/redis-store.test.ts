import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Account, hashOf } from '../../../src/contract/account.js'
import { issueKey, revokeKey } from '../../../src/contract/accounts.js'
import { type Store, StoreAway, StoreFailure } from '../../../src/contract/storage/stores.js'
import {
  describeAddress,
  parseRedisAddress,
  parseStoreAddress,
  type RedisAddress,
  type StoreAddress,
} from '../../../src/store/address.js'
import { openStore } from '../../../src/store/open.js'
import { createRedisClient, type RedisClient } from '../../../src/store/redis/redis-client.js'
import { needs } from '../../support/needs.js'
import { confirmStore, isRedisAvailable, type RedisServer, startRedis } from '../../support/redis-server.js'
import { freePort } from '../../support/service-process.js'

const open = async (
  url: string,
  options: Parameters<typeof openStore>[1] = {},
  dataDirectory = '',
): Promise<Store> => {
  const store = openStore({ store: parseStoreAddress(url) as StoreAddress, dataDirectory }, options)
  try {
    await store.ready()
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}
const account = { id: 'a', requests: 2, subscriptions: 3 } as Account
/** Nodes hear of each other by heartbeats, which are as far apart as `expect.poll` waits unless it is told otherwise. */
const patient = { timeout: 10_000 }

it('an address is shown without its password', () => {
  const shown = (text: string) => describeAddress(parseRedisAddress(text) as RedisAddress)
  expect(shown('rediss://me:secret@h:1/3')).toBe('rediss://h:1/3')
  expect(shown('redis+sentinel://:secret@[::1]:5,b/main')).toBe('redis+sentinel://[::1]:5,b:26379/main')
  expect(shown('redis+cluster://:secret@a,b')).toBe('redis+cluster://a:6379,b:6379')
  expect(shown('unix://me:secret@/run/redis.sock?db=2&prefix=a:')).toBe('unix:///run/redis.sock?db=2')
})

it('a store that cannot be reached is a failure that names it', async () => {
  const port = await freePort()
  const file = join(tmpdir(), 'candela-no-such.sock')
  const failure = (reason: string) => new StoreFailure(`Cannot use the shared store at ${reason}`)
  await Promise.all([
    expect(open(`redis://:secret@127.0.0.1:${port}`)).rejects.toThrow(
      failure(`redis://127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}`),
    ),
    expect(open(`unix://me:secret@${file}?prefix=a:`)).rejects.toThrow(
      failure(`unix://${file}: connect ENOENT ${file}`),
    ),
  ])
}, 20_000)

describe.skipIf(!isRedisAvailable)('a shared store', needs('redis-server'), () => {
  let server: RedisServer
  /** A command may take as long as a busy machine needs. */
  const patientUrl = () => `${server.url}?timeout=10000`
  let socket: string
  let bare: RedisClient
  let store: Store
  let other: Store

  beforeAll(async () => {
    socket = join(mkdtempSync(join(tmpdir(), 'candela-socket-')), 'redis.sock')
    server = await startRedis(['--appendonly', 'yes', '--appendfsync', 'always', '--unixsocket', socket])
    bare = createRedisClient(parseRedisAddress(`${server.url}?prefix=candela:`) as RedisAddress)
    await bare.connect()
  })
  afterAll(async () => {
    bare.disconnect()
    await server.close()
    rmSync(dirname(socket), { recursive: true })
  })
  beforeEach(async () => {
    await bare.flushall()
    store = await open(patientUrl())
    other = await open(patientUrl())
  })
  afterEach(() => Promise.all([store.close(), other.close()]))

  /** Subscriptions of the account: one number for each node. */
  const held = async () => Object.values(await bare.hgetall('subscriptions:{a}')).map(Number)
  /** Makes the nodes that have registered so far look as if they had not been heard of for ten seconds. */
  const silence = async (...nodes: string[]) => {
    for (const node of nodes) await bare.zincrby('nodes', -10_000, node)
  }

  it('is the same at a unix socket', async () => {
    const near = await open(`unix://${socket}`)
    try {
      const { key, account: issued } = await issueKey(near.accounts, { name: 'me', plan: 'pro' }, 1)
      expect(await store.accounts.find(hashOf(key))).toEqual(issued)
    } finally {
      await near.close()
    }
  })

  it('drops what a node held that does not live any more', async () => {
    for (const topic of ['x', 'y', 'z']) await other.subscriptions.reserve(account, topic)
    expect(await store.subscriptions.reserve(account, 'x')).toBe('plan')
    const [dead] = Object.keys(await bare.hgetall('subscriptions:{a}'))
    await other.close()
    await silence(dead as string)
    await expect.poll(() => store.subscriptions.reserve(account, 'x'), patient).toBeUndefined()
    expect(await held()).toEqual([1])
  })

  it('counts again what a node holds that was taken for dead', async () => {
    await store.subscriptions.reserve(account, 'x')
    await store.subscriptions.reserve(account, 'y')
    const [before] = Object.keys(await bare.hgetall('subscriptions:{a}'))
    await silence(before as string)
    await expect
      .poll(async () => Object.keys(await bare.hgetall('subscriptions:{a}')), patient)
      .not.toContain(before)
    await expect.poll(held, patient).toEqual([2])
    expect(await other.subscriptions.reserve(account, 'x')).toBeUndefined()
    expect(await other.subscriptions.reserve(account, 'x')).toBe('plan')
  })

  describe('that has lost its data', () => {
    /** Contents of the server, to be written back after a loss. */
    const dump = async () => {
      const keys = (await bare.keys('candela:*')).map(key => key.slice('candela:'.length))
      return Promise.all(keys.map(async key => [key, await bare.dumpBuffer(key)] as const))
    }
    const restore = async (entries: Awaited<ReturnType<typeof dump>>) => {
      for (const [key, value] of entries) await bare.restore(key, 0, value as Buffer, 'REPLACE')
    }
    const confirm = () => confirmStore(parseRedisAddress(server.url) as RedisAddress)
    const lose = async () => {
      await bare.flushall()
      for (const node of [store, other])
        await expect.poll(() => node.clusterState?.isLost, patient).toBe(true)
    }

    it('knows no unknown keys, and keeps those that are known, until the data are back', async () => {
      const { key, account: issued } = await issueKey(store.accounts, { name: 'me', plan: 'pro' }, 1)
      const { key: unused } = await issueKey(store.accounts, { name: 'you', plan: 'pro' }, 1)
      expect(await other.accounts.find(hashOf(key))).toEqual(issued)
      const before = await dump()
      await bare.flushall()
      // From the first question on, not only from the next heartbeat.
      await expect(other.accounts.find(hashOf(unused))).rejects.toThrow(StoreAway)
      expect(other.clusterState).toMatchObject({ isUp: false, isLost: true })
      await expect.poll(() => store.clusterState?.isLost, patient).toBe(true)
      expect(await other.accounts.find(hashOf(key))).toEqual(issued)
      await expect(issueKey(other.accounts, { name: 'x', plan: 'pro' }, 1)).rejects.toThrow(
        new StoreFailure(
          'Cannot write accounts: the shared store has lost its data; restore its data, or run "candela store confirm" where it is meant to be as it is',
        ),
      )
      await expect(other.alerts.list()).rejects.toThrow(StoreFailure)
      expect(await bare.exists('{accounts}'), 'nothing is written into it').toBe(0)

      await restore(before)
      for (const node of [store, other]) await expect.poll(() => node.clusterState?.isUp, patient).toBe(true)
      expect(other.clusterState?.isLost).toBe(false)
      for (const each of [key, unused]) expect(await other.accounts.find(hashOf(each))).toBeDefined()
      expect(await other.accounts.find(hashOf('unknown'))).toBeUndefined()
    })

    it('is told what the nodes hold, and knows no accounts, once that is confirmed', async () => {
      const { key } = await issueKey(store.accounts, { name: 'me', plan: 'pro' }, 1)
      expect(await other.accounts.find(hashOf(key))).toBeDefined()
      await store.subscriptions.reserve(account, 'x')
      await lose()
      await confirm()
      await expect.poll(held, patient).toEqual([1])
      await expect.poll(() => other.accounts.find(hashOf(key)), patient).toBeUndefined()
      expect(await other.accounts.addFirst('f'.repeat(64), account)).toBe(true)
    })

    it('is refused to a node that starts beside others, or that has used it before', async () => {
      const dataDirectory = mkdtempSync(join(tmpdir(), 'candela-'))
      const lost = new StoreFailure(
        `Cannot use the shared store at ${server.url}: it has lost its data; restore its data, or run "candela store confirm" where it is meant to be as it is`,
      )
      try {
        await (await open(server.url, { exclusive: true }, dataDirectory)).close()
        await lose()
        await expect(open(server.url), 'others have said so').rejects.toThrow(lost)
        await Promise.all([store.close(), other.close()])
        await bare.flushall()
        await expect(open(server.url, {}, dataDirectory), 'it remembers').rejects.toThrow(lost)
        await bare.flushall()
        // A node without a memory treats the store as a new one. Nodes that remember the old store treat it as another one.
        store = await open(server.url)
        await expect(open(server.url, {}, dataDirectory)).rejects.toThrow(
          /: its data are those of another installation; restore its data, or run "candela store confirm"/,
        )
        await confirm()
        other = await open(server.url, {}, dataDirectory)
      } finally {
        rmSync(dataDirectory, { recursive: true })
      }
    })
  })

  it('is refused where its data have another format, and left as it is', async () => {
    await Promise.all([store.close(), other.close()])
    const id = (await bare.hget('{accounts}:installation', 'id'))?.split(' ')[0] as string
    for (const [stamp, format] of [
      [id, 'of an earlier version'],
      [`${id} 4`, '4'],
    ] as const) {
      await bare.hset('{accounts}:installation', 'id', stamp)
      await expect(open(server.url)).rejects.toThrow(
        new StoreFailure(
          `Cannot use the shared store at ${server.url}: its data have the format ${format}, and this version reads format 3: use the version that wrote them, or an empty Redis`,
        ),
      )
      expect(await bare.hget('{accounts}:installation', 'id')).toBe(stamp)
    }
    await bare.hset('{accounts}:installation', 'id', `${id} 3`)
    store = await open(patientUrl())
    other = await open(patientUrl())
  })

  it('asks once for an account that many look up, and again for the next', async () => {
    const { key, account: issued } = await issueKey(store.accounts, { name: 'me', plan: 'pro' }, 1)
    const lookups = [other.accounts.find(hashOf(key)), other.accounts.find(hashOf(key))]
    expect(lookups[0]).toBeInstanceOf(Promise)
    expect(lookups[1]).toBe(lookups[0])
    expect(await lookups[0]).toEqual(issued)
    expect(await other.accounts.find(hashOf('unknown'))).toBeUndefined()
    await revokeKey(store.accounts, issued.id, 2)
    expect(await other.accounts.find(hashOf(key))).toMatchObject({ revoked: 2 })
  })

  it('that cannot be reached leaves the known accounts, and says of others that it cannot tell', async () => {
    const { key, account: issued } = await issueKey(store.accounts, { name: 'me', plan: 'pro' }, 1)
    await other.accounts.find(hashOf(key))
    await server.kill()
    try {
      await expect.poll(() => other.clusterState?.isUp, patient).toBe(false)
      expect(other.accounts.find(hashOf(key))).toEqual(issued)
      await expect(other.accounts.find(hashOf('unknown'))).rejects.toThrow(StoreAway)
      await expect(issueKey(other.accounts, { name: 'x', plan: 'pro' }, 1)).rejects.toThrow(
        new StoreFailure('Cannot write accounts: the shared store does not answer'),
      )
      const uses = [1, 2, 3].map(() => other.rateWindows.take(account))
      expect(uses, 'counted by this node alone').toMatchObject([
        { allowed: true, remaining: 1 },
        { allowed: true, remaining: 0 },
        { allowed: false },
      ])
      expect(other.subscriptions.reserve(account, 'x')).toBeUndefined()
    } finally {
      const ready = new Promise(resolve => bare.once('ready', resolve))
      await server.restart()
      await ready
    }
    await expect.poll(() => other.clusterState?.isUp, patient).toBe(true)
    await expect.poll(held, { ...patient, message: 'what was counted alone is told' }).toEqual([1])
    expect(other.rateWindows.take(account)).toBeInstanceOf(Promise)
  })

  it('without the right password is refused at once', async () => {
    await bare.config('SET', 'requirepass', 'right')
    try {
      await expect(open(server.url)).rejects.toThrow(/^Cannot use the shared store at redis:\S+: NOAUTH/)
      await expect(open(server.url.replace('://', '://:wrong@'))).rejects.toThrow(/: WRONGPASS/)
      await (await open(server.url.replace('://', '://:right@'))).close()
    } finally {
      await bare.config('SET', 'requirepass', '')
    }
  })
})
