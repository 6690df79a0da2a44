import { beforeEach, describe, expect, it } from 'vitest'
import type { Candle } from '../../src/candles/candle.js'
import type { Snapshot } from '../../src/candles/columns.js'
import { Series } from '../../src/candles/series.js'
import { Calculator } from '../../src/compute/calculator.js'
import type { Market } from '../../src/contract/market.js'
import { isRefusal, type Refusal } from '../../src/contract/refusals.js'
import { createDemoSource } from '../../src/exchanges/demo/demo-source.js'
import type { Exchange } from '../../src/exchanges/registry.js'
import { SourceFailure } from '../../src/exchanges/source.js'
import type { Follower, LiveMarkets } from '../../src/live/follower.js'
import { Hub, type Topic } from '../../src/stream/hub.js'
import { entryOf, valuesOf } from '../support/kernel.js'

const minute: Market = { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1m' }
const asked = (name: string, given = {}) => ({ indicator: entryOf(name), ...valuesOf(entryOf(name), given) })

const candle = (i: number, close = 100 + (i % 9)): Candle => ({
  timestamp: i * 60,
  open: close,
  high: close + 1,
  low: close - 1,
  close,
  volume: 1,
})
const candles = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => candle(from + i))

/** Markets that move when a test says so. */
class Puppet implements LiveMarkets {
  feeds = 0
  failure: SourceFailure | undefined
  readonly followers = new Set<Follower>()
  readonly series = new Series('1m', 1000)
  gate: Promise<void> = Promise.resolve()

  async follow(_market: Market, _source: unknown, follower: Follower) {
    await this.gate
    if (this.failure) throw this.failure
    this.feeds++
    this.followers.add(follower)
    return {
      snapshot: () => this.series.snapshot(),
      release: () => {
        this.feeds--
        this.followers.delete(follower)
      },
    }
  }

  /** Takes in candles; those that opened before minute `now` ended are closed. */
  move(fresh: readonly Candle[], now: number): void {
    this.series.merge(fresh, now * 60)
  }

  tell(snapshot: Snapshot = this.series.snapshot()): void {
    for (const follower of this.followers) follower.onChange(snapshot)
  }

  async close() {}
}

let live: Puppet
let hub: Hub
let published: (readonly [topic: string, text: string])[]
let bugs: unknown[]
const calculator = new Calculator()

beforeEach(() => {
  live = new Puppet()
  live.move(candles(0, 50), 50)
  published = []
  bugs = []
  const exchange: Exchange = { id: 'demo', source: createDemoSource(() => 0) }
  hub = new Hub({
    live,
    calculator,
    exchanges: { find: name => (name === 'demo' || name === 'alias' ? exchange : undefined) },
    onBug: error => bugs.push(error),
  })
  hub.publishTo((topic, text) => published.push([topic, text]))
})

const open = async (question = asked('sma', { period: 2 }), market = minute): Promise<Topic> => {
  const topic = await hub.open(market, question)
  if (isRefusal(topic)) throw new Error(topic.error)
  return topic
}
const dataOf = (text: string | Refusal) => {
  if (typeof text !== 'string') throw new Error(text.error)
  return JSON.parse(text).data
}
/** What was published since the last look: topic, minute, value. */
const news = () =>
  published.splice(0).map(([topic, text]) => [topic, dataOf(text).timestamp / 60, dataOf(text).sma])

describe('a topic', () => {
  it('is one for all who ask the same, and computed once', async () => {
    const [one, other] = [await open(), await open(asked('sma', { optInTimePeriod: 2 }))]
    expect(other).toBe(one)
    expect(await open(asked('sma', { period: 3 }))).not.toBe(one)
    expect(await open(asked('sma', { period: 2, source: 'close' }))).not.toBe(one)
    expect(
      await open(asked('sma', { period: 2 }), { ...minute, exchange: 'alias' }),
      'by another name',
    ).not.toBe(one)
    live.move([candle(50)], 51)
    live.tell()
    expect(published.filter(([topic]) => topic === one.all)).toHaveLength(1)
  })

  it('publishes each closed candle to both audiences in order, then the forming one', async () => {
    const { all, closes } = await open()
    live.move([candle(50, 10), candle(51, 20), candle(52, 30)], 52)
    live.tell()
    expect(news()).toEqual([
      [all, 50, (104 + 10) / 2],
      [closes, 50, (104 + 10) / 2],
      [all, 51, 15],
      [closes, 51, 15],
      [all, 52, 25],
    ])
  })

  it('publishes no value twice while a candle is forming, but every closed one', async () => {
    const { all, closes } = await open()
    for (const close of [7, 7, 9, 9]) {
      live.move([candle(50, close)], 50)
      live.tell()
    }
    expect(news()).toEqual([
      [all, 50, (104 + 7) / 2],
      [all, 50, (104 + 9) / 2],
    ])
    live.move([candle(50, 9)], 51)
    live.tell()
    expect(news()).toEqual([
      [all, 50, (104 + 9) / 2],
      [closes, 50, (104 + 9) / 2],
    ])
  })

  it('follows a correction of a closed candle without telling one twice', async () => {
    const topic = await open()
    live.move([candle(50, 10), candle(51, 20)], 51)
    live.tell()
    published.length = 0
    live.move([candle(50, 30), candle(51, 20)], 51)
    live.tell()
    expect(news()).toEqual([[topic.all, 51, 25]])
    expect(dataOf(topic.current(true))).toEqual({ sma: (104 + 30) / 2, timestamp: 3000 })
  })

  it('fills a gap in order, also together with a correction', async () => {
    const topic = await open()
    live.move([candle(49, 5), ...candles(50, 54)], 53)
    live.tell()
    expect(news().map(([name, at]) => [name, at])).toEqual([
      [topic.all, 50],
      [topic.closes, 50],
      [topic.all, 51],
      [topic.closes, 51],
      [topic.all, 52],
      [topic.closes, 52],
      [topic.all, 53],
    ])
  })

  it('shows newcomers the forming candle as it is now, and then publishes the next value whatever it is', async () => {
    const topic = await open()
    live.move([candle(50, 6)], 50)
    live.tell()
    published.length = 0
    live.move([candle(50, 8)], 50)
    expect(dataOf(topic.current(false))).toEqual({ sma: (104 + 8) / 2, timestamp: 3000 })
    expect(dataOf(topic.current(true))).toEqual({ sma: (103 + 104) / 2, timestamp: 2940 })
    live.move([candle(50, 6)], 50)
    live.tell()
    expect(news(), 'who has heard 8 must hear that it is 6 again').toEqual([[topic.all, 50, (104 + 6) / 2]])
  })

  it('shows newcomers nothing that others have yet to hear as closed', async () => {
    const topic = await open()
    live.move([candle(50, 6), candle(51, 7)], 51)
    expect(dataOf(topic.current(false)).timestamp).toBe(2940)
    live.tell()
    expect(news().map(([, at]) => at)).toEqual([50, 50, 51])
  })

  it('goes on after a computation that failed, and holds up no other', async () => {
    const [broken, sound] = [await open(), await open(asked('sma', { period: 3 }))]
    const { advance } = broken.calculation
    broken.calculation.advance = () => {
      throw new Error('a bug')
    }
    live.move([candle(50)], 51)
    live.tell()
    expect(bugs).toHaveLength(1)
    expect(published.map(([topic]) => topic)).toEqual([sound.all, sound.closes])
    broken.calculation.advance = advance
    live.move([candle(51)], 52)
    live.tell()
    expect(
      published.filter(([topic]) => topic === broken.all).map(([, text]) => dataOf(text).timestamp / 60),
    ).toEqual([50, 51])
  })
})

describe('a market', () => {
  it('is followed once, as long as anybody asks about it', async () => {
    const topics = [await open(), await open(), await open(asked('rsi'))]
    expect(live.feeds).toBe(1)
    for (const topic of topics) {
      expect(live.feeds).toBe(1)
      hub.close(topic)
    }
    expect(live.feeds).toBe(0)
    await open()
    expect(live.feeds).toBe(1)
  })

  it('is followed once also by those who wait for it together', async () => {
    let release = () => {}
    live.gate = new Promise(resolve => {
      release = resolve
    })
    const opened = [open(), open(asked('rsi')), hub.open(minute, asked('rsi', { period: 60 }))]
    release()
    const [one, , short] = await Promise.all(opened)
    expect(short).toEqual({ status: 400, error: 'Not enough candles: rsi needs 61, 50 available' })
    expect(live.feeds).toBe(1)
    expect((one as Topic).market.topics.size).toBe(2)
  })

  it('is let go when the only question needs more candles than there are', async () => {
    expect(await hub.open(minute, asked('rsi', { period: 60 }))).toMatchObject({ status: 400 })
    expect(live.feeds).toBe(0)
  })

  it('that cannot be had is refused as REST refuses it, and asked for again the next time', async () => {
    live.failure = new SourceFailure('unknown-symbol', 'no such symbol')
    expect(await hub.open(minute, asked('rsi'))).toEqual({
      status: 404,
      error: 'Symbol not found: BTCUSDT on demo',
    })
    live.failure = new SourceFailure('unavailable', 'timed out')
    expect(await hub.open(minute, asked('rsi'))).toMatchObject({
      status: 503,
      error: 'Exchange unavailable: demo (timed out)',
    })
    expect(await hub.open({ ...minute, exchange: 'nowhere' }, asked('rsi'))).toMatchObject({ status: 404 })
    live.failure = undefined
    expect((await open()).listeners).toBe(1)
  })
})
