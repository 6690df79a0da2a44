import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRandom } from '../../bench/random.js'
import type { Candle } from '../../src/candles/candle.js'
import { SourceFailure } from '../../src/markets/exchanges/source.js'
import { parseRedisAddress, type RedisAddress } from '../../src/store/address.js'
import { keysOf } from '../../src/store/redis/leases.js'
import { createRedisClient } from '../../src/store/redis/redis-client.js'
import { listSeries } from '../support/archived-series.js'
import { needs } from '../support/needs.js'
import { market, series, startHolder, startNode, type TestNode } from '../support/nodes.js'
import {
  confirmStore,
  isRedisAvailable,
  type RedisServer,
  startRedis,
  startReplica,
  startSentinel,
} from '../support/redis-server.js'
import { closedOf, ScriptedSource } from '../support/scripted-source.js'
import { openSlowRoute } from '../support/slow-route.js'
import { midnight, startTestService } from '../support/test-service.js'

/** The beginning of a minute. */
const noon = 1_750_248_000

let server: RedisServer
let address: RedisAddress
let places = 0
let now: number
let nodes: TestNode[]
let sources: ScriptedSource[]
const clock = () => now

beforeAll(async () => {
  if (isRedisAvailable) server = await startRedis()
})
afterAll(async () => server?.close())
beforeEach(() => {
  // However busy this machine is.
  address = parseRedisAddress(`${server.url}?prefix=nodes${places++}:&timeout=3000`) as RedisAddress
  now = noon + 30
  nodes = []
  sources = []
})
const closeNodes = () => Promise.all(nodes.splice(0).map(node => node.close()))
afterEach(closeNodes)

async function start(options: Parameters<typeof startNode>[3] = {}): Promise<TestNode> {
  const source = new ScriptedSource(clock)
  const node = await startNode(address, source, clock, options)
  sources.push(source)
  nodes.push(node)
  return node
}

const until = (condition: () => void) => vi.waitFor(condition, { timeout: 20_000, interval: 20 })
/** Options for nodes none of which dies. Their leases do not expire, however busy this machine is. */
const lasting = { leaseMs: 60_000 }

const openStreams = () => sources.flatMap(({ streams }) => streams.filter(({ signal }) => !signal.aborted))
const requests = () => sources.flatMap(source => source.requests)

/** The candles that the exchange emits: early in a minute, the closed one too. */
const shownNow = () => truth(now % 60 < 15 ? 2 : 1)

/** Emits the exchange's candles on every open stream. */
function emit(...candles: readonly Candle[]): void {
  const shown = candles.length > 0 ? candles : shownNow()
  for (const { channel } of openStreams()) channel.push(shown)
}

const truth = (count: number) => (sources[0] as ScriptedSource).truth(count)

/** Waits until every node has the exchange's current candle, which a holder emits too. */
const untilAllHaveIt = (which = nodes, holder?: Awaited<ReturnType<typeof startHolder>>) =>
  until(() => {
    emit()
    holder?.emit(shownNow())
    for (const { states } of which) expect(states.at(-1)).toEqual(truth(1)[0])
  })

/**
 * Waits until all nodes share. A node whose engine was away several times in a short time needs up to 64 probes of 200
 * ms each, which are 13 seconds on an idle machine. On a busy machine that can happen in any test.
 */
const untilAllAreUp = () =>
  vi.waitFor(() => expect(nodes.every(({ store }) => store.clusterState.isUp)).toBe(true), {
    timeout: 45_000,
    interval: 20,
  })

/** Waits until one node has the stream for all. */
const untilShared = async () => {
  await untilAllAreUp()
  await until(() => expect(openStreams()).toHaveLength(1))
}

/** Lets minutes pass, in states of 15 seconds, which every node gets. */
async function trade(minutes: number, which = nodes): Promise<void> {
  for (let state = 0; state < minutes * 4; state++) {
    now += 15
    await untilAllHaveIt(which)
  }
}

/** Every node's subscriber has got every closed candle once, in order, with the bits of the exchange. */
function expectAllClosed(which = nodes): void {
  for (const { closed } of which) {
    const count = (Math.floor(now / 60) * 60 - (closed[0] as Candle).timestamp) / 60
    expect(closed).toEqual(truth(count + 1).slice(0, -1))
  }
}

describe.skipIf(!isRedisAvailable)('three nodes with one Redis', needs('redis-server'), () => {
  it('have one stream and one first fetch together, and every subscriber gets every closed candle once', async () => {
    for (let k = 0; k < 3; k++) await start(lasting)
    await Promise.all(nodes.map(node => node.follow()))
    expect(requests().filter(count => count === 100)).toHaveLength(1)
    await until(() => expect(openStreams()).toHaveLength(1))
    await untilAllHaveIt()
    await trade(5)
    expectAllClosed()
    expect(sources.map(({ streams }) => streams.length).sort()).toEqual([0, 0, 1])
    expect(requests().filter(count => count === 100)).toHaveLength(1)
    // The first event of every node is verified by the exchange's history, which one of them fetches.
    expect(requests().length).toBeLessThan(8)
  })

  it('store candles once, and a node that starts later has them without fetching them', async () => {
    for (let k = 0; k < 3; k++) await start(lasting)
    await Promise.all(nodes.map(node => node.follow()))
    await untilAllHaveIt()
    await trade(3)
    for (const { archive, store } of nodes) {
      archive.flush()
      await store.keyValues.flush?.()
    }
    const late = await start(lasting)
    const reading = await late.history.read(market, late.shared)
    expect(reading.kind).toBe('candles')
    const source = sources.at(-1) as ScriptedSource
    expect(source.requests.filter(count => count > 10)).toEqual([])
    if (reading.kind !== 'candles') return
    expect(closedOf(reading.inputs[0]).slice(-90)).toEqual(truth(91).slice(0, -1))
    expect(late.failures).toEqual([])
  })

  it('poll a market without a stream together', async () => {
    for (let k = 0; k < 3; k++) await start(lasting)
    for (const source of sources) source.isStreamed = false
    await Promise.all(nodes.map(node => node.follow()))
    for (let round = 0; round < 8; round++) {
      now += 15
      await until(() => {
        for (const { states } of nodes) expect(states.at(-1)).toEqual(truth(1)[0])
      })
    }
    now += 5
    await until(() => expectAllClosed())
    // One node sends the requests for all: 9, and once more if a node was late. Alone, the nodes would send 27.
    expect(requests().length).toBeLessThan(20)
  })

  it('ask an exchange that fails once for all who ask at the same time', async () => {
    for (let k = 0; k < 3; k++) await start(lasting)
    let asked = 0
    for (const source of sources)
      source.before = async () => {
        asked++
        throw new SourceFailure('unavailable', 'down', { cause: new Error('503'), retryAfter: 7 })
      }
    const outcomes = await Promise.allSettled(nodes.map(({ shared }) => shared.candles('BTCUSDT', '1m', 10)))
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { name: 'SourceFailure', kind: 'unavailable', message: 'down', retryAfter: 7 },
      })
    expect(asked).toBe(1)
  })
})

describe.skipIf(!isRedisAvailable)('a node that holds the stream', needs('redis-server'), () => {
  it('lets another one take over at once when it ends, however long its lease is', async () => {
    for (let k = 0; k < 2; k++) {
      await (await start(lasting)).follow()
      await until(() => expect(openStreams()).toHaveLength(1))
    }
    await trade(1)
    const [first] = nodes as [TestNode]
    await first.close()
    nodes.shift()
    expect(openStreams().length).toBeLessThan(2)
    await until(() => expect((sources[1] as ScriptedSource).streams).toHaveLength(1))
    await trade(1)
    expectAllClosed()
  })

  it('is replaced when it is killed, and no closed candle is lost or doubled', async () => {
    let holder = await startHolder(address)
    try {
      for (;;) {
        for (let k = 0; k < 2; k++) await start()
        await Promise.all(nodes.map(node => node.follow()))
        await untilAllHaveIt(nodes, holder)
        now += 30
        await untilAllHaveIt(nodes, holder)
        if (openStreams().length === 0) break
        // The machine stalled the holder for longer than its lease, and it was replaced. Another one begins elsewhere.
        await Promise.all([holder.end(), ...nodes.splice(0).map(node => node.close())])
        sources = []
        now = noon + 30
        address = { ...address, prefix: `nodes${places++}:` }
        holder = await startHolder(address)
      }
      holder.signal('SIGKILL')
      now += 60
      await until(() => expect(openStreams()).toHaveLength(1))
      await untilAllHaveIt()
      await trade(2)
      expectAllClosed()
      await until(() => expect(openStreams()).toHaveLength(1))
    } finally {
      await holder.end()
    }
  })

  it('writes nothing after it has stalled and lost its lease', async () => {
    const holder = await startHolder(address)
    try {
      const node = await start()
      await node.follow()
      await untilAllHaveIt(nodes, holder)
      holder.signal('SIGSTOP')
      await until(() => expect(openStreams()).toHaveLength(1))
      await untilAllHaveIt()
      const wrong = { ...(truth(1)[0] as Candle), close: 1, low: 1, volume: 1e6 }
      holder.emit([wrong])
      holder.signal('SIGCONT')
      await until(() => expect(holder.said.join()).toContain('lost: '))
      await trade(1)
      expect(node.states).not.toContainEqual(wrong)
      expectAllClosed()
    } finally {
      await holder.end()
    }
  })
})

describe.skipIf(!isRedisAvailable)('two services with one store', needs('redis-server'), () => {
  async function startService() {
    const source = new ScriptedSource(() => midnight)
    const service = await startTestService({ store: address }, { scripted: source })
    const get = (headers: Readonly<Record<string, string>> = {}) =>
      fetch(`${service.url}/indicator/rsi?exchange=scripted&symbol=BTCUSDT&timeframe=1m`, {
        headers: { authorization: 'Bearer many', ...headers },
      })
    return { service, source, get }
  }

  it('answer the same, and what one has fetched is known to the other, which is asked later', async () => {
    const one = await startService()
    const two = await startService()
    const store = createRedisClient(address)
    await store.connect()
    await store.del('chunks:scripted:BTCUSDT:1m')
    try {
      expect((await one.get()).status).toBe(202)
      const first = await one.get({ prefer: 'wait=5' })
      expect(first.status).toBe(200)
      await until(async () => expect(await store.exists('chunks:scripted:BTCUSDT:1m')).toBe(1))
      const second = await two.get()
      expect(second.status).toBe(200)
      expect(await second.text()).toBe(await first.text())
      expect(one.source.requests).toEqual([1000])
      expect(two.source.requests.filter(count => count > 10)).toEqual([])
      const health = await fetch(`${two.service.url}/health/ready`)
      expect(health.status).toBe(200)
    } finally {
      store.disconnect()
      await Promise.all([one.service.close(), two.service.close()])
    }
  })

  it('count a question that is answered with 202 once, whichever of them it is repeated at', async () => {
    const both = [await startService(), await startService()] as const
    const [one, two] = both
    let release = () => {}
    const fetched = new Promise<void>(resolve => {
      release = resolve
    })
    for (const { source } of both) source.before = () => fetched
    const store = createRedisClient(address)
    await store.connect()
    /**
     * Waits until both have heard of the pending question. Redis has sent the message to both before it shows the key, and
     * a service reads the message before a request that is sent later.
     */
    const heard = async () => {
      await until(async () => expect(await store.keys(`${address.prefix}pending:*`)).toHaveLength(1))
      for (const { service } of both) await fetch(`${service.url}/health/live`)
    }
    try {
      const left = (response: Response) =>
        Number(/r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1])
      const first = await one.get()
      expect(first.status).toBe(202)
      for (const { get } of [two, one, two]) {
        await heard()
        const again = await get()
        expect([again.status, left(again)]).toEqual([202, left(first)])
      }
      await heard()
      const together = await Promise.all([one.get(), two.get(), two.get()])
      expect(Math.min(...together.map(left)), 'one of three is a repetition').toBe(left(first) - 2)
      await heard()
      release()
      await until(async () => {
        const answered = await two.get({ prefer: 'wait=5' })
        expect([answered.status, left(answered)]).toEqual([200, left(first) - 2])
      })
      expect(left(await one.get()), 'a new question').toBe(left(first) - 3)
    } finally {
      release()
      store.disconnect()
      await Promise.all(both.map(({ service }) => service.close()))
    }
  })
})

describe.skipIf(!isRedisAvailable)('messages that were missed', needs('redis-server'), () => {
  /** Two nodes, the first of which holds the stream; the second one is cut off while `body` runs. */
  async function cutOff(
    body: (client: ReturnType<typeof createRedisClient>) => Promise<void>,
  ): Promise<void> {
    const client = createRedisClient(address)
    await client.connect()
    try {
      await (await start(lasting)).follow()
      await until(() => expect(openStreams()).toHaveLength(1))
      await (await start(lasting)).follow()
      await trade(1)
      await client.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
      await body(client)
    } finally {
      client.disconnect()
    }
  }

  it('are read again, in order', async () => {
    await cutOff(async () => {
      const before = requests().length
      await trade(2)
      expectAllClosed()
      expect(requests().length, 'the exchange was not asked').toBe(before)
    })
  })

  it('are fetched from the exchange where they are not stored any more', async () => {
    await cutOff(async client => {
      const [holder] = nodes as [TestNode]
      for (let state = 0; state < 8; state++) {
        now += 15
        emit()
        await until(() => expect(holder.states.at(-1)).toEqual(truth(1)[0]))
      }
      await client.xtrim(keysOf(series).of('events'), 'MAXLEN', 1)
      await untilAllHaveIt()
      await trade(1)
      expectAllClosed()
    })
  })
})

describe.skipIf(!isRedisAvailable)('Redis that fails', { ...needs('redis-server'), timeout: 90_000 }, () => {
  it('may be killed and start empty: every node goes on by itself, and they share again afterwards', async () => {
    const own = await startRedis()
    try {
      address = parseRedisAddress(`${own.url}?timeout=1000`) as RedisAddress
      for (let k = 0; k < 3; k++) await start()
      await Promise.all(nodes.map(node => node.follow()))
      await untilAllHaveIt()
      await trade(1)
      await own.kill()
      await until(() => expect(nodes.some(({ store }) => store.clusterState.isUp)).toBe(false))
      await trade(2)
      expectAllClosed()
      await own.restart()
      await until(() => expect(nodes.every(({ store }) => store.clusterState.isLost)).toBe(true))
      await trade(1)
      expectAllClosed()
      await confirmStore(address)
      await untilAllAreUp()
      await trade(1)
      await untilShared()
      await trade(2)
      expectAllClosed()
      for (const { archive, store } of nodes) {
        archive.flush()
        await store.keyValues.flush?.()
      }
      const late = await start()
      await late.archive.prepareList()
      expect(listSeries(late.archive).map(({ key }) => key)).toEqual([series])
      await late.archive.prepare(series)
      expect(late.archive.read(series)?.closed).toBeGreaterThan(90)
      for (const { changes } of nodes.slice(0, 3)) expect(changes).toEqual([true, false])
    } finally {
      await closeNodes()
      await own.close()
    }
  })

  it('may be frozen: no request waits until it answers again, and nothing is wrong', async () => {
    const own = await startRedis()
    try {
      address = parseRedisAddress(own.url) as RedisAddress
      for (let k = 0; k < 2; k++) await start()
      await Promise.all(nodes.map(node => node.follow()))
      await untilAllHaveIt()
      // Until it is thawed, it answers nothing.
      own.freeze()
      const [one] = nodes as [TestNode]
      expect(await one.shared.candles('BTCUSDT', '1m', 10)).toEqual(truth(10))
      await until(() => expect(nodes.some(({ store }) => store.clusterState.isUp)).toBe(false))
      expect(await one.shared.candles('BTCUSDT', '1m', 10)).toEqual(truth(10))
      await trade(2)
      expectAllClosed()
      own.thaw()
      await untilAllAreUp()
      await trade(2)
      await untilShared()
      await trade(1)
      expectAllClosed()
    } finally {
      await closeNodes()
      await own.close()
    }
  })

  it('may refuse to let a node join: the node has a stream of its own, and joins when it is no longer refused', async () => {
    for (let k = 0; k < 2; k++) await start()
    const [one, two] = nodes as [TestNode, TestNode]
    const client = createRedisClient(address)
    await client.connect()
    try {
      await one.follow()
      await until(() => expect(openStreams()).toHaveLength(1))
      // A value of another type at its place: Redis answers, with an error.
      const events = keysOf(series).of('events')
      await client.del(events)
      await client.lpush(events, 'x')
      await two.follow()
      await until(() => expect((sources[1] as ScriptedSource).streams).not.toEqual([]))
      await trade(1)
      await client.del(events)
      await untilShared()
      for (const { streams } of sources) expect(streams).not.toEqual([])
      await trade(1)
      expectAllClosed()
      for (const { changes } of nodes) expect(changes).toEqual([])
    } finally {
      client.disconnect()
    }
  })

  it('may fail over to its replica: nothing that was stored is lost, and the nodes share again', {
    tags: ['faults'],
  }, async () => {
    const master = await startRedis()
    const replica = await startReplica(master)
    const sentinel = await startSentinel(master, 1)
    try {
      address = parseRedisAddress(`${sentinel.url}?timeout=3000`) as RedisAddress
      for (let k = 0; k < 3; k++) await start()
      await Promise.all(nodes.map(node => node.follow()))
      await untilAllHaveIt()
      await trade(2)
      await master.kill()
      await until(() => expect(nodes.some(({ store }) => store.clusterState.isUp)).toBe(false))
      await trade(2)
      expectAllClosed()
      await sentinel.promote(replica)
      await untilAllAreUp()
      await trade(1)
      await untilShared()
      await trade(2)
      expectAllClosed()
    } finally {
      await closeNodes()
      await sentinel.close()
      await Promise.all([master.close(), replica.close()])
    }
  })

  const within = { title: 'within its timeout', options: {}, delay: () => 100 }
  const around = {
    title: 'around its timeout, so that it goes away and comes back',
    options: { tags: ['faults'] },
    delay: (random: () => number) => 500 * random(),
  }
  for (const { title, options, delay } of [within, around])
    it(`may be slow, ${title}: every node gets every closed candle once`, options, async () => {
      const route = await openSlowRoute(server.port)
      try {
        address = parseRedisAddress(`redis://127.0.0.1:${route.port}?prefix=slow${places}:`) as RedisAddress
        for (let k = 0; k < 3; k++) await start()
        await Promise.all(nodes.map(node => node.follow()))
        await untilAllHaveIt()
        const random = createRandom(places)
        route.delay(() => delay(random))
        const answers = await Promise.all(nodes.map(({ shared }) => shared.candles('BTCUSDT', '1m', 10)))
        for (const answer of answers) expect([...answer]).toEqual(truth(10))
        await trade(4)
        expectAllClosed()
        route.delay(() => 0)
        await untilAllAreUp()
        await trade(1)
        await untilShared()
        await trade(2)
        expectAllClosed()
      } finally {
        await closeNodes()
        await route.close()
      }
    })
})
