import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createRandom } from '../../../bench/random.js'
import type { Account } from '../../../src/contract/account.js'
import { parseRedisAddress, type RedisAddress } from '../../../src/store/address.js'
import { windowKeyOf } from '../../../src/store/redis/redis-bounds.js'
import { createRedisClient, type RedisClient } from '../../../src/store/redis/redis-client.js'
import { openRedisStore, type RedisStore } from '../../../src/store/redis/redis-store.js'
import { needs } from '../../support/needs.js'
import { isRedisAvailable, type RedisServer, startRedis } from '../../support/redis-server.js'

const account = { id: 'a', requests: 5 } as Account
const key = windowKeyOf('a')
const root = fileURLToPath(new URL('../../..', import.meta.url))

let server: RedisServer
let address: RedisAddress
let bare: RedisClient
let places = 0
let stores: RedisStore[]
let children: ChildProcess[]

beforeAll(async () => {
  if (isRedisAvailable) server = await startRedis()
})
afterAll(async () => server?.close())
beforeEach(async () => {
  // However busy this machine is.
  address = parseRedisAddress(`${server.url}?prefix=windows${places++}:&timeout=10000`) as RedisAddress
  bare = createRedisClient(address)
  await bare.connect()
  stores = []
  children = []
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  bare.disconnect()
  await Promise.all(stores.map(store => store.close()))
})

async function open(): Promise<RedisStore> {
  const store = openRedisStore(address)
  stores.push(store)
  await store.ready()
  return store
}

/** Takes requests of an account at a node, one after the other; how many are allowed. */
async function take({ rateWindows }: RedisStore, count: number, of = account): Promise<number> {
  let allowed = 0
  for (let at = 0; at < count; at++) if ((await rateWindows.take(of)).allowed) allowed++
  return allowed
}

describe.skipIf(!isRedisAvailable)(
  'the window of an account that several nodes count',
  needs('redis-server'),
  () => {
    it('is one for all of them, for requests, for what is left and for requests that are taken off', async () => {
      const [one, two] = [await open(), await open()]
      expect([await take(one, 2), await take(two, 1)]).toEqual([2, 1])
      expect(await two.rateWindows.peek(account)).toMatchObject({ allowed: true, remaining: 2 })
      const use = await one.rateWindows.take(account)
      expect((await take(one, 3)) + (await take(two, 3)), 'one was left').toBe(1)
      expect(one.rateWindows.refund(account, use)).toMatchObject({ remaining: 2 })
      await expect.poll(() => two.rateWindows.peek(account)).toMatchObject({ remaining: 1 })
      expect((await take(two, 2)) + (await take(one, 2))).toBe(1)
    })

    it('is exact whatever number of requests arrives at whichever node, with requests that are taken off', async () => {
      const random = createRandom(20_261_124)
      const below = (limit: number) => Math.floor(random() * limit)
      const nodes = [await open(), await open(), await open()]
      for (let round = 0; round < 40; round++) {
        const one = { id: `r${round}`, requests: 1 + below(40) } as Account
        let allowed = 0
        for (let step = 0; step < 6; step++) {
          const uses = await Promise.all(
            Array.from({ length: below(30) }, async () => {
              const { rateWindows } = nodes[below(3)] as RedisStore
              return { rateWindows, use: await rateWindows.take(one) }
            }),
          )
          const granted = uses.filter(({ use }) => use.allowed)
          expect(granted).toHaveLength(Math.min(uses.length, one.requests - allowed))
          const left = granted.map(({ use }) => use.remaining).sort((a, b) => b - a)
          expect(left, 'each number of requests left is shown once').toEqual(
            granted.map((_, at) => one.requests - allowed - 1 - at),
          )
          allowed += granted.length
          for (const { rateWindows, use } of granted.slice(0, below(granted.length + 1))) {
            rateWindows.refund(one, use)
            allowed--
          }
          // Until the refunds of all nodes have arrived.
          for (const { rateWindows } of nodes) await rateWindows.peek(one)
          expect(await nodes[0]?.rateWindows.peek(one)).toMatchObject({ remaining: one.requests - allowed })
        }
      }
    })

    it('goes on at the other nodes when one is killed, and refuses no request because of that', async () => {
      const program = `
      import { openRedisStore } from '#dist/store/redis/redis-store.js'
      const store = openRedisStore(${JSON.stringify(address)})
      await store.ready()
      for (let at = 0; at < 3; at++) await store.rateWindows.take(${JSON.stringify(account)})
      console.log('ready')
      setInterval(() => store.rateWindows.peek(${JSON.stringify(account)}), 1)`
      const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      children.push(child)
      const one = await open()
      await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line')
      child.kill('SIGKILL')
      await once(child, 'exit')
      expect(await one.rateWindows.take(account)).toMatchObject({ allowed: true, remaining: 1 })
      expect(await take(one, 3)).toBe(1)
    })

    it('begins anew where it has ended, and where it ends later than any window can', async () => {
      const one = await open()
      expect(await take(one, 6)).toBe(5)
      await bare.hincrby(key, 'ends', -15_000)
      expect(await one.rateWindows.peek(account)).toMatchObject({ remaining: 5, reset: 15 })
      expect(await take(one, 6)).toBe(5)
      await bare.hincrby(key, 'ends', 3_600_000)
      expect(await one.rateWindows.take(account)).toMatchObject({ allowed: true, remaining: 4, reset: 15 })
    })

    it('leaves nothing behind in Redis once it has ended', async () => {
      const one = await open()
      await take(one, 2)
      const ms = await bare.pttl(key)
      expect(ms).toBeGreaterThan(0)
      expect(ms).toBeLessThanOrEqual(15_000)
      await one.rateWindows.peek({ ...account, id: 'other' })
      expect(await bare.exists(windowKeyOf('other')), 'a request that costs nothing opens no window').toBe(0)
    })
  },
)

describe.skipIf(!isRedisAvailable)('a Redis that is stopped and started again', needs('redis-server'), () => {
  it('is counted without meanwhile, and with afterwards: no request is refused because of it', async () => {
    const own = await startRedis(['--appendonly', 'yes', '--appendfsync', 'always'])
    const busy = { id: 'busy', requests: 1_000_000 } as Account
    try {
      address = parseRedisAddress(`${own.url}?timeout=1000`) as RedisAddress
      const nodes = [await open(), await open()]
      let answered = 0
      let isEnded = false
      const load = nodes.map(async ({ rateWindows }) => {
        while (!isEnded) {
          expect((await rateWindows.take(busy)).allowed).toBe(true)
          answered++
          await new Promise(setImmediate)
        }
      })
      const more = async (count: number) => {
        const wanted = answered + count
        await expect.poll(() => answered, { timeout: 10_000 }).toBeGreaterThan(wanted)
      }
      const areUp = () => nodes.map(({ clusterState }) => clusterState.isUp)
      try {
        await more(50)
        await own.kill()
        await expect.poll(areUp, { timeout: 10_000 }).toEqual([false, false])
        await more(50)
        await own.restart()
        await expect.poll(areUp, { timeout: 20_000 }).toEqual([true, true])
        await more(50)
      } finally {
        isEnded = true
        await Promise.all(load)
      }
      const [one, two] = nodes as [RedisStore, RedisStore]
      expect([await take(one, 3), await take(two, 3)]).toEqual([3, 2])
    } finally {
      await Promise.all(stores.splice(0).map(store => store.close()))
      await own.close()
    }
  })
})
