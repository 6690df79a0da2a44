import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import WebSocket from 'ws'
import { parse as parseYaml } from 'yaml'
import {
  type BreadthResult,
  Candela,
  type ScreenUpdate,
  type Subscription,
  type Update,
} from '../../src/client/index.js'
import { fetchDocumented } from '../support/documented.js'
import { startTestService, type TestService } from '../support/test-service.js'

interface Scenario {
  readonly call: readonly [string, ...unknown[]]
  readonly path: string
  readonly body?: object
  readonly part?: string
  readonly key?: string
}
const scenarios: readonly Scenario[] = parseYaml(
  readFileSync(new URL('../scenarios/service.yaml', import.meta.url), 'utf8'),
  { merge: true },
).scenarios

let service: TestService
let client: Candela

beforeAll(async () => {
  service = await startTestService()
  // On Node.js 20, which has no WebSocket, the client uses the package `ws`.
  client = new Candela({ url: service.url, key: 'many' })
})
afterAll(() => service.close())

const market = { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1m' } as const

/** A client whose connections a test can break. It cannot connect again while its network does not reach the service. */
function recordedClient() {
  const sockets: WebSocket[] = []
  const network = { isReachable: true }
  class Recorded extends WebSocket {
    constructor(url: string) {
      super(network.isReachable ? url : 'ws://127.0.0.1:1')
      if (network.isReachable) sockets.push(this)
    }
  }
  const client = new Candela({ url: service.url, key: 'many', WebSocket: Recorded as never })
  return { sockets, network, client }
}

describe('the client', () => {
  it.each(scenarios.map(each => [JSON.stringify(each.call), each] as const))(
    'answers %s as the service does',
    async (_, { call: [method, ...args], path, body, part, key = 'many' }) => {
      const client = new Candela({ url: service.url, key })
      const response = await fetch(service.url + path, {
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', prefer: 'wait=10' },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      })
      const { status } = response
      const reply = await response.json()
      const send = client[method as 'exchanges'] as (...args: unknown[]) => Promise<unknown>
      const answer = await send.apply(client, args as []).catch(error => error)
      if (status === 200) expect(answer).toEqual(part ? reply[part] : reply)
      else expect(answer).toMatchObject({ name: 'CandelaError', status, message: reply.error })
    },
  )

  it('divides a bulk request as the plan needs, with the same results and refusals', async () => {
    const small = new Candela({ url: service.url, key: 'small' })
    const indicators = Array.from({ length: 25 }, (_, at) => ({
      id: `ema${at}`,
      indicator: 'ema' as const,
      period: 5 + at,
    }))
    const constructs = ['BTCUSDT', 'ETHUSDT'].map(symbol => ({ ...market, symbol, id: symbol, indicators }))
    const divided = await small.bulk(constructs, { verbose: true })
    expect(Object.keys(divided)).toEqual(['BTCUSDT', 'ETHUSDT'])
    for (const symbol of ['BTCUSDT', 'ETHUSDT']) {
      const { _asset, ...results } = divided[symbol] ?? {}
      expect(_asset).toEqual({ ...market, symbol })
      expect(Object.keys(results)).toEqual(indicators.map(({ id }) => id))
      const ema29 = await client.indicator('ema', { ...market, symbol }, { period: 29 })
      expect(results.ema24).toMatchObject({ params: { period: 29 }, result: ema29, errors: [] })
    }
    const few = { indicators: indicators.slice(0, 1) }
    const twice = ['BTCUSDT', 'ETHUSDT'].map(symbol => ({ ...market, symbol, id: 'same', ...few }))
    const refusal = await client.bulk(twice).catch(error => error)
    expect(await small.bulk(twice).catch(error => error)).toEqual(refusal)
    expect(refusal).toMatchObject({ status: 400, message: expect.stringContaining('Duplicate construct id') })
  })

  it('has a method for each question of the suite', async () => {
    const methods = [
      'indicator',
      'compute',
      'candles',
      'bulk',
      'bulkCandles',
      'exchanges',
      'symbols',
    ] as const
    const query = 'exchange=demo&symbol=BTCUSDT&timeframe=1m'
    const candles = await service.get(`/candles?${query}&results=20`)
    const indicators = [{ id: 'a', indicator: 'sma', period: 5 }]
    const bodies = {
      '/indicator/sma': { period: 5, candles },
      '/bulk': { constructs: [{ id: 'a', ...market, indicators }], verbose: true },
      '/bulk-candles': { constructs: [{ id: 'a', candles, indicators }] },
    }
    const spies = methods.map(method => vi.spyOn(Candela.prototype, method))
    const byFetch = vi.spyOn(Candela.prototype, 'fetch')
    await service.get(`/indicator/rsi?${query}&period=7`)
    await service.get(`/candles?${query}`)
    await service.get('/exchanges')
    await service.get('/exchanges/demo/symbols')
    for (const [path, body] of Object.entries(bodies)) {
      const headers = { authorization: 'Bearer many', 'content-type': 'application/json' }
      const { status } = await fetchDocumented(service.url, path, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      expect(status).toBe(200)
    }
    for (const [at, spy] of spies.entries()) {
      expect(spy, methods[at]).toHaveBeenCalledOnce()
      spy.mockRestore()
    }
    expect(byFetch).not.toHaveBeenCalled()
    byFetch.mockRestore()
  })
})

// Before the streams, which let time pass at their own pace: the markets of these are always the same.
describe('a live screen of the client', () => {
  const request = { exchange: 'demo', timeframe: '1m', where: 'close > open' } as const

  it('says which markets enter and leave, also those that do while there is no connection', async () => {
    const { client, sockets } = recordedClient()
    // In the middle of a candle: at its open no close is above it.
    service.pass(90)
    const screen = client.streamScreen(request)
    const found = new Set<string>()
    /** The next update. Checks that its differences lead to the current result of a screen. */
    async function next() {
      const { matches, entered, left } = (await screen.next()).value as ScreenUpdate<typeof request>
      for (const { symbol } of entered) {
        expect(found, 'only what was not there enters').not.toContain(symbol)
        found.add(symbol)
      }
      for (const symbol of left) expect(found.delete(symbol), 'only what was there leaves').toBe(true)
      const now = (await client.screen(request)).matches.map(({ symbol }) => symbol).sort()
      expect([...found].sort()).toEqual(now)
      expect(matches.map(({ symbol }) => symbol).sort()).toEqual(now)
      return { entered: entered.length, left: left.length }
    }
    expect((await next()).left).toBe(0)
    service.pass(60)
    const isMoved = {
      entered: expect.toSatisfy(count => count > 0),
      left: expect.toSatisfy(count => count > 0),
    }
    expect(await next()).toEqual(isMoved)
    sockets[0]?.terminate()
    service.pass(60)
    expect(await next()).toEqual(isMoved)
    expect(sockets).toHaveLength(2)
    await screen.return()
  })

  it('throws where it is refused', async () => {
    const wrong = client.streamScreen({ ...request, where: 'close' })
    await expect(wrong.next()).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/^where must be a condition/),
    })
  })
})

describe('a live breadth of the client', () => {
  const request = {
    exchange: 'demo',
    timeframe: '1m',
    symbols: ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'],
    results: 2,
    measures: { up: 'advances', traded: 'total(volume)' },
  } as const

  it('has the values of an answer after each update, also after a lost connection', async () => {
    const { client, sockets } = recordedClient()
    service.pass(20)
    const breadth = client.streamBreadth(request)
    const known = new Map<number, unknown>()
    async function next() {
      const { timestamp, measures, failed } = (await breadth.next()).value as BreadthResult<typeof request>
      expect(failed).toEqual([])
      for (const [i, time] of timestamp.entries())
        known.set(time, [measures.up.value[i], measures.traded.value[i]])
      const now = await client.breadth(request)
      const wanted = now.timestamp.map((time, i) => [
        time,
        [now.measures.up.value[i], now.measures.traded.value[i]],
      ])
      expect([...known].slice(-2)).toEqual(wanted)
      return timestamp.length
    }
    expect(await next()).toBe(2)
    service.pass(10)
    expect(await next()).toBeLessThanOrEqual(2)
    service.pass(60)
    expect(await next()).toBe(2)
    sockets[0]?.terminate()
    expect(await next()).toBe(2)
    expect(sockets).toHaveLength(2)
    await breadth.return()
  })

  it('throws where it is refused', async () => {
    const wrong = client.streamBreadth({ ...request, measures: { x: 'rsi(14)' } })
    await expect(wrong.next()).rejects.toMatchObject({
      message: expect.stringContaining('of a single market'),
    })
  })
})

describe('the alerts of the client', () => {
  it('arrive once each and in order, also those that fire while there is no connection', async () => {
    const { client, sockets, network } = recordedClient()
    let isOpen = () => {}
    const opened = new Promise<void>(resolve => {
      isOpen = resolve
    })
    const alerts = client.streamAlerts({ onState: isOpen })
    const times: number[] = []
    let id = ''
    async function next(count: number): Promise<void> {
      for (; count > 0; count--) {
        const { value } = await alerts.next()
        expect(value).toMatchObject({ alert: id, symbol: 'BTCUSDT', closed: true })
        if (value) times.push(value.timestamp)
      }
    }
    const first = next(1)
    await opened
    id = (await client.createAlert({ ...market, expression: 'close > 0', trigger: 'level' })).id
    service.pass(60)
    await first
    network.isReachable = false
    sockets[0]?.terminate()
    await expect.poll(() => service.sessions.connections).toBe(0)
    service.pass(180)
    network.isReachable = true
    await next(3)
    expect(sockets).toHaveLength(2)
    const [begin = 0] = times
    expect(times).toEqual([0, 60, 120, 180].map(after => begin + after))
    await client.deleteAlert(id)
    await alerts.return()
  })
})

describe('a stream of the client', () => {
  const subscriptions: readonly Subscription[] = [
    { ...market, id: 'short', indicator: 'sma', params: { period: 5 } },
    { ...market, id: 'long', indicator: 'sma', params: { period: 50 } },
    { ...market, id: 'closed', indicator: 'sma', candleClose: true },
    { ...market, id: 'macd', indicator: 'macd' },
  ]

  /** Reads updates, with the time of the market passing, until one passes. */
  async function readUntil(
    stream: AsyncIterator<Update>,
    passes: (update: Update) => boolean,
  ): Promise<Update> {
    const timer = setInterval(() => service.pass(7), 20)
    try {
      for (;;) {
        const { value, done } = await stream.next()
        if (done) throw new Error('the stream ended')
        if (passes(value)) return value
      }
    } finally {
      clearInterval(timer)
    }
  }

  it('distinguishes the periods of one indicator, with the values of REST', async () => {
    const stream = client.stream(subscriptions)
    const closed = await readUntil(stream, ({ id }) => id === 'closed')
    expect(closed.closed).toBe(true)
    for (const [id, period] of [
      ['short', 5],
      ['long', 50],
    ] as const) {
      const update = await readUntil(stream, each => each.id === id && each.closed)
      const { value, timestamp } = await client.indicator('sma', market, { period, results: 20 })
      const at = timestamp.indexOf(update.data.timestamp)
      expect(at).toBeGreaterThanOrEqual(0)
      expect(update.data.sma).toBe(value?.[at])
    }
    await stream.return()
    await expect.poll(() => service.sessions.connections).toBe(0)
  })

  it('is opened again after its connection broke, and lacks no closed candle', async () => {
    const states: string[] = []
    const { client, sockets } = recordedClient()
    const stream = client.stream(subscriptions, { onState: state => states.push(state) })
    const closed = new Map(subscriptions.map(({ id }) => [id, [] as Update[]]))
    /** Collects closed candles until each subscription has `count` of them. */
    const collect = (count: number) =>
      readUntil(stream, update => {
        if (update.closed) closed.get(update.id)?.push(update)
        return [...closed.values()].every(({ length }) => length >= count)
      })
    await collect(1)
    sockets[0]?.terminate()
    service.pass(10 * 60)
    await collect(13)
    expect(states).toEqual(['open', 'reconnecting', 'open'])
    for (const [id, period] of [
      ['short', 5],
      ['long', 50],
    ] as const) {
      const updates = closed.get(id) ?? []
      const { value, timestamp } = await client.indicator('sma', market, { period, results: 60 })
      const from = timestamp.indexOf(updates[0]?.data.timestamp ?? 0)
      const rest = timestamp.slice(from, from + updates.length)
      expect(updates.map(({ data, gap }) => [data.timestamp, data.sma, gap])).toEqual(
        rest.map((time, at) => [time, value[from + at], undefined]),
      )
    }
    const macds = closed.get('macd') ?? []
    const macd = await client.indicator('macd', market, { results: 60 })
    for (const { data } of macds) {
      const at = macd.timestamp.indexOf(data.timestamp)
      expect(data).toEqual({
        valueMACD: macd.valueMACD[at],
        valueMACDSignal: macd.valueMACDSignal[at],
        valueMACDHist: macd.valueMACDHist[at],
        timestamp: data.timestamp,
      })
    }
    await stream.return()
  })

  it('ends with the signal', async () => {
    const controller = new AbortController()
    const stream = client.stream(subscriptions, { signal: controller.signal })
    await readUntil(stream, () => true)
    controller.abort()
    let result = await stream.next()
    while (!result.done) result = await stream.next()
    await expect.poll(() => service.sessions.connections).toBe(0)
  })

  it('throws where a subscription is refused', async () => {
    const wrong = [{ ...market, id: 'x', indicator: 'sma', params: { period: 1_000_000 } }] as const
    await expect(client.stream(wrong).next()).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/^x: Invalid period/),
    })
  })

  it('throws where the key is wrong', async () => {
    const stranger = new Candela({ url: service.url, key: 'none', WebSocket: WebSocket as never })
    await expect(stranger.stream(subscriptions).next()).rejects.toMatchObject({ status: 401 })
  })
})

describe('closes alone', () => {
  it('are enough for an indicator that reads nothing else', async () => {
    expect((await client.compute('sma', [1, 3, 8, 9], { period: 2, results: 'max' })).value).toEqual([
      2, 5.5, 8.5,
    ])
    // A program without types.
    const untyped = client as unknown as { compute(...given: unknown[]): Promise<unknown> }
    for (const given of [
      ['atr', [1, 2, 3]],
      ['sma', [1, 2, 3], { period: 2, source: 'volume' }],
      ['sma', [1, 2, 3], { period: 2, chart: 'renko:1' }],
    ])
      await expect(untyped.compute(...given)).rejects.toMatchObject({
        status: 400,
        message: `${given[0]} needs candles, because it reads more than closes`,
      })
    await expect(untyped.compute('smaa', [1, 2, 3])).rejects.toMatchObject({ status: 404 })
  })
})

describe('the bundle of the client', () => {
  it('takes less than 7 KB compressed, as its page says, and needs nothing of Node', async () => {
    const bundle = await rolldown({ input: 'src/client/index.ts', platform: 'browser', logLevel: 'silent' })
    const { output } = await bundle.generate({ minify: true })
    expect(output).toHaveLength(1)
    expect(output[0].imports).toEqual([])
    expect(gzipSync(output[0].code).byteLength).toBeLessThan(7 * 1024)
  })
})
