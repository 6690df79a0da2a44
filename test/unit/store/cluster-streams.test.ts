import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FollowedStream, HeldStream } from '../../../src/contract/storage/cluster.js'
import { parseRedisAddress, type RedisAddress } from '../../../src/store/address.js'
import { keysOf } from '../../../src/store/redis/leases.js'
import { createRedisClient, type RedisClient } from '../../../src/store/redis/redis-client.js'
import { openRedisStore, type RedisStore } from '../../../src/store/redis/redis-store.js'
import { needs } from '../../support/needs.js'
import { isRedisAvailable, type RedisServer, startRedis } from '../../support/redis-server.js'

const name = 'x:BTCUSDT:1m'
const bytesOf = (text: string) => Buffer.from(text)

let server: RedisServer
let address: RedisAddress
let client: RedisClient
let places = 0
const stores: RedisStore[] = []

beforeAll(async () => {
  if (isRedisAvailable) server = await startRedis()
})
afterAll(async () => server?.close())
beforeEach(async () => {
  // However busy this machine is.
  address = parseRedisAddress(`${server.url}?prefix=streams${places++}:&timeout=10000`) as RedisAddress
  client = createRedisClient(address)
  await client.connect()
})
afterEach(async () => {
  client.disconnect()
  await Promise.all(stores.splice(0).map(store => store.close()))
})

/** A node whose leases last longer than any test: nothing happens by the time that passes. */
async function join() {
  const store = openRedisStore(address, { copyBytes: 1e6, leaseMs: 60_000 })
  stores.push(store)
  await store.ready()
  const events: string[] = []
  const losses: string[] = []
  const stream = await store.cluster.streams.join(name, {
    onEvent: bytes => events.push(Buffer.from(bytes).toString()),
    onLost: reason => losses.push(reason),
  })
  return { stream: stream as HeldStream | FollowedStream, events, losses }
}
const append = ({ stream }: { readonly stream: HeldStream | FollowedStream }, text: string) =>
  stream.kind === 'held' ? stream.append(bytesOf(text)) : Promise.reject(new Error('it is followed'))
const until = (condition: () => void) => vi.waitFor(condition, { timeout: 8000, interval: 5 })

describe.skipIf(!isRedisAvailable)('a shared stream', needs('redis-server'), () => {
  it('is held by one node, and begins for the others with its last event', async () => {
    const one = await join()
    await append(one, 'a')
    await append(one, 'b')
    const two = await join()
    expect([one.stream.kind, two.stream.kind]).toEqual(['held', 'followed'])
    await append(one, 'c')
    await until(() => expect(two.events).toEqual(['b', 'c']))
    expect(one.events).toEqual([])
  })

  it('takes no event of a node whose lease another one has', async () => {
    const stalled = await join()
    await append(stalled, 'a')
    // As its lease ends while it stalls.
    await client.del(keysOf(name).lease)
    const holder = await join()
    expect(holder.stream.kind).toBe('held')
    await append(holder, 'b')
    const follower = await join()
    await append(stalled, 'late')
    expect(stalled.losses).toHaveLength(1)
    await append(holder, 'c')
    await until(() => expect(follower.events).toEqual(['b', 'c']))
    expect(await client.xlen(keysOf(name).of('events'))).toBe(2)
    expect([holder.losses, follower.losses]).toEqual([[], []])
  })

  it('is lost for those who follow it when another node has opened it', async () => {
    const one = await join()
    const two = await join()
    await append(one, 'a')
    await until(() => expect(two.events).toEqual(['a']))
    await client.del(keysOf(name).lease)
    const three = await join()
    await append(three, 'b')
    await until(() => expect(two.losses).toHaveLength(1))
    expect(two.events).toEqual(['a'])
  })

  it('is not asked for again where a node has found that there is none', async () => {
    const one = await join()
    if (one.stream.kind === 'held') one.stream.end('no stream')
    await until(async () => expect((await join()).stream).toBe('no stream'))
  })
})
