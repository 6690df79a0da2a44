import { describe, expect, it } from 'vitest'
import type { Candle } from '../../src/candles/candle.js'
import { type Source, SourceFailure } from '../../src/exchanges/source.js'
import { noopCounters } from '../../src/history/counters.js'
import { History } from '../../src/history/history.js'
import type { Pending, Reading } from '../../src/history/reading.js'

const market = { exchange: 'x', symbol: 'BTCUSDT', timeframe: '1m' } as const
const depth = 20

/** An exchange whose answers are what it knows when they are let go. */
class Exchange implements Source {
  now = 100_000 * 60 + 30
  scale = 1
  /** By how many seconds the answers are behind. */
  lag = 0
  failure: Error | undefined
  fetches: number[] = []

  symbols() {
    return ['BTCUSDT']
  }

  async candles(_symbol: string, _timeframe: string, count: number): Promise<readonly Candle[]> {
    this.fetches.push(count)
    await Promise.resolve()
    if (this.failure) throw this.failure
    return this.list(count)
  }

  list(count: number): Candle[] {
    const now = this.now - this.lag
    const last = Math.floor(now / 60)
    return Array.from({ length: count }, (_, k) => {
      const minute = last - count + 1 + k
      const part = minute === last ? now % 60 : 60
      return {
        timestamp: minute * 60,
        open: minute * this.scale,
        high: (minute + part) * this.scale,
        low: (minute - 1) * this.scale,
        close: (minute + part / 2) * this.scale,
        volume: part,
      }
    })
  }
}

function setUp() {
  const exchange = new Exchange()
  const failures: unknown[] = []
  const stale: unknown[] = []
  const history = new History({
    depth,
    bytes: 10_000_000,
    refreshSeconds: 5,
    clock: () => exchange.now,
    onFailure: error => failures.push(error),
    counters: { ...noopCounters, stale: { add: labels => stale.push(labels) } },
  })
  return { exchange, history, failures, stale }
}
const idle = () => new Promise(setImmediate)

describe('a series whose feed shows another scale', () => {
  const pinned = async () => {
    const parts = setUp()
    const { exchange, history } = parts
    const attached = await history.pin(market, exchange)
    exchange.scale = 4
    exchange.now += 60
    exchange.fetches = []
    /** Shows what the feed brings: the newest three candles. */
    const feed = () => attached.merge(exchange.list(3), exchange.now)
    const opens = () => {
      const { columns, closed } = attached.snapshot()
      return Array.from(
        { length: closed },
        (_, i) => (columns.open[i] as number) / (columns.timestamp[i] as number),
      )
    }
    return { ...parts, attached, feed, opens }
  }
  const inScale = (scale: number) => new Set([scale / 60])

  it('is fetched once while the fetch is under way, as a whole', async () => {
    const { exchange, attached, feed, opens } = await pinned()
    feed()
    feed()
    expect(exchange.fetches).toEqual([depth])
    await idle()
    expect(new Set(opens())).toEqual(inScale(4))
    expect(attached.snapshot().forming).toMatchObject({ timestamp: 100_001 * 60, volume: 30 })
    feed()
    expect(exchange.fetches, 'nothing is to be rescaled').toEqual([depth])
    exchange.scale = 8
    feed()
    await idle()
    expect(exchange.fetches).toEqual([depth, depth])
    expect(new Set(opens())).toEqual(inScale(8))
  })

  it('is fetched three times while the answers are behind, and again at the next event', async () => {
    const { exchange, feed, opens } = await pinned()
    exchange.lag = 120
    feed()
    feed()
    await idle()
    const before = new Set(opens())
    expect(exchange.fetches).toEqual([depth, depth, depth])
    expect(before).toEqual(inScale(1))
    exchange.lag = 0
    exchange.fetches = []
    feed()
    await idle()
    expect(exchange.fetches).toEqual([depth])
    expect(new Set(opens())).toEqual(inScale(4))
  })

  it.each([
    [new SourceFailure('unavailable', 'down'), 0],
    [new TypeError('a bug'), 1],
  ])('is fetched at the next event where a fetch failed: %s', async (failure, bugs) => {
    const { exchange, failures, feed, opens } = await pinned()
    exchange.failure = failure
    feed()
    await idle()
    expect(failures).toHaveLength(bugs)
    expect(new Set(opens())).toEqual(inScale(1))
    exchange.failure = undefined
    feed()
    await idle()
    expect(new Set(opens())).toEqual(inScale(4))
  })
})

describe('a reading that could not be brought up to date', () => {
  it('is counted with its exchange, others are not', async () => {
    const { exchange, history, stale } = setUp()
    await (history.read(market, exchange) as Pending).ready
    exchange.now += 10
    await history.read(market, exchange)
    expect(stale).toEqual([])
    exchange.failure = new SourceFailure('unavailable', 'down')
    exchange.now += 10
    expect(await history.read(market, exchange)).toMatchObject({ stale: true })
    expect(stale.length).toBeGreaterThan(0)
    expect(stale[0]).toEqual({ exchange: 'x' })
  })

  it('is tried again while readers wait where its symbol was not known for a moment', async () => {
    const { exchange, history } = setUp()
    await (history.read(market, exchange) as Pending).ready
    exchange.failure = new SourceFailure('unknown-symbol', 'no')
    exchange.now += 10
    expect(await (history.read(market, exchange) as Promise<Reading>)).toMatchObject({ stale: true })
    exchange.failure = undefined
    exchange.now += 6
    const again = history.read(market, exchange)
    expect(again, 'the exchange is not taken to be down').toBeInstanceOf(Promise)
    expect(await again).toMatchObject({ stale: false })
  })
})
