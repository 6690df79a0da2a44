import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Candle } from '../../../src/candles/candle.js'
import { StoreFailure } from '../../../src/contract/storage/stores.js'
import { Archive } from '../../../src/markets/archive/archive.js'
import { parseRedisAddress, type RedisAddress } from '../../../src/store/address.js'
import { createRedisClient, type RedisClient } from '../../../src/store/redis/redis-client.js'
import type { RedisKeyValueStore } from '../../../src/store/redis/redis-key-value-store.js'
import { openRedisStore, type RedisStore } from '../../../src/store/redis/redis-store.js'
import { listSeries } from '../../support/archived-series.js'
import { needs } from '../../support/needs.js'
import { confirmStore, isRedisAvailable, type RedisServer, startRedis } from '../../support/redis-server.js'
import { candleAt } from '../../support/scripted-source.js'

const key = 'x:BTCUSDT:1m'
const noon = 1_750_248_000

let server: RedisServer
let address: RedisAddress
let places = 0
const stores: RedisStore[] = []

beforeAll(async () => {
  if (isRedisAvailable) server = await startRedis()
})
afterAll(async () => server?.close())
beforeEach(() => {
  // However busy this machine is.
  address = parseRedisAddress(`${server.url}?prefix=keyValues${places++}:&timeout=10000`) as RedisAddress
})
afterEach(async () => {
  await Promise.all(stores.splice(0).map(store => store.close()))
})

async function open(options: Partial<Parameters<typeof openRedisStore>[1]> = {}) {
  const store = openRedisStore(address, { copyBytes: 1e7, followerDelayMs: 0, ...options })
  stores.push(store)
  await store.ready()
  const archive = new Archive(store.keyValues, { depth: 1000, journal: store.journal })
  await archive.prepare(key)
  const stored = async () => {
    archive.flush()
    await store.keyValues.flush?.()
  }
  return { store, archive, stored }
}

/** Closed candles of some minutes, counted from noon. */
const minutes = (from: number, to: number): Candle[] =>
  Array.from({ length: to - from }, (_, k) => candleAt(noon + 60 * (from + k)))
const candlesOf = (archive: Archive): Candle[] => {
  const read = archive.read(key)
  return Array.from({ length: read?.closed ?? 0 }, (_, at) => read?.columns.read(at) as Candle)
}
const patient = { timeout: 60_000, interval: 20 }
const until = (condition: () => void | Promise<void>) => vi.waitFor(condition, { timeout: 8000, interval: 5 })

describe.skipIf(!isRedisAvailable)('the archive of two nodes', needs('redis-server'), () => {
  it('has the candles of both where they write at the same time', async () => {
    const [one, two] = [await open(), await open()]
    one.archive.write(key, minutes(0, 300))
    two.archive.write(key, minutes(200, 600))
    await Promise.all([one.stored(), two.stored()])
    for (const { archive } of [one, two, await open()])
      await until(() => expect(candlesOf(archive)).toEqual(minutes(0, 600)))
  })

  it('shows a node what the other one has written, and says that the series has changed', async () => {
    const [one, two] = [await open(), await open()]
    one.archive.write(key, minutes(0, 10))
    await one.stored()
    await until(() => expect(candlesOf(two.archive)).toEqual(minutes(0, 10)))
    expect(two.archive.isChanged(key)).toBe(false)
    one.archive.write(key, minutes(10, 11))
    await until(() => expect(two.archive.isChanged(key)).toBe(true))
    expect(candlesOf(two.archive)).toEqual(minutes(0, 11))
  })

  it('does not count as changed where the other one has written the same', async () => {
    const [one, two] = [await open(), await open()]
    one.archive.write(key, minutes(0, 10))
    await one.stored()
    await until(() => expect(candlesOf(two.archive)).toEqual(minutes(0, 10)))
    for (const { archive } of [one, two]) {
      archive.enqueue(key, minutes(10, 11))
      // Both have the candle before either hears of the other's write.
      archive.flush()
    }
    await one.stored()
    await two.stored()
    expect([one.archive.isChanged(key), two.archive.isChanged(key)]).toEqual([false, false])
    expect(two.archive.info(key).revision).toBe(2)
  })

  describe('of which one has the stream of a series', () => {
    // The delay passes in virtual time only, so that no message is late, however busy the machine is.
    const followerDelayMs = 60_000
    const leaseMs = 3_600_000
    let client: RedisClient
    beforeEach(async () => {
      client = createRedisClient(address)
      await client.connect()
    })
    afterEach(() => {
      vi.useRealTimers()
      client.disconnect()
    })

    /** Number of accesses to the series (`hget`), and of messages about writes (`publish`). */
    async function used() {
      const info = await client.info('commandstats')
      const calls = (name: string) =>
        Number(new RegExp(`^cmdstat_${name}:calls=(\\d+)`, 'm').exec(info)?.[1] ?? 0)
      return { looks: calls('hget'), messages: calls('publish') }
    }
    async function openBoth() {
      const options = { followerDelayMs, leaseMs }
      const holder = await open(options)
      await holder.store.cluster.streams.join(key, { onEvent() {}, onLost() {} })
      holder.archive.write(key, minutes(0, 300))
      await holder.stored()
      const follower = await open(options)
      expect(candlesOf(follower.archive)).toEqual(minutes(0, 300))
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      return { holder, follower }
    }
    /** Lets the delay pass until a condition is met. */
    const untilFollowed = (condition: () => void) =>
      until(async () => {
        await vi.advanceTimersByTimeAsync(followerDelayMs)
        condition()
      })
    /** Lets the time pass after which the other node would write by itself. */
    const settled = async () => {
      await vi.advanceTimersByTimeAsync(1.5 * followerDelayMs)
      vi.useRealTimers()
    }

    type Node = Awaited<ReturnType<typeof open>>
    /** Publishes a message, and waits until a node has read it and all messages before it. */
    const heard = (sender: Node, receiver: Node) =>
      new Promise<void>(resolve => {
        receiver.store.alerts.listen(() => resolve())
        sender.store.alerts.send('last')
      })

    it.each(['before', 'after'])(
      'is read once by the one that writes the same %s it hears of it',
      async order => {
        const { holder, follower } = await openBoth()
        const before = await used()
        for (let minute = 300; minute < 303; minute++) {
          const closed = minutes(minute, minute + 1)
          if (order === 'before') follower.archive.write(key, closed)
          holder.archive.write(key, closed)
          await until(async () =>
            expect((await used()).messages - before.messages).toBe(2 * (minute - 300) + 1),
          )
          await heard(holder, follower)
          if (order === 'after') follower.archive.write(key, closed)
        }
        await settled()
        const { looks, messages } = await used()
        expect({ looks: looks - before.looks, messages: messages - before.messages }).toEqual({
          looks: 3,
          // One for each write, and one after it.
          messages: 6,
        })
        for (const { archive } of [holder, follower]) {
          expect(archive.isChanged(key)).toBe(false)
          expect(candlesOf(archive)).toEqual(minutes(0, 303))
        }
        expect(candlesOf((await open()).archive)).toEqual(minutes(0, 303))
      },
    )

    it('is read by one that has missed a candle, or has another one', async () => {
      const { holder, follower } = await openBoth()
      holder.archive.write(key, minutes(300, 301))
      await holder.stored()
      await untilFollowed(() => expect(candlesOf(follower.archive)).toEqual(minutes(0, 301)))
      follower.archive.write(key, [{ ...candleAt(noon + 60 * 301), volume: 99 }])
      holder.archive.write(key, minutes(301, 302))
      await holder.stored()
      await heard(holder, follower)
      await untilFollowed(() => expect(candlesOf(follower.archive)).toEqual(minutes(0, 302)))
      await settled()
      for (const { archive } of [holder, follower, await open()])
        expect(candlesOf(archive)).toEqual(minutes(0, 302))
    })
  })

  it('keeps what was written meanwhile where a node comes late with another state of the same candle', async () => {
    const [one, two] = [await open(), await open()]
    one.archive.write(key, minutes(0, 10))
    await one.stored()
    await until(() => expect(candlesOf(two.archive)).toEqual(minutes(0, 10)))
    const corrected = { ...candleAt(noon + 600), volume: 99 }
    one.archive.write(key, [corrected])
    const stored = one.stored()
    two.archive.write(key, minutes(10, 12))
    await stored
    await two.stored()
    const expected = [...minutes(0, 10), corrected, ...minutes(11, 12)]
    for (const { archive } of [one, two]) await until(() => expect(candlesOf(archive)).toEqual(expected))
  })

  it('is not replaced by a node that comes late with older candles', async () => {
    const [one, two] = [await open(), await open()]
    one.archive.write(key, minutes(0, 10))
    await one.stored()
    await until(() => expect(candlesOf(two.archive)).toEqual(minutes(0, 10)))
    one.archive.write(key, minutes(10, 12))
    const stored = one.stored()
    two.archive.replace(key, minutes(5, 11))
    await stored
    await two.stored()
    for (const { archive } of [one, two])
      await until(() => expect(candlesOf(archive)).toEqual(minutes(0, 12)))
  })

  it('is removed on both, and written again', async () => {
    const [one, two] = [await open(), await open()]
    one.archive.write(key, minutes(0, 10))
    await one.stored()
    await until(() => expect(candlesOf(two.archive)).toEqual(minutes(0, 10)))
    two.archive.remove(key)
    await until(() => expect(one.archive.read(key)).toBeUndefined())
    one.archive.write(key, minutes(0, 3))
    await until(() => expect(candlesOf(two.archive)).toEqual(minutes(0, 3)))
  })

  it.each(['an older state', 'nothing'])('is whole again where Redis has %s after a failure', async left => {
    const [one, two] = [await open(), await open()]
    const client = createRedisClient(address)
    await client.connect()
    one.archive.write(key, minutes(0, 10))
    await one.stored()
    const older = await client.dumpBuffer(`chunks:${key}`)
    one.archive.write(key, minutes(10, 12))
    await one.stored()
    await until(() => expect(candlesOf(two.archive)).toEqual(minutes(0, 12)))
    if (left === 'nothing') await client.del(`chunks:${key}`)
    else await client.restore(`chunks:${key}`, 0, older, 'REPLACE')
    client.disconnect()
    for (const { archive } of [one, two]) archive.enqueue(key, minutes(12, 13))
    await Promise.all([one.stored(), two.stored()])
    for (const { archive } of [one, two, await open()])
      await until(() => expect(candlesOf(archive)).toEqual(minutes(0, 13)))
  })

  it('lists every series, and what it takes, after its heads were read', async () => {
    const [one, two] = [await open(), await open()]
    for (const name of ['x:B:1m', 'x:A:1m', 'y:Ä:1h']) one.archive.write(name, minutes(0, 10))
    await one.stored()
    await two.archive.prepareList()
    expect(listSeries(two.archive).map(info => [info.key, info.count])).toEqual([
      ['x:A:1m', 10],
      ['x:B:1m', 10],
      ['y:Ä:1h', 10],
    ])
    const usages = [...two.archive.usage(2), ...two.archive.usage(2, 'x:B:1m')]
    expect(usages.map(usage => [usage.key, usage.bytes > 500])).toEqual([
      ['x:A:1m', true],
      ['x:B:1m', true],
      ['y:Ä:1h', true],
    ])
    two.archive.remove('x:A:1m')
    await two.stored()
    await one.archive.prepareList()
    await until(() => expect(listSeries(one.archive).map(info => info.key)).toEqual(['x:B:1m', 'y:Ä:1h']))
  })

  it('reads series again that had to leave memory', async () => {
    const { archive, stored } = await open({ copyBytes: 20_000 })
    const names = Array.from({ length: 8 }, (_, k) => `x:S${k}:1m`)
    for (const name of names) archive.write(name, minutes(0, 200))
    await stored()
    for (const name of names) {
      await archive.prepare(name)
      expect(archive.read(name)?.closed).toBe(200)
    }
    // The first one is not in memory: writing to it needs nothing that is not stored.
    archive.write(names[0] as string, minutes(200, 300))
    await stored()
    await archive.prepare(names[0] as string)
    expect(archive.read(names[0] as string)?.closed).toBe(300)
  })
})

describe.skipIf(!isRedisAvailable)('candles that cannot be stored now', needs('redis-server'), () => {
  it.each([3, 450])('are stored when Redis is back, %i writes', async writes => {
    const own = await startRedis(['--appendonly', 'yes', '--appendfsync', 'always'])
    try {
      address = parseRedisAddress(own.url) as RedisAddress
      const { archive, store, stored } = await open()
      archive.write(key, minutes(0, 10))
      await stored()
      await own.kill()
      await until(() => expect(store.clusterState.isUp).toBe(false))
      for (let k = 0; k < writes; k++) archive.write(key, minutes(10 + k, 11 + k))
      expect(candlesOf(archive)).toEqual(minutes(0, 10 + writes))
      expect(store.writeFailure()).toBeInstanceOf(Error)
      await own.restart()
      await until(() => expect(store.clusterState.isUp).toBe(true))
      await until(() => expect(store.writeFailure()).toBeUndefined())
      await stored()
      const late = await open()
      expect(candlesOf(late.archive)).toEqual(minutes(0, 10 + writes))
    } finally {
      await Promise.all(stores.splice(0).map(store => store.close()))
      await own.close()
    }
  })

  it('are stored and listed again where Redis has started empty, and is meant to be', async () => {
    const own = await startRedis()
    try {
      address = parseRedisAddress(own.url) as RedisAddress
      const one = await open()
      one.archive.write(key, minutes(0, 10))
      await one.stored()
      await own.kill()
      await until(() => expect(one.store.clusterState.isUp).toBe(false))
      await own.restart()
      await until(() => expect(one.store.clusterState.isLost).toBe(true))
      await confirmStore(address)
      await until(() => expect(one.store.clusterState.isUp).toBe(true))
      const late = await open()
      await until(() => expect(candlesOf(late.archive)).toEqual(minutes(0, 10)))
      const other = openRedisStore(address, { copyBytes: 1e7 })
      stores.push(other)
      await other.ready()
      const listed = new Archive(other.keyValues, { depth: 1000 })
      await until(async () => {
        await listed.prepareList()
        expect(listSeries(listed).map(info => info.key)).toEqual([key])
      })
    } finally {
      await Promise.all(stores.splice(0).map(store => store.close()))
      await own.close()
    }
  })

  it('replace what is stored where too many have waited, on the other nodes too', async () => {
    const own = await startRedis(['--appendonly', 'yes', '--appendfsync', 'always'])
    try {
      address = parseRedisAddress(own.url) as RedisAddress
      const [one, two] = [await open(), await open()]
      one.archive.write(key, minutes(0, 600))
      await one.stored()
      await until(() => expect(candlesOf(two.archive)).toEqual(minutes(0, 600)))
      await own.kill()
      await until(() => expect([one, two].some(({ store }) => store.clusterState.isUp)).toBe(false))
      for (let k = 0; k < 250; k++) one.archive.replace(key, minutes(700, 710 + k))
      await own.restart()
      await until(() => expect([one, two].every(({ store }) => store.clusterState.isUp)).toBe(true))
      await until(() => expect(candlesOf(two.archive)).toEqual(minutes(700, 959)))
    } finally {
      await Promise.all(stores.splice(0).map(store => store.close()))
      await own.close()
    }
  })

  it.each([
    ['is away', 4000],
    ['refuses them', 2000],
  ])(
    'take bounded memory, however many series are written while Redis %s',
    async (why, count) => {
      const own = await startRedis(['--appendonly', 'yes'])
      const copyBytes = 1_200_000
      try {
        address = parseRedisAddress(`${own.url}?timeout=10000`) as RedisAddress
        const client = createRedisClient(address)
        const { store } = await open({ copyBytes })
        const keyValues = store.keyValues as RedisKeyValueStore
        const archive = new Archive(keyValues, { depth: 1000 })
        const names = Array.from({ length: count }, (_, k) => `x:S${k}:1m`)
        const copies = keyValues.copies.series
        await client.connect()
        if (why === 'is away') await own.kill()
        else await client.config('SET', 'maxmemory', '1')
        if (why === 'is away') await until(() => expect(store.clusterState.isUp).toBe(false))
        else {
          archive.write('x:FIRST:1m', minutes(0, 1))
          await until(() => expect(store.writeFailure()?.message).toMatch(/OOM/))
        }
        const refused: string[] = []
        const candles = minutes(0, 20)
        for (const name of names)
          try {
            archive.write(name, candles)
          } catch (error) {
            if (!(error instanceof StoreFailure)) throw error
            refused.push(name)
          }
        expect(keyValues.copies.bytes).toBeLessThan(1.01 * copyBytes)
        expect(names.length - refused.length).toBeGreaterThan(1000)
        expect(refused.length, 'what does not fit is refused').toBeGreaterThan(100)
        if (why === 'is away') {
          const held = keyValues.copies.series
          const prepared = await Promise.allSettled(names.map(name => archive.prepare(`${name}0`)))
          expect(prepared.filter(({ status }) => status === 'fulfilled')).toEqual([])
          expect(keyValues.copies.series, 'nothing is held of a series that cannot be read').toBe(held)
          expect(held).toBeGreaterThan(copies)
          await own.restart()
          await vi.waitFor(() => expect(store.clusterState.isUp).toBe(true), patient)
        } else await client.config('SET', 'maxmemory', '0')

        await vi.waitFor(() => expect(store.writeFailure()).toBeUndefined(), patient)
        await vi.waitFor(() => keyValues.flush(), patient)
        for (const name of refused.slice(0, 3)) archive.write(name, minutes(0, 20))
        await keyValues.flush()
        const other = openRedisStore(address, { copyBytes: 1e8 })
        stores.push(other)
        await other.ready()
        const listed = new Archive(other.keyValues, { depth: 1000 })
        await listed.prepareList()
        const there = new Map(listSeries(listed).map(info => [info.key, info.count]))
        const stored = [...names.filter(name => !refused.includes(name)), ...refused.slice(0, 3)]
        expect(stored.filter(name => there.get(name) !== 20)).toEqual([])
        client.disconnect()
      } finally {
        await Promise.all(stores.splice(0).map(store => store.close()))
        await own.close()
      }
    },
    120_000,
  )

  it('are reported while Redis refuses them, and stored when it takes them', async () => {
    const own = await startRedis()
    try {
      address = parseRedisAddress(own.url) as RedisAddress
      const { archive, store, stored } = await open()
      const client = createRedisClient(address)
      await client.connect()
      await client.call('CONFIG', 'SET', 'maxmemory', '1')
      archive.write(key, minutes(0, 10))
      await until(() => expect(store.writeFailure()?.message).toMatch(/OOM/))
      expect(store.clusterState.isUp).toBe(true)
      await client.call('CONFIG', 'SET', 'maxmemory', '0')
      await until(() => expect(store.writeFailure()).toBeUndefined())
      await stored()
      client.disconnect()
      expect(candlesOf((await open()).archive)).toEqual(minutes(0, 10))
    } finally {
      await Promise.all(stores.splice(0).map(store => store.close()))
      await own.close()
    }
  })
})
