import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Candle } from '../../../../src/candles/candle.js'
import { Series } from '../../../../src/candles/series.js'
import { ArchiveLimit } from '../../../../src/markets/archive/archive-limit.js'
import { type Source, SourceFailure } from '../../../../src/markets/exchanges/source.js'
import {
  clockSkewOf,
  createEntry,
  freshSince,
  SeriesCache,
} from '../../../../src/markets/history/cache-entry.js'
import {
  asFailure,
  CandleFetcher,
  FirstFetches,
  type TooManyFirstFetches,
} from '../../../../src/markets/history/candle-fetcher.js'
import { passMonotonic, resetMonotonic } from '../../../support/monotonic-clock.js'

afterEach(resetMonotonic)

const candle = (minute: number): Candle => ({
  ...{ timestamp: minute * 60, open: 1, high: 1, low: 1, close: 1 },
  volume: minute,
})
const marketOf = (exchange: string) => ({ exchange, symbol: 'BTCUSDT', timeframe: '1m' }) as const
const sourceOf = (answer: () => readonly Candle[] | Promise<readonly Candle[]>): Source => ({
  symbols: () => [],
  candles: answer,
})
/** The bytes of a series with few candles. */
const seriesBytes = new Series('1m', 10).bytes

const entryOf = (key: string, series = new Series('1m', 5000)) =>
  createEntry({
    ...{ key, market: marketOf('x'), source: sourceOf(() => []), series },
    ...{ archived: undefined, lastFetchAt: 0 },
  })

describe('the series in memory', () => {
  const filled = (places: number, ...keys: string[]) => {
    const cache = new SeriesCache(places * seriesBytes)
    const entries = keys.map(key => entryOf(key))
    for (const entry of entries) cache.put(entry)
    return { cache, entries }
  }
  const kept = (cache: SeriesCache, ...keys: string[]) => keys.filter(key => cache.has(key))

  it('are dropped when they take too much memory, the least recently used first', () => {
    const { cache, entries } = filled(2, 'a', 'b')
    expect(cache.get('a')).toBe(entries[0])
    cache.put(entryOf('c'))
    expect(kept(cache, 'a', 'b', 'c')).toEqual(['a', 'c'])
    expect(cache.get('c')).toBeDefined()
    expect(cache.has('a')).toBe(true)
    cache.put(entryOf('d'))
    expect(kept(cache, 'a', 'c', 'd'), 'to ask whether one is there is no use of it').toEqual(['c', 'd'])
    cache.put(entryOf('e'))
    expect(kept(cache, 'c', 'd', 'e'), 'it was read long ago').toEqual(['d', 'e'])
    expect([cache.size, cache.bytes]).toEqual([2, 2 * seriesBytes])
  })

  it('are found by their handle as long as they are in memory', () => {
    const { cache, entries } = filled(1, 'a')
    const [a] = entries as [ReturnType<typeof entryOf>]
    const { handle } = a
    expect(handle.entry).toBe(a)
    cache.put(entryOf('b'))
    expect(handle.entry, 'nothing keeps its candles in memory').toBeUndefined()
    cache.put(a)
    const later = entryOf('a')
    cache.put(later)
    expect([handle.entry, later.handle.entry, cache.size]).toEqual([undefined, later, 1])
  })

  it('that are pinned stay, are counted, and take no place of the others', () => {
    const { cache, entries } = filled(2, 'a', 'b')
    const [a] = entries as [ReturnType<typeof entryOf>]
    cache.pin(a)
    cache.pin(a)
    a.isCurrent = true
    for (const key of ['c', 'd']) cache.put(entryOf(key))
    cache.put(a)
    expect(kept(cache, 'a', 'b', 'c', 'd')).toEqual(['a', 'c', 'd'])
    expect([cache.size, cache.bytes]).toEqual([3, 3 * seriesBytes])
    cache.unpin(a)
    expect([a.isCurrent, a.pins, cache.get('a')]).toEqual([true, 1, a])
    cache.unpin(a)
    expect([a.isCurrent, a.pins]).toEqual([false, 0])
    expect(kept(cache, 'a', 'c', 'd'), 'it counts from now on').toEqual(['a', 'd'])
  })

  it('are measured again when they have grown', () => {
    const { cache, entries } = filled(4, 'a', 'b')
    const [a, b] = entries as [ReturnType<typeof entryOf>, ReturnType<typeof entryOf>]
    for (let minute = 1; minute <= 1500; minute++) a.series.append(candle(minute))
    expect(cache.bytes).toBe(2 * seriesBytes)
    cache.resize(a)
    expect(cache.bytes).toBe(3 * seriesBytes)
    cache.resize(entryOf('b'))
    expect(cache.get('b'), 'an entry that was dropped takes no place of another one').toBe(b)
    cache.pin(b)
    cache.resize(b)
    expect([cache.size, cache.bytes]).toEqual([2, 3 * seriesBytes])
  })
})

describe('an answer of an exchange', () => {
  const now = 100 * 60 + 30
  const since = (clockSkewSeconds: number, source: { freshSeconds?: number } = {}, at = now) =>
    freshSince({ freshSeconds: source.freshSeconds, market: marketOf('x'), clockSkewSeconds }, 5, at)

  it('is fresh for some seconds, unless a candle has closed since', () => {
    expect(since(0)).toBe(now - 5)
    expect(since(0, { freshSeconds: 20 })).toBe(now - 20)
    expect(since(0, { freshSeconds: 40 }), 'the minute began 30 s ago').toBe(100 * 60)
    expect(since(0, {}, 100 * 60 + 2)).toBe(100 * 60)
  })

  it('is fresh as long by the clock of an exchange that is ahead', () => {
    expect(since(10, { freshSeconds: 60 }), 'its minute began 40 s ago').toBe(now - 40)
    expect(since(29, {}, now + 2), 'its minute began a second ago').toBe(now + 1)
  })

  it('shows by how much the clock of the exchange is ahead', () => {
    const series = new Series('1m', 100)
    expect(clockSkewOf(series, now)).toBe(0)
    series.append(candle(100))
    expect([clockSkewOf(series, now), clockSkewOf(series, 99 * 60)]).toEqual([0, 60])
  })
})

describe('requests for candles', () => {
  const setUp = () => {
    const counted: object[] = []
    const fetcher = new CandleFetcher({
      counters: { fetchSeconds: { add: (_, labels) => counted.push(labels as object) } },
      downSeconds: 10,
    })
    const fetch = async (exchange: string, answer: () => readonly Candle[] | Promise<readonly Candle[]>) => {
      const request = () => fetcher.fetch({ market: marketOf(exchange), source: sourceOf(answer) }, 5)
      return (async () => request())().catch(error => error)
    }
    return { fetcher, fetch, counted }
  }
  const throwing = (error: Error) => () => {
    throw error
  }
  const down = new SourceFailure('unavailable', 'down', { cause: new Error('ECONNREFUSED') })

  it('are counted by their exchange and outcome, whether the source answers at once or later', async () => {
    const { fetch, counted } = setUp()
    const unknown = new SourceFailure('unknown-symbol', 'no')
    const bug = new TypeError('a bug')
    expect(await fetch('a', () => [candle(1)])).toEqual([candle(1)])
    expect(await fetch('b', async () => [candle(2)])).toEqual([candle(2)])
    expect(await fetch('c', throwing(unknown))).toBe(unknown)
    expect(await fetch('d', () => Promise.reject(bug))).toBe(bug)
    expect(counted).toEqual([
      { exchange: 'a', outcome: 'ok' },
      { exchange: 'b', outcome: 'ok' },
      { exchange: 'c', outcome: 'unknown-symbol' },
      { exchange: 'd', outcome: 'unavailable' },
    ])
  })

  it('name the exchanges that fail, until they answer: for a reason of their own, not of the request', async () => {
    const { fetcher, fetch } = setUp()
    await fetch('down', () => Promise.reject(down))
    await fetch('also', throwing(down))
    await fetch('unknown', throwing(new SourceFailure('unknown-symbol', 'no', { cause: new Error('x') })))
    await fetch('timeframe', throwing(new SourceFailure('unavailable', 'it has no such timeframe')))
    await fetch('bug', throwing(new TypeError('a bug', { cause: new Error('x') })))
    expect(fetcher.failing).toEqual(['also', 'down'])
    await fetch('down', () => [])
    expect(fetcher.failing).toEqual(['also'])
  })

  it('take an exchange to be down for a while, or until it answers', async () => {
    const { fetcher, fetch } = setUp()
    const isDown = (exchange: string) => fetcher.isDown(marketOf(exchange))
    fetcher.markDown(marketOf('a'))
    fetcher.markDown(marketOf('b'))
    expect([isDown('a'), isDown('b'), isDown('c')]).toEqual([true, true, false])
    await fetch('b', () => [])
    expect(isDown('b')).toBe(false)
    await passMonotonic(5000)
    expect(isDown('a')).toBe(true)
    await passMonotonic(5000)
    expect(isDown('a')).toBe(false)
  })
})

describe('first fetches', () => {
  const fetch = { ready: Promise.resolve() }
  const key = (exchange: string, symbol: string) => `${exchange}:${symbol}:1m`
  /** Starts a fetch, or returns the scope, the kind and the limit of its refusal. */
  const start = (fetches: FirstFetches<typeof fetch>, name: string, caller?: string) => {
    try {
      fetches.check(name, caller)
    } catch (error) {
      const { scope, of, limit } = error as TooManyFirstFetches
      return `${scope} ${of} ${limit}`
    }
    fetches.add(name, fetch, caller)
    return 'started'
  }

  it('are bounded for each caller and for all, and make room when they end', () => {
    const fetches = new FirstFetches<typeof fetch>({ total: 4, perCaller: 2 })
    expect([1, 2, 3].map(k => start(fetches, key('x', `A${k}`), 'a'))).toEqual([
      'started',
      'started',
      'caller markets 2',
    ])
    expect(start(fetches, key('x', 'B1'), 'b')).toBe('started')
    expect(start(fetches, key('x', 'C1'))).toBe('started')
    expect(start(fetches, key('x', 'C2')), 'without a caller').toBe('total markets 4')
    expect([fetches.has(key('x', 'A1')), fetches.get(key('x', 'A1')), fetches.has(key('x', 'A3'))]).toEqual([
      true,
      fetch,
      false,
    ])
    fetches.finish(key('x', 'A1'), 'a')
    expect(fetches.has(key('x', 'A1'))).toBe(false)
    expect([start(fetches, key('x', 'A3'), 'a'), start(fetches, key('x', 'A4'), 'a')]).toEqual([
      'started',
      'caller markets 2',
    ])
    for (const symbol of ['A2', 'A3']) fetches.finish(key('x', symbol), 'a')
    fetches.finish(key('x', 'C1'), undefined)
    expect([1, 2, 3].map(k => start(fetches, key('x', `D${k}`), 'a'))).toEqual([
      'started',
      'started',
      'caller markets 2',
    ])
  })

  it('from exchanges that were never fetched from are bounded in the same way', () => {
    const limits = { total: 100, perCaller: 100, exchanges: { total: 3, perCaller: 2 } }
    const fetches = new FirstFetches<typeof fetch>(limits)
    expect(start(fetches, key('one', 'A'), 'a')).toBe('started')
    expect(start(fetches, key('two', 'A'), 'a')).toBe('started')
    expect(start(fetches, key('two', 'B'), 'a'), 'it is opened for this caller already').toBe('started')
    expect(start(fetches, key('three', 'A'), 'a')).toBe('caller exchanges 2')
    expect(start(fetches, key('two', 'C'), 'b')).toBe('started')
    expect(start(fetches, key('three', 'B'), 'b')).toBe('started')
    expect(start(fetches, key('one', 'D'), 'b'), 'opened by others, and one too many for this caller').toBe(
      'caller exchanges 2',
    )
    expect(start(fetches, key('one', 'D')), 'without a caller').toBe('started')
    expect(start(fetches, key('four', 'A'))).toBe('total exchanges 3')
    fetches.finish(key('one', 'A'), 'a')
    expect(start(fetches, key('one', 'E'), 'b'), 'it is open').toBe('started')
    expect(start(fetches, key('four', 'A'), 'a')).toBe('started')
    expect(start(fetches, key('five', 'A'), 'c')).toBe('total exchanges 3')
  })

  it('may open twenty exchanges for a caller, and fifty for all, where nothing else is set', () => {
    const fetches = new FirstFetches<typeof fetch>({ total: 1000, perCaller: 1000 })
    const started = (caller: string) =>
      Array.from({ length: 25 }, (_, k) => start(fetches, key(`${caller}${k}`, 'A'), caller)).filter(
        outcome => outcome === 'started',
      ).length
    expect([started('a'), started('b'), started('c')]).toEqual([20, 20, 10])
  })
})

it.each([
  [new TypeError('a bug'), 'a bug'],
  ['a text', 'a text'],
  [undefined, 'undefined'],
])('what a source throws by mistake, %s, is a failure of the exchange with its cause', (thrown, message) => {
  expect(asFailure(thrown)).toMatchObject({ kind: 'unavailable', message, cause: thrown })
})

describe('the archive', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const minute = 60_000
  const checks = (work: () => void | Promise<void>) => {
    const failures: unknown[] = []
    const alone: unknown[] = []
    const limit = new ArchiveLimit({
      archive: { usage: () => [], remove() {}, prepareList: async () => work() },
      maxBytes: 1,
      isInMemory: () => false,
      onFailure: error => failures.push(error),
      onLeader: async (name, everyMs, check) => {
        alone.push([name, everyMs])
        await check()
      },
    })
    return { limit, failures, alone }
  }

  it('is checked every minute by one of the nodes, also after a check that failed, until it is closed', async () => {
    let checked = 0
    const { limit, failures, alone } = checks(() => {
      checked++
      if (checked === 1) throw new Error('no disk')
    })
    limit.start()
    await vi.advanceTimersByTimeAsync(minute - 1)
    expect(checked).toBe(0)
    await vi.advanceTimersByTimeAsync(1)
    expect([checked, failures, alone]).toEqual([1, [new Error('no disk')], [['archive-limit', minute / 2]]])
    await vi.advanceTimersByTimeAsync(minute)
    expect(checked).toBe(2)
    limit.close()
    await vi.advanceTimersByTimeAsync(5 * minute)
    expect([checked, failures.length]).toEqual([2, 1])
  })

  it('is not checked again where it was closed during a check', async () => {
    let checked = 0
    const { limit } = checks(() => {
      checked++
      limit.close()
    })
    limit.start()
    await vi.advanceTimersByTimeAsync(10 * minute)
    expect(checked).toBe(1)
  })

  it('is checked more rarely where a check takes long', async () => {
    let checked = 0
    const clock = vi.spyOn(performance, 'now')
    const { limit } = checks(() => {
      checked++
      clock.mockReturnValue(checked * 3000)
    })
    clock.mockReturnValue(0)
    limit.start()
    await vi.advanceTimersByTimeAsync(minute)
    expect(checked).toBe(1)
    await vi.advanceTimersByTimeAsync(5 * minute - 1)
    expect(checked, 'the check took 3 s, a hundredth of five minutes').toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(checked).toBe(2)
    limit.close()
    clock.mockRestore()
  })
})

describe('an archive that is too large', () => {
  it('is reported once, and again after it had fitted', async () => {
    const state = { bytes: 200, inMemory: true }
    const removed: string[] = []
    const exceeded: number[] = []
    const limit = new ArchiveLimit({
      archive: {
        usage: () => [{ key: 'a', bytes: state.bytes, isRequested: false, writtenHour: 1 }],
        remove: key => void removed.push(key),
        prepareList: async () => {},
      },
      maxBytes: 100,
      isInMemory: () => state.inMemory,
      onExceeded: bytes => exceeded.push(bytes),
    })
    await limit.check()
    await limit.check()
    expect(exceeded).toEqual([200])
    state.bytes = 100
    await limit.check()
    expect(exceeded).toEqual([200])
    state.bytes = 300
    await limit.check()
    expect([exceeded, removed]).toEqual([[200, 300], []])
    state.inMemory = false
    await limit.check()
    expect([exceeded, removed]).toEqual([[200, 300], ['a']])
  })

  /** A limit of 100 bytes, the state it looks at, and the removed series and reported sizes. */
  const checks = () => {
    const state = {
      sizes: {} as Readonly<Record<string, number>>,
      inMemory: new Set<string>(),
      onRemoved() {},
    }
    const [removed, exceeded]: [string[], number[]] = [[], []]
    const limit = new ArchiveLimit({
      archive: {
        usage: () =>
          Object.entries(state.sizes).map(([key, bytes], writtenHour) => ({
            ...{ key, bytes, writtenHour, isRequested: false },
          })),
        remove: key => {
          removed.push(key)
          state.onRemoved()
        },
        prepareList: async () => {},
      },
      maxBytes: 100,
      isInMemory: key => state.inMemory.has(key),
      onExceeded: bytes => exceeded.push(bytes),
    })
    return { limit, state, removed, exceeded }
  }

  it('loses nothing while it fits, and then as much as brings it to 95 % of the limit', async () => {
    const { limit, state, removed, exceeded } = checks()
    state.sizes = { a: 50, b: 50 }
    await limit.check()
    expect(removed).toEqual([])
    state.sizes = { a: 6, b: 50, c: 45 }
    await limit.check()
    expect(removed).toEqual(['a'])
    expect(exceeded).toEqual([])
  })

  it('is reported where it has grown after a check that made room, but not where it just fits', async () => {
    const { limit, state, removed, exceeded } = checks()
    state.inMemory.add('b')
    state.sizes = { a: 50, b: 100 }
    await limit.check()
    expect([removed, exceeded]).toEqual([['a'], []])
    state.sizes = { b: 101 }
    await limit.check()
    expect(exceeded).toEqual([101])
  })

  it('keeps a series that was read since it was measured', async () => {
    const { limit, state, removed } = checks()
    state.sizes = { a: 60, b: 60, c: 60 }
    state.onRemoved = () => void state.inMemory.add('b')
    await limit.check()
    expect(removed).toEqual(['a', 'c'])
  })
})
