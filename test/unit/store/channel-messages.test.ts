import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRandom } from '../../../bench/random.js'
import { type SendToAccount, StreamDelivery } from '../../../src/alerts/stream-delivery.js'
import type { Account } from '../../../src/contract/account.js'
import { parseRedisAddress, type RedisAddress } from '../../../src/store/address.js'
import { keysOf } from '../../../src/store/redis/leases.js'
import { createRedisClient, type RedisClient } from '../../../src/store/redis/redis-client.js'
import { needs } from '../../support/needs.js'
import { market, series, startNode, type TestNode } from '../../support/nodes.js'
import { isRedisAvailable, type RedisServer, startRedis } from '../../support/redis-server.js'
import { ScriptedSource } from '../../support/scripted-source.js'
import { Candela, freePort } from '../../support/service-process.js'

const noon = 1_750_248_000
const patient = { timeout: 20_000, interval: 5 }

let server: RedisServer
let address: RedisAddress
let bare: RedisClient
let now: number
let nodes: TestNode[]
let sources: ScriptedSource[]
/** The channels whose messages each node has dropped. */
let dropped: string[][]
/** Messages that each node received for its connections by the channel of alerts. */
let delivered: string[][]
let deliveries: StreamDelivery[]
let places = 0

beforeAll(async () => {
  if (isRedisAvailable) server = await startRedis()
})
afterAll(async () => server?.close())
const news = { number: 1, id: 'alert_x:60', body: 'news' }

beforeEach(async () => {
  address = parseRedisAddress(`${server.url}?prefix=channels${places++}:&timeout=10000`) as RedisAddress
  bare = createRedisClient(address)
  await bare.connect()
  now = noon + 30
  nodes = []
  sources = []
  dropped = []
  delivered = []
  deliveries = []
  for (let at = 0; at < 2; at++) {
    const source = new ScriptedSource(() => now)
    const ownDropped: string[] = []
    const ownDelivered: string[] = []
    const node = await startNode(address, source, () => now, {
      onDropped: channel => ownDropped.push(channel),
    })
    const send: SendToAccount = (_, { body }) => {
      ownDelivered.push(body)
      return 'received'
    }
    deliveries.push(new StreamDelivery(node.store.alerts, send, () => {}))
    nodes.push(node)
    sources.push(source)
    dropped.push(ownDropped)
    delivered.push(ownDelivered)
  }
})
afterEach(async () => {
  bare.disconnect()
  await Promise.all(nodes.map(node => node.close()))
})

const truth = (count: number) => (sources[0] as ScriptedSource).truth(count)
const openStreams = () => sources.flatMap(({ streams }) => streams.filter(({ signal }) => !signal.aborted))
const until = (condition: () => void | Promise<void>) => vi.waitFor(condition, patient)
/** Waits until every node has the exchange's current candle. */
const untilAllHaveIt = () =>
  until(() => {
    for (const { channel } of openStreams()) channel.push(truth(now % 60 < 15 ? 2 : 1))
    for (const { states } of nodes) expect(states.at(-1)).toEqual(truth(1)[0])
  })
/** The channels that a node listens to, with the prefix. */
const channels = async () => (await bare.call('PUBSUB', 'CHANNELS', `${address.prefix}*`)) as string[]

const texts = [
  ...['', ' ', '{', '"', 'null', '[]', '42', 'undefined', 'a', 'a b', '* ', '1-1', '1-1 ', '-end', '1-end'],
  '{"kind":"alert"}',
  '{"kind":"received","number":"1"}',
  '{"kind":"listening","account":7}',
  '{"kind":"later","version":99,"account":"a","number":1,"text":"{}"}',
]
/** Bytes that are no message of any channel: noise that no program has written, and parts of events. */
function garbage(): Buffer[] {
  const random = createRandom(20_260_727)
  const bytes = (length: number) => Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)))
  const noise = Array.from({ length: 40 }, (_, at) => bytes(at))
  const events = ['1-1', '1-2', '1-9999', '99-1', 'x-y', '1'].flatMap(id =>
    [1, 7, 47, 48, 96].map(length => Buffer.concat([Buffer.from(`${id} `), bytes(length)])),
  )
  return [...texts.map(text => Buffer.from(text)), ...noise, ...events]
}

describe.skipIf(!isRedisAvailable)('messages on the channels of nodes', needs('redis-server'), () => {
  it('that cannot be read end no node: they are counted, and what comes after them is read', async () => {
    await Promise.all(nodes.map(node => node.follow()))
    await until(() => expect(openStreams()).toHaveLength(1))
    await untilAllHaveIt()
    const names = await channels()
    const kinds = ['alerts', 'events', 'fetched', 'pending', 'written']
    for (const kind of kinds) expect(names.filter(name => name.includes(kind))).toHaveLength(1)
    expect(names).toHaveLength(kinds.length)

    for (const name of names) for (const message of garbage()) await bare.publish(name, message)
    // One node follows the stream, the other one has opened it.
    await until(() => expect(dropped.flat()).toContain('events'))
    await until(() => {
      for (const channel of ['alerts', 'written']) for (const own of dropped) expect(own).toContain(channel)
    })

    await until(() => expect(openStreams()).toHaveLength(1))
    for (let state = 0; state < 8; state++) {
      now += 15
      await untilAllHaveIt()
    }
    for (const { closed } of nodes) {
      const count = (Math.floor(now / 60) * 60 - (closed[0]?.timestamp ?? 0)) / 60
      expect(closed).toEqual(truth(count + 1).slice(0, -1))
    }
    const [one, two] = nodes as [TestNode, TestNode]
    await deliveries[0]?.deliver('a', news, new AbortController().signal)
    expect(delivered[1]).toContain('news')
    const account = { id: 'a', requests: 5 } as Account
    expect((await one.store.rateWindows.take(account)).allowed).toBe(true)
    expect(await two.store.rateWindows.take(account)).toMatchObject({ allowed: true, remaining: 3 })
    await one.store.freeRetries.add('question')
    await until(async () => expect(await two.store.freeRetries.take('question')).toBe(true))
  })

  it('of nodes of another version are not heard, and their own work on', async () => {
    await Promise.all(nodes.map(node => node.follow()))
    await until(() => expect(openStreams()).toHaveLength(1))
    await untilAllHaveIt()
    const number = /:v(\d+):/
    for (const name of await channels()) {
      expect(name).toMatch(number)
      for (const other of [name.replace(number, ':'), name.replace(number, ':v999:')])
        for (const message of garbage()) expect(await bare.publish(other, message)).toBe(0)
    }
    expect(dropped).toEqual([[], []])
    await deliveries[0]?.deliver('a', news, new AbortController().signal)
    now += 15
    await untilAllHaveIt()
  })

  it('that were stored in another form are not taken for candles', async () => {
    const events = keysOf(series).of('events')
    await Promise.all(nodes.map(node => node.follow()))
    await until(() => expect(openStreams()).toHaveLength(1))
    await untilAllHaveIt()
    await bare.xadd(events, '*', 'e', Buffer.from('seven b'))
    await bare.xadd(events, '*', 'another', 'form', 'e', Buffer.alloc(48, 0xff))
    const late = await startNode(address, new ScriptedSource(() => now), () => now)
    nodes.push(late)
    await late.follow()
    now += 15
    await untilAllHaveIt()
    expect(late.states.every(({ timestamp }) => timestamp % 60 === 0)).toBe(true)
  })

  it.each([
    ['candles', Buffer.from('seven b'), 0],
    ['numbers that are no candles', Buffer.alloc(48, 0xff), 0],
    ['a failure', Buffer.from('{'), 1],
    ['another failure', Buffer.from('{"version":99}'), 1],
  ])('leave the fetch to the node where an answer cannot be read: %s', async (_, bytes, failed) => {
    const [one] = nodes as [TestNode]
    const answers = keysOf(`fetch:${market.exchange}:BTCUSDT:1m@${now}`).of('answer')
    const at = Date.now()
    await bare.hset(answers, { at, depth: 1000, failed, bytes, end: at })
    const fetched = await one.shared.candles('BTCUSDT', '1m', 10, { since: now - 3600 })
    expect([...fetched]).toEqual(truth(10))
  })

  it('are counted by a service, which goes on', async () => {
    const metricsPort = String(await freePort())
    const service = await Candela.start({ STORE: `${server.url}?prefix=service:`, METRICS_PORT: metricsPort })
    const count = async () => {
      const page = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
      return Number(/^candela_store_messages_dropped_total\{channel="alerts"\} (\d+)/m.exec(page)?.[1] ?? 0)
    }
    try {
      const names = (await bare.call('PUBSUB', 'CHANNELS', 'service:*')) as string[]
      expect(names.length).toBeGreaterThan(3)
      for (const name of names) for (const message of garbage()) await bare.publish(name, message)
      await until(async () => expect(await count()).toBeGreaterThan(20))
      expect((await service.get('/exchanges')).status).toBe(200)
    } finally {
      await service.stop()
    }
  })
})
