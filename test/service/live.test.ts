import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Candle } from '../../src/candles/candle.js'
import type { Inputs, Snapshot } from '../../src/candles/columns.js'
import { CcxtSource } from '../../src/markets/exchanges/ccxt/ccxt-source.js'
import type { Source } from '../../src/markets/exchanges/source.js'
import { FeedRegistry, type FollowedFeed } from '../../src/markets/feeds/feed-registry.js'
import { History } from '../../src/markets/history/history.js'
import { type Binance, ccxtOptions, startBinance } from '../support/binance.js'
import { type BinanceStream, startBinanceStream } from '../support/binance-stream.js'
import { inThread } from '../support/exchange-thread.js'

const market = { exchange: 'binance', symbol: 'BTCUSDT', timeframe: '1m' } as const
const stream = 'btcusdt@kline_1m'
const klines = '/api/v3/klines'

/** Milliseconds; only the tests move it. */
let now = 0
let rest: Binance
let server: BinanceStream
let source: Source
let feeds: FeedRegistry
let feed: FollowedFeed
/** Closed candles in the order in which they were emitted, and how often an old one was emitted with a change. */
let emitted: Candle[]
let corrections: number
let latest: Snapshot

const truth = (count = 1) => rest.truth('BTCUSDT', '1m', count)
const closedOf = ({ columns, closed }: Snapshot) =>
  Array.from({ length: closed }, (_, at) => columns.read(at))

function collect([snapshot]: Inputs): void {
  const known = new Map(emitted.map(candle => [candle.timestamp, candle]))
  const first = emitted[0]?.timestamp ?? Number.POSITIVE_INFINITY
  const last = emitted.at(-1)?.timestamp ?? Number.NEGATIVE_INFINITY
  for (const candle of closedOf(snapshot)) {
    if (candle.timestamp > last) emitted.push(candle)
    else if (
      candle.timestamp >= first &&
      JSON.stringify(known.get(candle.timestamp)) !== JSON.stringify(candle)
    ) {
      corrections++
      emitted = emitted.map(old => (old.timestamp === candle.timestamp ? candle : old))
    }
  }
  latest = snapshot
}

/** Publishes the forming candle, and before it the last state of one that has just closed. */
function publish(): void {
  const [closed, forming] = truth(2) as [Candle, Candle]
  if (now % 60_000 === 0) server.publish('BTCUSDT', '1m', 60_000, closed, true)
  server.publish('BTCUSDT', '1m', 60_000, forming)
}

/** Lets time pass in steps of ten seconds. The exchange publishes its events unless `isPublished` is false. */
async function pass(minutes: number, isPublished = true): Promise<void> {
  for (let step = 0; step < minutes * 6; step++) {
    now += 10_000
    if (!isPublished) continue
    publish()
    await waitForCandle(truth()[0] as Candle)
  }
}

const waitForCandle = (candle: Candle) =>
  vi.waitFor(() => expect(feed.inputs()[0].forming).toEqual(candle), { timeout: 5000, interval: 2 })

const connected = () =>
  vi.waitFor(() => expect(server.has(stream)).toBe(true), { timeout: 10_000, interval: 5 })

/** Expects that the emitted candles and the series equal the truth, with each closed candle once and in order. */
async function expectTruth(corrected = 0): Promise<void> {
  await waitForCandle(truth()[0] as Candle)
  await vi.waitFor(() => expect(latest.forming).toEqual(truth()[0]), { timeout: 5000 })
  const { count } = feed.inputs()[0]
  expect(closedOf(feed.inputs()[0]), 'the series').toEqual(truth(count).slice(0, -1))
  expect(emitted, 'what was emitted').toEqual(truth(emitted.length + 1).slice(0, -1))
  expect(corrections).toBe(corrected)
}

beforeEach(async () => {
  now = Date.UTC(2025, 5, 18, 12, 34, 20)
  rest = await startBinance({ clock: () => now })
  server = await startBinanceStream()
  const { urls } = ccxtOptions(rest.url)
  const options = { rateLimit: 1, urls: { api: { ...urls.api, ws: { spot: server.url } } } }
  source = inThread(new CcxtSource('binance', { backoffMs: 1, options }), 'binance')
  const clock = () => now / 1000
  feeds = new FeedRegistry({
    history: new History({ depth: 200, bytes: 1e8, refreshSeconds: 5, clock }),
    clock,
    formingPerSecond: 50,
    lingerSeconds: 0,
    pollSeconds: 5,
    backoffMs: 10,
  })
  emitted = []
  corrections = 0
  feed = await feeds.follow(market, source, collect)
  latest = feed.inputs()[0]
  emitted = closedOf(latest)
  await connected()
  publish()
  await vi.waitFor(() => expect(rest.requests(klines)).toBeGreaterThan(1), { timeout: 5000 })
})

afterEach(async () => {
  await feeds.close()
  await source.close?.()
  await server.close()
  await rest.close()
})

describe('a feed over the kline stream of Binance', () => {
  it('subscribes with one request, however many follow, and ends it with the last follower', async () => {
    const others = await Promise.all(Array.from({ length: 20 }, () => feeds.follow(market, source, () => {})))
    const eth = await feeds.follow({ ...market, symbol: 'ETHUSDT' }, source, () => {})
    await expect.poll(() => server.has('ethusdt@kline_1m')).toBe(true)
    expect(server.requests.map(({ method, params }) => [method, params])).toEqual([
      ['SUBSCRIBE', [stream]],
      ['SUBSCRIBE', ['ethusdt@kline_1m']],
    ])
    expect(server.connections).toBe(1)
    expect(feeds.size).toBe(2)
    for (const other of others) other.release()
    feed.release()
    await expect.poll(() => server.requests.at(-1)?.method).toBe('UNSUBSCRIBE')
    expect(server.requests.at(-1)?.params).toEqual([stream])
    eth.release()
    await expect.poll(() => [server.connections, feeds.size]).toEqual([0, 0])
  })

  it('emits every closed candle once, without fetching any', async () => {
    await pass(1)
    const fetches = rest.requests(klines)
    await pass(4)
    await expectTruth()
    expect(rest.requests(klines), 'the stream proves all of it').toBe(fetches)
  })

  it('fetches what a dropped connection missed, in order', async () => {
    await pass(2)
    server.drop()
    await pass(7, false)
    await connected()
    publish()
    await expectTruth()
    await pass(2)
    await expectTruth()
  })

  it('knows the last state of a candle that closed just as the connection dropped', async () => {
    await pass(1)
    server.drop()
    now += 40_000
    await connected()
    server.publish('BTCUSDT', '1m', 60_000, truth()[0] as Candle)
    await expectTruth()
  })

  it('returns when a server that refused connections takes them again, and is polled meanwhile', async () => {
    const heal = server.refuse()
    server.drop()
    await vi.waitFor(() => expect(server.dials).toBeGreaterThan(2), { timeout: 5000 })
    await pass(3, false)
    await expectTruth()
    heal()
    await connected()
    await pass(2)
    await expectTruth()
  })

  it('fetches a hole in the stream before it goes on', async () => {
    await pass(1)
    await pass(3, false)
    publish()
    await expectTruth()
    await pass(1)
    await expectTruth()
  })

  it('ignores duplicates and late states of candles', async () => {
    await pass(1)
    const [early] = truth() as [Candle]
    await pass(0.5)
    const [later] = truth() as [Candle]
    for (const candle of [early, later, early, ...truth(4), later])
      server.publish('BTCUSDT', '1m', 60_000, candle)
    now += 10_000
    publish()
    await expectTruth()
    await pass(1)
    server.publish('BTCUSDT', '1m', 60_000, early)
    await pass(2)
    await expectTruth()
  })

  it('takes a correction of a closed candle from the exchange itself', async () => {
    await pass(2)
    const wrong = { ...(truth(3)[0] as Candle), volume: 1_000_000 }
    const heal = rest.fail(klines, {
      kind: 'rows',
      change: row => (row[0] === wrong.timestamp * 1000 ? row.with(5, String(wrong.volume)) : row),
    })
    now += 10_000
    server.publish('BTCUSDT', '1m', 60_000, wrong)
    publish()
    await vi.waitFor(() => expect(corrections).toBe(1), { timeout: 5000 })
    expect(emitted.find(({ timestamp }) => timestamp === wrong.timestamp)).toEqual(wrong)
    heal()
    await pass(1)
    server.publish('BTCUSDT', '1m', 60_000, { ...wrong, volume: 2_000_000 })
    await vi.waitFor(() => expect(corrections).toBe(2), { timeout: 5000 })
    await expectTruth(2)
  })

  it('notices a server that went silent, and connects again', async () => {
    await pass(1)
    server.silence()
    await pass(2, false)
    const isDialled = () => {
      now += 10_000
      expect(server.dials).toBe(2)
    }
    await vi.waitFor(isDialled, { timeout: 10_000, interval: 300 })
    await connected()
    publish()
    await expectTruth()
    await pass(2)
    await expectTruth()
  })

  it('closes a candle without a successor when its time is over', async () => {
    await pass(0.5)
    now = Math.ceil(now / 60_000) * 60_000 - 1000
    publish()
    await waitForCandle(truth()[0] as Candle)
    const { closed } = feed.inputs()[0]
    now += 4500
    await vi.waitFor(() => expect(latest.closed).toBe(closed + 1), { timeout: 5000 })
    now += 10_000
    publish()
    await expectTruth()
  })
})
