import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Candle } from '../../../../src/candles/candle.js'
import type { Store } from '../../../../src/contract/storage/stores.js'
import { Archive } from '../../../../src/markets/archive/archive.js'
import { type FetchOptions, type Source, SourceFailure } from '../../../../src/markets/exchanges/source.js'
import { noopCounters } from '../../../../src/markets/history/candle-fetcher.js'
import { History } from '../../../../src/markets/history/history.js'
import type { Pending, Reading } from '../../../../src/markets/history/reading.js'
import { openEmbedded } from '../../../../src/store/embedded/embedded.js'

const market = { exchange: 'x', symbol: 'BTCUSDT', timeframe: '1m' } as const
const depth = 20

/** An exchange whose answers hold its candles at the time when they are released. */
class Exchange implements Source {
  now = 100_000 * 60 + 30
  scale = 1
  /** Delay of the answers, in seconds. */
  lag = 0
  failure: Error | undefined
  fetches: number[] = []
  /** Number of requests for which no client waits. */
  inBackground = 0
  /** Answers wait for this. */
  gate: Promise<unknown> = Promise.resolve()

  symbols() {
    return ['BTCUSDT']
  }

  async candles(
    _symbol: string,
    _timeframe: string,
    count: number,
    { until, isBackground = false }: FetchOptions = {},
  ): Promise<readonly Candle[]> {
    this.fetches.push(count)
    if (isBackground) this.inBackground++
    await this.gate
    if (this.failure) throw this.failure
    return this.list(count, until)
  }

  list(count: number, until = Number.POSITIVE_INFINITY): Candle[] {
    const now = this.now - this.lag
    const forming = Math.floor(now / 60)
    const last = Math.min(forming, Math.ceil(until / 60) - 1)
    return Array.from({ length: count }, (_, k) => {
      const minute = last - count + 1 + k
      const part = minute === forming ? now % 60 : 60
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

function setUp({ skew = 0, ...options }: { skew?: number; depth?: number; archive?: Archive } = {}) {
  const exchange = new Exchange()
  const failures: unknown[] = []
  const stale: unknown[] = []
  const history = new History({
    depth,
    bytes: 10_000_000,
    refreshSeconds: 5,
    clock: () => exchange.now - skew,
    onFailure: error => failures.push(error),
    counters: { ...noopCounters, stale: { add: labels => stale.push(labels) } },
    ...options,
  })
  return { exchange, history, failures, stale }
}
/** Resolves when the queued work has had its turns of the event loop. */
const idle = async () => {
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
}

describe('a series whose feed shows another scale', () => {
  const pinned = async () => {
    const parts = setUp()
    const { exchange, history } = parts
    const attached = await history.pin(market, exchange)
    exchange.scale = 4
    exchange.now += 60
    exchange.fetches = []
    /** Shows the newest three candles, as the feed does. */
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
  const seconds = async (count: number) => {
    await vi.advanceTimersByTimeAsync(count * 1000)
    await idle()
  }
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

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

  it('is fetched until the answers are not behind any more, after longer and longer pauses', async () => {
    const { exchange, feed, opens } = await pinned()
    exchange.lag = 120
    feed()
    feed()
    await idle()
    expect(exchange.fetches, 'at once').toEqual([depth])
    await seconds(1)
    expect(exchange.fetches, 'after a second at most').toEqual([depth, depth])
    await seconds(2)
    expect(exchange.fetches, 'after two more').toEqual([depth, depth, depth])
    expect(new Set(opens())).toEqual(inScale(1))
    exchange.lag = 0
    await seconds(4)
    expect(exchange.fetches).toHaveLength(4)
    expect(new Set(opens())).toEqual(inScale(4))
    await seconds(60)
    expect(exchange.fetches, 'it has succeeded').toHaveLength(4)
  })

  it.each([
    [new SourceFailure('unavailable', 'down'), 0],
    [new TypeError('a bug'), 1],
  ])('is fetched again where a fetch failed: %s', async (failure, bugs) => {
    const { exchange, failures, feed, opens } = await pinned()
    exchange.failure = failure
    feed()
    await idle()
    expect(failures).toHaveLength(bugs)
    expect(new Set(opens())).toEqual(inScale(1))
    exchange.failure = undefined
    await seconds(1)
    expect(new Set(opens())).toEqual(inScale(4))
  })
})

describe('the forming candle of a series in another scale', () => {
  /** The series after a change of the scale. `change` returns the candles that the feed shows while the answer is in flight. */
  const rescaled = async (change: (exchange: Exchange) => readonly Candle[], answerLag: number) => {
    const { exchange, history } = setUp()
    const attached = await history.pin(market, exchange)
    exchange.scale = 4
    exchange.now += 60
    let open = () => {}
    exchange.gate = new Promise<void>(resolve => {
      open = resolve
    })
    attached.merge(exchange.list(3), exchange.now)
    attached.merge(change(exchange), 0)
    exchange.lag = answerLag
    open()
    await idle()
    const { columns, closed, forming } = attached.snapshot()
    return {
      forming,
      opens: new Set(
        Array.from(columns.open.subarray(0, closed), (value, k) => value / (columns.timestamp[k] as number)),
      ),
    }
  }
  const minute = 100_001 * 60
  const opens = new Set([4 / 60])

  it('is the one of the feed, where that is a later state', async () => {
    expect(await rescaled(exchange => exchange.list(1), 10)).toMatchObject({
      forming: { timestamp: minute, volume: 30 },
      opens,
    })
  })

  it('is the one of the answer, where that is a later state', async () => {
    const earlier = (exchange: Exchange) => {
      exchange.lag = 10
      return exchange.list(1)
    }
    expect(await rescaled(earlier, 0)).toMatchObject({ forming: { timestamp: minute, volume: 30 }, opens })
  })

  it('is the one of the answer, where the feed has shown it in the scale before', async () => {
    const before = (exchange: Exchange) => {
      exchange.scale = 1
      const shown = exchange.list(1)
      exchange.scale = 4
      return shown
    }
    expect(await rescaled(before, 10)).toMatchObject({
      forming: { timestamp: minute, open: 4 * 100_001, volume: 20 },
      opens,
    })
  })

  it('is the one of the answer, where that has begun since', async () => {
    const later = (exchange: Exchange) => {
      const shown = exchange.list(1)
      exchange.now += 60
      return shown
    }
    expect(await rescaled(later, 0)).toMatchObject({
      forming: { timestamp: minute + 60, open: 4 * 100_002 },
      opens,
    })
  })
})

describe('a series of an exchange whose clock is ahead', () => {
  /** The local clock is 90 s behind. The newest candle shows 60 s of this difference. */
  const ahead = async () => {
    const parts = setUp({ skew: 90 })
    await (parts.history.read(market, parts.exchange) as Pending).ready
    parts.exchange.fetches = []
    return parts
  }

  it('is fresh for as long as of any other', async () => {
    const { exchange, history } = await ahead()
    exchange.now += 4
    expect(history.read(market, exchange)).toMatchObject({ stale: false })
    expect(exchange.fetches).toEqual([])
    exchange.now += 2
    await history.read(market, exchange)
    expect(exchange.fetches).toHaveLength(1)
    exchange.now += 4
    expect(history.read(market, exchange)).toMatchObject({ stale: false })
    expect(exchange.fetches).toHaveLength(1)
  })

  it('is asked for as many candles as the exchange has new ones', async () => {
    const { exchange, history } = await ahead()
    exchange.now += 600
    const {
      inputs: [snapshot],
    } = (await history.read(market, exchange)) as Reading
    expect(exchange.fetches).toEqual([12])
    expect(snapshot.forming).toEqual(exchange.list(1)[0])
  })

  it('is not asked for again at once after a failure', async () => {
    const { exchange, history } = await ahead()
    exchange.failure = new SourceFailure('unknown-symbol', 'no')
    exchange.now += 6
    expect(await history.read(market, exchange)).toMatchObject({ stale: true })
    exchange.now += 4
    expect(history.read(market, exchange)).toMatchObject({ stale: true })
    expect(exchange.fetches).toHaveLength(1)
  })
})

describe('the older candles of an archived series that has become deeper', () => {
  let directory: string
  let store: Store
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'candela-'))
    store = openEmbedded(directory)
  })
  afterEach(async () => {
    await store.close()
    rmSync(directory, { recursive: true, force: true })
  })

  /** A history of three times the depth, over the archive of a history with the single depth. */
  const deeper = async () => {
    const first = setUp({ archive: new Archive(store.keyValues, { depth }) })
    await (first.history.read(market, first.exchange) as Pending).ready
    return setUp({ depth: 3 * depth, archive: new Archive(store.keyValues, { depth: 3 * depth }) })
  }
  const read = async ({ history, exchange }: ReturnType<typeof setUp>) => {
    exchange.now += 6
    return ((await history.read(market, exchange)) as Reading).inputs[0].count
  }
  const inMemory = ({ history }: ReturnType<typeof setUp>) => history.recall('x:BTCUSDT:1m')?.inputs[0].count

  it('are fetched once, while others are read', async () => {
    const parts = await deeper()
    let open = () => {}
    const { exchange } = parts
    const answer = exchange.candles.bind(exchange)
    exchange.candles = async (symbol, timeframe, count, options) => {
      const candles = await answer(symbol, timeframe, count, options)
      if (options?.isBackground)
        await new Promise<void>(resolve => {
          open = resolve
        })
      return candles
    }
    expect([await read(parts), await read(parts)]).toEqual([depth, depth])
    await expect.poll(() => exchange.inBackground).toBe(1)
    open()
    await expect.poll(() => inMemory(parts)).toBe(3 * depth + 1)
    await read(parts)
    await idle()
    expect(exchange.inBackground, 'nothing is missing').toBe(1)
    expect(parts.failures).toEqual([])
  })

  it('are fetched after the next refresh where that failed', async () => {
    const parts = await deeper()
    const { exchange } = parts
    const answer = exchange.candles.bind(exchange)
    let failures = 1
    exchange.candles = async (symbol, timeframe, count, options) => {
      const candles = await answer(symbol, timeframe, count, options)
      if (options?.isBackground && failures-- > 0) throw new SourceFailure('unavailable', 'down')
      return candles
    }
    await read(parts)
    await expect.poll(() => exchange.inBackground).toBe(1)
    await idle()
    expect([await read(parts), exchange.inBackground]).toEqual([depth, 1])
    await expect.poll(() => inMemory(parts)).toBe(3 * depth + 1)
    expect(exchange.inBackground).toBe(2)
    expect(parts.failures).toEqual([])
  })

  it('are not asked for where the exchange has no more', async () => {
    const parts = await deeper()
    const { exchange } = parts
    const list = exchange.list.bind(exchange)
    const [oldest] = list(depth + 5) as [Candle]
    exchange.list = (count, until) =>
      list(count, until).filter(({ timestamp }) => timestamp >= oldest.timestamp)
    await read(parts)
    await expect.poll(() => inMemory(parts)).toBe(depth + 5)
    await idle()
    const { inBackground } = exchange
    await read(parts)
    await idle()
    expect(exchange.inBackground).toBe(inBackground)
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
