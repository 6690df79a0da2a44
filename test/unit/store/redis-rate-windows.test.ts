import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseRedisAddress, type RedisAddress } from '../../../src/store/redis/address.js'
import { createRedisClient, type RedisClient } from '../../../src/store/redis/redis-client.js'
import { windowKeyOf } from '../../../src/store/redis/redis-rate-windows.js'
import { openRedisStore, type RedisStore } from '../../../src/store/redis/redis-store.js'
import type { Account } from '../../../src/store/store.js'
import { isRedisAvailable, type RedisServer, startRedis } from '../../support/redis-server.js'

const account = { id: 'a', requests: 5 } as Account
const key = windowKeyOf('a')
/** Nodes hear of each other by heartbeats, which are as far apart as `expect.poll` waits unless it is told otherwise. */
const patient = { timeout: 10_000 }

let server: RedisServer
let address: RedisAddress
let bare: RedisClient
let places = 0
let ahead: number
let stores: RedisStore[]

beforeAll(async () => {
  if (isRedisAvailable) server = await startRedis()
})
afterAll(async () => server?.close())
beforeEach(async () => {
  // However busy this machine is.
  address = parseRedisAddress(`${server.url}?prefix=windows${places++}:&timeout=10000`) as RedisAddress
  bare = createRedisClient(address)
  await bare.connect()
  ahead = 0
  stores = []
})
afterEach(async () => {
  bare.disconnect()
  await Promise.all(stores.map(store => store.close()))
})

async function open(): Promise<RedisStore> {
  const store = openRedisStore(address, { clock: () => Math.floor(performance.now()) + ahead })
  stores.push(store)
  await store.ready()
  return store
}

/** Takes requests of the account at a node; how many are allowed. */
async function take({ rateWindows }: RedisStore, count: number, of = account): Promise<number> {
  let allowed = 0
  for (let at = 0; at < count; at++) if ((await rateWindows.take(of)).allowed) allowed++
  return allowed
}
/** Takes requests that must be answered at once; how many are allowed. */
function takeAtOnce({ rateWindows }: RedisStore, count: number): number {
  const uses = Array.from({ length: count }, () => rateWindows.take(account))
  for (const use of uses) expect(use).not.toBeInstanceOf(Promise)
  return uses.filter(use => 'allowed' in use && use.allowed).length
}

describe.skipIf(!isRedisAvailable)('the windows of an account that one node alone is asked for', () => {
  it('are counted without asking from the second request on, and so are refusals and later windows', async () => {
    const store = await open()
    const first = store.rateWindows.take(account)
    expect(first).toBeInstanceOf(Promise)
    // The node counts by itself from the answer on, which another connection may overtake.
    expect(await first).toMatchObject({ allowed: true, remaining: 4 })
    expect(await bare.hget(key, 'owner')).not.toBeNull()
    expect(takeAtOnce(store, 20)).toBe(4)
    for (let window = 0; window < 3; window++) {
      ahead += 15_000
      expect(store.rateWindows.peek(account)).toMatchObject({ allowed: true, remaining: 5, reset: 15 })
      expect(takeAtOnce(store, 20)).toBe(5)
      expect(store.rateWindows.peek(account)).toMatchObject({ allowed: true, remaining: 0, reset: 15 })
    }
  })

  it('are given to another node that asks, with what was counted', async () => {
    const [one, two] = [await open(), await open()]
    expect(await take(one, 2)).toBe(2)
    expect(takeAtOnce(one, 1)).toBe(1)
    expect(await two.rateWindows.take(account)).toMatchObject({ allowed: true, remaining: 1 })
    expect((await take(one, 3)) + (await take(two, 3)), 'one was left').toBe(1)
  })

  it('are given to another node that asks what is left', async () => {
    const [one, two] = [await open(), await open()]
    expect(await take(one, 3)).toBe(3)
    expect(await two.rateWindows.peek(account)).toMatchObject({ allowed: true, remaining: 2 })
  })

  it('are given back with a request that is taken off the count later', async () => {
    const [one, two] = [await open(), await open()]
    const use = await one.rateWindows.take({ ...account, requests: 1 })
    expect(await take(two, 1, { ...account, requests: 1 })).toBe(0)
    one.rateWindows.refund(account, use)
    await expect.poll(() => take(two, 1, { ...account, requests: 1 }), patient).toBe(1)
  })

  it('are given back by a node that ends', async () => {
    const [one, two] = [await open(), await open()]
    expect(await take(one, 3)).toBe(3)
    await one.close()
    stores.shift()
    expect(await bare.hget(key, 'owner')).toBeNull()
    expect(await take(two, 5)).toBe(2)
  })

  it('begin anew at another node when theirs is taken for dead, which does not count by itself any more', async () => {
    const [one, two] = [await open(), await open()]
    expect(await take(one, 5)).toBe(5)
    const owner = (await bare.hget(key, 'owner')) as string
    expect(await take(two, 1), 'it does not answer, but may count').toBe(0)
    await bare.hset(key, { owner, since: 1 })
    await bare.zadd('nodes', 1, owner)
    await expect.poll(() => take(two, 1), patient).toBe(1)
    await expect.poll(() => one.rateWindows.take(account) instanceof Promise, patient).toBe(true)
    expect((await take(one, 5)) + (await take(two, 5))).toBeLessThanOrEqual(4)
  })

  it('are counted by each of two nodes with the engine, and by one alone a minute after the other was asked', async () => {
    const [one, two] = [await open(), await open()]
    expect([await take(one, 1), await take(two, 1)]).toEqual([1, 1])
    ahead += 15_000
    await bare.hincrby(key, 'ends', -15_000)
    expect(await take(one, 1)).toBe(1)
    expect(await bare.hget(key, 'owner')).toBeNull()
    ahead += 15_000
    await bare.hincrby(key, 'ends', -15_000)
    await bare.hincrby(key, 'shared', -60_000)
    expect(await take(one, 1)).toBe(1)
    expect(takeAtOnce(one, 20)).toBe(4)
  })

  it('are counted exactly while nodes take them from each other', async () => {
    const nodes = [await open(), await open(), await open()]
    for (let round = 0; round < 20; round++) {
      const one = { id: `r${round}`, requests: 30 } as Account
      const counts = await Promise.all(nodes.map((node, at) => take(node, 20 + at, one)))
      expect(counts.reduce((sum, count) => sum + count)).toBe(30)
    }
  })
})
