import { afterEach, describe, expect, it } from 'vitest'
import type { Candle } from '../../../../src/candles/candle.js'
import { type Source, SourceFailure } from '../../../../src/markets/exchanges/source.js'
import { History } from '../../../../src/markets/history/history.js'
import type { Pending, Reading } from '../../../../src/markets/history/reading.js'
import { passMonotonic, resetMonotonic } from '../../../support/monotonic-clock.js'
import { scriptedScheduler } from '../../../support/scheduler.js'

afterEach(resetMonotonic)

const market = { exchange: 'x', symbol: 'BTCUSDT', timeframe: '1m' } as const

/** A market whose minute candles are known for any time, on an exchange that can be made to fail. */
class Exchange implements Source {
  now = 100_000 * 60 + 30
  fetches: number[] = []
  failure: Error | undefined
  /** It computes its candles, and returns them without a promise. */
  isComputed = false
  /** Factor of all prices. */
  scale = 1

  symbols() {
    return ['BTCUSDT']
  }

  candles(_symbol: string, _timeframe: string, count: number) {
    this.fetches.push(count)
    const last = Math.floor(this.now / 60)
    const list = Array.from({ length: count }, (_, k): Candle => {
      const minute = last - count + 1 + k
      const part = minute === last ? this.now % 60 : 60
      return {
        timestamp: minute * 60,
        open: minute * this.scale,
        high: (minute + part) * this.scale,
        low: (minute - 1) * this.scale,
        close: (minute + part / 2) * this.scale,
        volume: part,
      }
    })
    if (this.isComputed) {
      if (this.failure) throw this.failure
      return list
    }
    return this.failure ? Promise.reject(this.failure) : Promise.resolve(list)
  }
}

const setUp = (settings: Partial<ConstructorParameters<typeof History>[0]> = {}) => {
  const failures: unknown[] = []
  const exchange = new Exchange()
  const history = new History({
    depth: 200,
    bytes: 10_000_000,
    refreshSeconds: 5,
    clock: () => exchange.now,
    onFailure: error => failures.push(error),
    ...settings,
  })
  return { exchange, history, failures }
}
const newest = ({ inputs: [snapshot] }: Reading) => snapshot.forming?.timestamp

describe('history', () => {
  it('is pending at first, with one fetch for all readers, and in memory then', async () => {
    const { exchange, history } = setUp()
    const first = history.read(market, exchange) as Pending
    expect(first.key).toBe('candles:x:BTCUSDT:1m')
    expect(history.read(market, exchange)).toBe(first)
    const reading = await first.ready
    expect(reading.inputs[0].count).toBe(200)
    expect(exchange.fetches).toEqual([200])
    expect(history.read(market, exchange)).toEqual(reading)
  })

  it('is read with its first fetch where its source computes it, once for all readers', async () => {
    const { exchange, history } = setUp()
    exchange.isComputed = true
    const readings = await Promise.all([history.read(market, exchange), history.read(market, exchange)])
    for (const reading of readings) expect((reading as Reading).inputs[0].count).toBe(200)
    expect(exchange.fetches).toEqual([200])
  })

  it('opens a series in a later turn where others take this one, once for all readers', async () => {
    const { scheduler, pass } = scriptedScheduler()
    const { exchange, history } = setUp({ scheduler })
    exchange.isComputed = true
    scheduler.run('others', () => pass(5))
    const readings = [history.read(market, exchange), history.read(market, exchange)]
    expect(exchange.fetches).toEqual([])
    const [first, second] = await Promise.all(readings)
    expect((first as Reading).inputs[0].count).toBe(200)
    expect(second).toEqual(first)
    expect(exchange.fetches).toEqual([200])
    // Candles in memory are read without waiting.
    scheduler.run('others', () => pass(5))
    expect(history.read(market, exchange)).toEqual(first)
  })

  it('fetches the newest candles again when the forming one is old, once for all readers', async () => {
    const { exchange, history } = setUp()
    await (history.read(market, exchange) as Pending).ready
    exchange.now += 4
    expect(history.read(market, exchange)).not.toBeInstanceOf(Promise)
    exchange.now += 1
    const readings = await Promise.all(
      [1, 2, 3].map(() => history.read(market, exchange) as Promise<Reading>),
    )
    expect(exchange.fetches).toHaveLength(2)
    expect(exchange.fetches[1]).toBeLessThanOrEqual(3)
    for (const {
      inputs: [snapshot],
    } of readings)
      expect(snapshot.forming?.volume).toBe(35)
  })

  it('fetches again as soon as a new candle has begun', async () => {
    const { exchange, history } = setUp()
    exchange.now = 100_000 * 60 + 59
    const before = await (history.read(market, exchange) as Pending).ready
    exchange.now += 1
    const after = await (history.read(market, exchange) as Promise<Reading>)
    expect((newest(after) as number) - (newest(before) as number)).toBe(60)
    expect(after.inputs[0].count).toBe(201)
  })

  it('fetches all that is missing, and is replaced where that is more than its depth', async () => {
    const { exchange, history } = setUp()
    await (history.read(market, exchange) as Pending).ready
    exchange.now += 60 * 60
    const hour = await (history.read(market, exchange) as Promise<Reading>)
    const times = Array.from(hour.inputs[0].columns.timestamp.subarray(0, hour.inputs[0].closed))
    expect(times.slice(1).every((time, i) => time - (times[i] as number) === 60)).toBe(true)
    exchange.now += 60 * 1000
    const later = await (history.read(market, exchange) as Promise<Reading>)
    expect(later.inputs[0].count).toBe(200)
    const fresh = Array.from(later.inputs[0].columns.timestamp.subarray(0, later.inputs[0].closed))
    expect(fresh.slice(1).every((time, i) => time - (fresh[i] as number) === 60)).toBe(true)
  })

  it.each([false, true])(
    'is fetched as a whole when a split has changed its scale (computed: %s)',
    async isComputed => {
      const { exchange, history } = setUp()
      exchange.isComputed = isComputed
      const first = history.read(market, exchange)
      const before = (await ('ready' in first ? first.ready : first)) as Reading
      exchange.scale = 1 / 4
      exchange.now += 90
      const after = (await history.read(market, exchange)) as Reading
      expect(exchange.fetches).toEqual([200, 4, 200])
      const { columns, closed } = after.inputs[0]
      expect(Array.from(columns.open.subarray(0, closed))).toEqual(
        Array.from(columns.timestamp.subarray(0, closed), time => time / 60 / 4),
      )
      expect(before.inputs[0].columns.open[0], 'older snapshots stay what they were').toBe(100_000 - 199)
    },
  )

  it('is known from its first fetch on, and recalled without a fetch once it is in memory', async () => {
    const { exchange, history } = setUp()
    const key = 'x:BTCUSDT:1m'
    expect([history.has(key), history.recall(key), history.size]).toEqual([false, undefined, 0])
    const pending = history.read(market, exchange) as Pending
    expect([history.has(key), history.recall(key)]).toEqual([true, undefined])
    const {
      inputs: [snapshot],
    } = await pending.ready
    expect([history.has(key), history.size, history.bytes > 0]).toEqual([true, 1, true])
    exchange.now += 600
    expect(history.recall(key)).toEqual({ kind: 'candles', inputs: [snapshot], stale: true, age: 570 })
    expect(exchange.fetches).toHaveLength(1)
  })

  it('is fetched again after the clock was set back', async () => {
    const { exchange, history } = setUp()
    await (history.read(market, exchange) as Pending).ready
    exchange.now -= 20
    await history.read(market, exchange)
    expect(exchange.fetches).toHaveLength(2)
  })

  it('has no hole where its feed goes on further than its depth from there', async () => {
    const { exchange, history } = setUp()
    const pinned = await history.pin(market, exchange)
    exchange.now += 1000 * 60
    const { columns, closed, forming } = pinned.merge(await exchange.candles('', '', 200), exchange.now)
    const last = Math.floor(exchange.now / 60)
    expect([closed, (columns.timestamp[0] as number) / 60, (forming?.timestamp ?? 0) / 60]).toEqual([
      199,
      last - 199,
      last,
    ])
  })

  it('is kept up to date by its feeds until each of them has released it', async () => {
    const { exchange, history } = setUp()
    const [one, other] = [await history.pin(market, exchange), await history.pin(market, exchange)]
    one.isCurrent = true
    exchange.now += 600
    expect(history.read(market, exchange)).toEqual({
      kind: 'candles',
      inputs: [other.snapshot()],
      stale: true,
      age: 570,
    })
    one.release()
    one.release()
    expect(other.isCurrent).toBe(true)
    other.release()
    await history.read(market, exchange)
    expect(exchange.fetches).toHaveLength(2)
  })

  it('is fetched as a whole when its feed shows another scale', async () => {
    const { exchange, history } = setUp()
    const attached = await history.pin(market, exchange)
    exchange.scale = 4
    exchange.now += 60
    const known = attached.snapshot()
    expect(attached.merge(await exchange.candles('', '', 3), exchange.now), 'nothing is mixed in').toBe(known)
    await expect.poll(() => attached.snapshot().columns).not.toBe(known.columns)
    const { columns, closed, forming } = attached.snapshot()
    expect(Array.from(columns.open.subarray(0, closed))).toEqual(
      Array.from(columns.timestamp.subarray(0, closed), time => (time / 60) * 4),
    )
    expect(forming?.timestamp).toBe(Math.floor(exchange.now / 60) * 60)
    attached.release()
  })

  it('keeps its candles when its market was closed for longer than its depth', async () => {
    const { exchange, history } = setUp()
    const {
      inputs: [snapshot],
    } = await (history.read(market, exchange) as Pending).ready
    const { candles } = exchange
    const friday = exchange.now
    exchange.candles = (symbol, timeframe, count) => {
      const monday = exchange.now
      exchange.now = friday
      const list = candles.call(exchange, symbol, timeframe, count)
      exchange.now = monday
      return list
    }
    exchange.now += 3 * 86_400
    const after = await (history.read(market, exchange) as Promise<Reading>)
    expect(after.inputs[0].columns, 'no candle was lost or replaced').toBe(snapshot.columns)
    expect(after.inputs[0].count).toBe(200)
  })

  it('marks the last candles stale while the exchange is down, and does not ask at every read', async () => {
    const { exchange, history } = setUp()
    await (history.read(market, exchange) as Pending).ready
    exchange.failure = new SourceFailure('unavailable', 'down')
    exchange.now += 10
    expect((await (history.read(market, exchange) as Promise<Reading>)).stale).toBe(true)
    expect((history.read(market, exchange) as Reading).stale).toBe(true)
    expect(exchange.fetches).toHaveLength(2)
    exchange.failure = undefined
    exchange.now += 10
    await passMonotonic(10_000)
    expect((await (history.read(market, exchange) as Promise<Reading>)).stale).toBe(false)
  })

  it.each([
    ['unknown-symbol', 30],
    ['unavailable', 5],
  ] as const)('remembers that a first fetch failed as %s for %i seconds', async (kind, seconds) => {
    const { exchange, history } = setUp()
    exchange.failure = new SourceFailure(kind, 'no')
    await expect((history.read(market, exchange) as Pending).ready).rejects.toBe(exchange.failure)
    expect(() => history.read(market, exchange)).toThrow(exchange.failure)
    expect(exchange.fetches).toHaveLength(1)
    exchange.failure = undefined
    await passMonotonic((seconds - 1) * 1000)
    expect(() => history.read(market, exchange)).toThrow(SourceFailure)
    await passMonotonic(1000)
    expect((await (history.read(market, exchange) as Pending).ready).inputs[0].count).toBe(200)
  })

  it.each([false, true])(
    'reports a bug of a source and does not take its exchange to be down (computed: %s)',
    async isComputed => {
      const { exchange, history, failures } = setUp()
      await (history.read(market, exchange) as Pending).ready
      const bug = new TypeError('a bug')
      exchange.failure = bug
      exchange.isComputed = isComputed
      exchange.now += 10
      expect(await history.read(market, exchange)).toMatchObject({ stale: true })
      expect(failures).toEqual([bug])
      exchange.failure = undefined
      exchange.isComputed = false
      exchange.now += 6
      const reading = history.read(market, exchange)
      expect(reading, 'a reader waits for an exchange that is up').toBeInstanceOf(Promise)
      expect(await reading).toMatchObject({ stale: false })
    },
  )

  it('reports a bug in a first fetch', async () => {
    const { exchange, history, failures } = setUp()
    const bug = new TypeError('a bug')
    exchange.failure = bug
    exchange.isComputed = true
    await expect(history.read(market, exchange)).rejects.toThrow(bug)
    exchange.isComputed = false
    const other = { ...market, symbol: 'ETHUSDT' }
    await expect((history.read(other, exchange) as Pending).ready).rejects.toBe(bug)
    expect(failures).toEqual([bug, bug])
  })

  it('answers with "unavailable" where a source throws anything else', async () => {
    const { exchange, history } = setUp()
    exchange.failure = new TypeError('a bug')
    await expect((history.read(market, exchange) as Pending).ready).rejects.toThrow('a bug')
    expect(() => history.read(market, exchange)).toThrow(expect.objectContaining({ kind: 'unavailable' }))
  })

  it('drops the least recently read series when memory is full', async () => {
    const { exchange, history } = setUp({ bytes: 200_000 })
    exchange.isComputed = true
    for (let i = 0; i < 10; i++) await history.read({ ...market, symbol: `S${i}` }, exchange)
    exchange.fetches = []
    await history.read({ ...market, symbol: 'S9' }, exchange)
    expect(exchange.fetches).toEqual([])
    await history.read({ ...market, symbol: 'S0' }, exchange)
    expect(exchange.fetches).toEqual([200])
  })

  describe('limits the first fetches under way', () => {
    const other = (i: number) => ({ ...market, symbol: `S${i}` })
    const tooMany = (scope: string, limit: number) =>
      expect.objectContaining({
        name: 'TooManyFirstFetches',
        scope,
        limit,
        kind: 'unavailable',
        retryAfter: 1,
      })

    it('for each caller, until they have ended', async () => {
      const { exchange, history } = setUp({ firstFetchLimits: { total: 100, perCaller: 2 } })
      const first = history.read(other(1), exchange, 'one') as Pending
      const second = history.read(other(2), exchange, 'one') as Pending
      expect(() => history.read(other(3), exchange, 'one')).toThrow(tooMany('caller', 2))
      expect(history.read(other(2), exchange, 'one'), 'what is under way is not another one').toBe(second)
      const shared = history.read(other(3), exchange, 'two') as Pending
      expect(history.read(other(3), exchange, 'one'), 'nor is what another caller has started').toBe(shared)
      await Promise.all([first.ready, second.ready])
      expect('ready' in history.read(other(4), exchange, 'one')).toBe(true)
      expect(exchange.fetches).toHaveLength(4)
    })

    it('for all callers together', async () => {
      const { exchange, history } = setUp({ firstFetchLimits: { total: 2, perCaller: 2 } })
      const first = history.read(other(1), exchange, 'one') as Pending
      history.read(other(2), exchange)
      expect(() => history.read(other(3), exchange, 'two')).toThrow(tooMany('total', 2))
      expect(() => history.read(other(3), exchange)).toThrow(tooMany('total', 2))
      await expect(history.pin(other(3), exchange)).rejects.toThrow(tooMany('total', 2))
      await first.ready
      expect('ready' in history.read(other(3), exchange, 'two')).toBe(true)
    })

    it('also where they fail', async () => {
      const { exchange, history } = setUp({ firstFetchLimits: { total: 1, perCaller: 1 } })
      exchange.failure = new SourceFailure('unavailable', 'no')
      await expect((history.read(other(1), exchange, 'one') as Pending).ready).rejects.toThrow('no')
      exchange.failure = undefined
      expect((await (history.read(other(2), exchange, 'one') as Pending).ready).inputs[0].count).toBe(200)
    })
  })
})
