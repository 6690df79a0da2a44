import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Candle } from '../../../../src/candles/candle.js'
import type { Snapshot } from '../../../../src/candles/columns.js'
import { type KeyValueStore, type Store, StoreFailure } from '../../../../src/contract/storage/stores.js'
import { Archive } from '../../../../src/markets/archive/archive.js'
import { type FetchOptions, type Source, SourceFailure } from '../../../../src/markets/exchanges/source.js'
import { History } from '../../../../src/markets/history/history.js'
import type { Reading } from '../../../../src/markets/history/reading.js'
import { openEmbedded } from '../../../../src/store/embedded/embedded.js'
import { openJournal } from '../../../../src/store/embedded/journal.js'

const market = { exchange: 'x', symbol: 'BTCUSDT', timeframe: '1m' } as const
const key = 'x:BTCUSDT:1m'
const start = 100_000 * 60 + 30

/** A market whose minute candles are known for any time, behind an exchange with a clock of its own. */
class Exchange implements Source {
  now = start
  fetches: { count: number; until: number | undefined; isBackground: boolean }[] = []
  isDown = false
  isComputed = false
  /** The most candles of one answer. */
  limit = Number.POSITIVE_INFINITY
  /** Minutes in which nothing was traded. */
  readonly silent = new Set<number>()
  /** Answers wait for this. */
  gate: Promise<unknown> = Promise.resolve()

  symbols() {
    return ['BTCUSDT']
  }

  candle(minute: number): Candle {
    const part = Math.min(60, this.now - minute * 60)
    return {
      timestamp: minute * 60,
      open: minute,
      high: minute + part,
      low: minute - 1,
      close: minute + part / 2,
      volume: part,
    }
  }

  /** The newest `count` candles there are. */
  truth(count: number, until = Number.POSITIVE_INFINITY): Candle[] {
    const list: Candle[] = []
    for (let minute = Math.floor(this.now / 60); list.length < count && minute > 90_000; minute--)
      if (!this.silent.has(minute) && minute * 60 < until) list.unshift(this.candle(minute))
    return list
  }

  async candles(
    _symbol: string,
    _timeframe: string,
    count: number,
    { until, isBackground = false }: FetchOptions = {},
  ): Promise<readonly Candle[]> {
    this.fetches.push({ count, until, isBackground })
    expect(count).toBeGreaterThan(0)
    const answer = this.truth(Math.min(count, this.limit), until)
    const { isDown } = this
    await this.gate
    if (isDown) throw new SourceFailure('unavailable', 'down')
    return answer
  }
}

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

/** Above the highest number of a process. */
let unusedPid = 4_194_304

/** A process: its memory is its own, the exchange and the archive are not. */
const begin = (
  exchange: Exchange,
  settings: { depth?: number; chunks?: KeyValueStore; skew?: number } = {},
) => {
  const { depth = 200, chunks = store.keyValues, skew = 0 } = settings
  const failures: unknown[] = []
  const journal = openJournal(join(directory, 'candles'), unusedPid++)
  const archive = new Archive(chunks, { depth, journal })
  if (chunks === store.keyValues) archive.recover()
  const history = new History({
    depth,
    bytes: 100_000_000,
    refreshSeconds: 5,
    clock: () => exchange.now + skew,
    archive,
    onFailure: error => failures.push(error),
  })
  return { history, archive, failures }
}
const candlesOf = ({ columns, closed, forming }: Snapshot): Candle[] => [
  ...Array.from({ length: closed }, (_, i) => columns.read(i)),
  ...(forming ? [forming] : []),
]
const settled = async (given: ReturnType<History['read']>): Promise<Reading> => {
  const reading = await given
  return 'ready' in reading ? reading.ready : reading
}
const stored = (archive: Archive): Candle[] => {
  const { columns, closed } = archive.read(key) ?? { columns: undefined, closed: 0 }
  return Array.from({ length: closed }, (_, i) => columns?.read(i) as Candle)
}
/** Lets background work end. */
const idle = () => new Promise(resolve => setImmediate(resolve))

describe('history over an archive', () => {
  it('serves a known series after a restart without being pending, with the same beginning', async () => {
    const exchange = new Exchange()
    const one = begin(exchange).history
    await settled(one.read(market, exchange))
    for (let i = 0; i < 30; i++) {
      exchange.now += 60
      await settled(one.read(market, exchange))
    }
    const before = candlesOf((await settled(one.read(market, exchange))).inputs[0])
    exchange.fetches = []
    const two = begin(exchange).history
    const reading = two.read(market, exchange)
    expect(reading).toBeInstanceOf(Promise)
    expect(candlesOf((await settled(reading)).inputs[0])).toEqual(before)
    expect(exchange.fetches.map(({ count }) => count)).toEqual([expect.any(Number)])
    expect(exchange.fetches[0]?.count).toBeLessThan(5)
  })

  it('has the same beginning after a restart wherever candles were dropped', async () => {
    const exchange = new Exchange()
    const one = begin(exchange, { depth: 100 }).history
    await settled(one.read(market, exchange))
    for (let i = 0; i < 60; i++) {
      exchange.now += 60
      const before = await settled(one.read(market, exchange))
      const after = await settled(begin(exchange, { depth: 100 }).history.read(market, exchange))
      expect(candlesOf(after.inputs[0])).toEqual(candlesOf(before.inputs[0]))
    }
  })

  it('serves what was closed, marked stale, when the exchange is down after a restart', async () => {
    const exchange = new Exchange()
    await settled(begin(exchange).history.read(market, exchange))
    const known = exchange.truth(200).slice(0, -1)
    exchange.isDown = true
    exchange.now += 600
    const reading = await settled(begin(exchange).history.read(market, exchange))
    expect(reading.stale).toBe(true)
    expect(candlesOf(reading.inputs[0])).toEqual(known)
  })

  it('fetches all candles again where a chunk was lost, before a reader gets any', async () => {
    const exchange = new Exchange()
    await settled(begin(exchange, { depth: 1000 }).history.read(market, exchange))
    const [oldest] = store.keyValues.keys('candles/', 'candles0')
    store.keyValues.write(() => [[oldest as string, new Uint8Array(40)]])
    const { history, archive } = begin(exchange, { depth: 1000 })
    const reading = await settled(history.read(market, exchange))
    expect(candlesOf(reading.inputs[0])).toEqual(exchange.truth(1000))
    expect(stored(archive)).toEqual(exchange.truth(1000).slice(0, -1))
  })

  it('serves only what follows a lost chunk while the exchange is down', async () => {
    const exchange = new Exchange()
    await settled(begin(exchange, { depth: 1000 }).history.read(market, exchange))
    const [oldest] = store.keyValues.keys('candles/', 'candles0')
    store.keyValues.write(() => [[oldest as string, new Uint8Array(40)]])
    exchange.isDown = true
    const { history } = begin(exchange, { depth: 1000 })
    const reading = await settled(history.read(market, exchange))
    expect(reading.stale).toBe(true)
    expect(candlesOf(reading.inputs[0])).toEqual(exchange.truth(1000).slice(765, -1))
    exchange.isDown = false
    exchange.now += 6
    history.read(market, exchange)
    await idle()
    expect(candlesOf((await settled(history.read(market, exchange))).inputs[0])).toEqual(exchange.truth(1000))
  })

  it('notices at the next refresh what another process has written', async () => {
    const exchange = new Exchange()
    const { history } = begin(exchange)
    await settled(history.read(market, exchange))
    const other = new Archive(store.keyValues, { depth: 200 })
    other.setDepth(key, 1500)
    other.write(key, exchange.truth(1500).slice(0, -1))
    exchange.now += 6
    const reading = await settled(history.read(market, exchange))
    expect(candlesOf(reading.inputs[0])).toEqual(exchange.truth(1500))
    exchange.now += 60
    expect((await settled(history.read(market, exchange))).inputs[0].count).toBe(1501)
  })

  it('keeps what another process writes while a fetch is under way', async () => {
    const exchange = new Exchange()
    const { history, archive } = begin(exchange)
    await settled(history.read(market, exchange))
    exchange.now += 60
    let release = (): void => {}
    exchange.gate = new Promise<void>(resolve => {
      release = resolve
    })
    const reading = settled(history.read(market, exchange))
    const other = new Archive(store.keyValues, { depth: 200 })
    other.setDepth(key, 1500)
    other.write(key, exchange.truth(900).slice(0, 600))
    release()
    expect(candlesOf((await reading).inputs[0])).toEqual(
      exchange.truth(900).filter(({ timestamp }) => {
        const minute = timestamp / 60
        const last = Math.floor(exchange.now / 60)
        return minute > last - 201 || minute <= last - 300
      }),
    )
    expect(archive.info(key).depth).toBe(1500)
  })

  it('fetches older candles in the background when the depth has grown', async () => {
    const exchange = new Exchange()
    await settled(begin(exchange).history.read(market, exchange))
    exchange.fetches = []
    const { history } = begin(exchange, { depth: 700 })
    expect((await settled(history.read(market, exchange))).inputs[0].count).toBe(200)
    const read = () => settled(history.read(market, exchange))
    await expect.poll(async () => (await read()).inputs[0].count).toBe(701)
    expect(exchange.fetches).toMatchObject([{ isBackground: false }, { count: 501, isBackground: true }])
    expect(candlesOf((await read()).inputs[0])).toEqual(exchange.truth(701))
    await settled(begin(exchange, { depth: 700 }).history.read(market, exchange))
    await idle()
    expect(exchange.fetches, 'once').toHaveLength(3)
  })

  it('asks once for all candles of a market that is younger than the depth', async () => {
    const exchange = new Exchange()
    exchange.limit = 150
    await settled(begin(exchange).history.read(market, exchange))
    exchange.fetches = []
    await settled(begin(exchange).history.read(market, exchange))
    await idle()
    expect(exchange.fetches).toHaveLength(1)
  })

  it('replaces a series that was not read for longer than its depth, in the archive too', async () => {
    const exchange = new Exchange()
    await settled(begin(exchange).history.read(market, exchange))
    exchange.now += 5000 * 60
    const { history, archive } = begin(exchange)
    expect(candlesOf((await settled(history.read(market, exchange))).inputs[0])).toEqual(exchange.truth(200))
    expect(stored(archive)).toEqual(exchange.truth(200).slice(0, -1))
  })

  it('does not archive candles that are computed', async () => {
    const exchange = new Exchange()
    exchange.isComputed = true
    const { history } = begin(exchange)
    await settled(history.read(market, exchange))
    expect([...store.keyValues.keys('', '~')]).toEqual([])
    exchange.fetches = []
    await settled(begin(exchange).history.read(market, exchange))
    expect(exchange.fetches, 'by the next process').toHaveLength(1)
  })

  it('does not archive a symbol that is too long to be one', async () => {
    const exchange = new Exchange()
    const { history, failures } = begin(exchange)
    await settled(history.read({ ...market, symbol: 'X'.repeat(100_000) }, exchange))
    expect(failures).toEqual([])
    expect([...store.keyValues.keys('', '~')]).toEqual([])
  })

  it('fetches the gap before an answer with fewer candles than were asked for', async () => {
    const exchange = new Exchange()
    const { history, archive } = begin(exchange)
    await settled(history.read(market, exchange))
    exchange.now += 50 * 60
    exchange.limit = 20
    const short = exchange.fetches.length
    exchange.candles = new Proxy(exchange.candles, {
      apply: (ask, self, args) => {
        if (args[3]?.until !== undefined) exchange.limit = Number.POSITIVE_INFINITY
        return Reflect.apply(ask, self, args)
      },
    })
    expect(candlesOf((await settled(history.read(market, exchange))).inputs[0])).toEqual(exchange.truth(250))
    expect(exchange.fetches.length - short).toBe(2)
    expect(stored(archive)).toEqual(exchange.truth(250).slice(0, -1))
  })

  it('asks once for a gap in which nothing was traded', async () => {
    const exchange = new Exchange()
    const { history } = begin(exchange)
    await settled(history.read(market, exchange))
    const last = Math.floor(exchange.now / 60)
    for (let minute = last + 1; minute < last + 30; minute++) exchange.silent.add(minute)
    exchange.now += 40 * 60
    exchange.limit = 5
    await settled(history.read(market, exchange))
    exchange.limit = Number.POSITIVE_INFINITY
    const asked = exchange.fetches.length
    exchange.now += 6
    const {
      inputs: [snapshot],
    } = await settled(history.read(market, exchange))
    expect(exchange.fetches.length - asked).toBe(1)
    expect(candlesOf(snapshot).slice(-5)).toEqual(exchange.truth(5))
  })

  it.each([-200, -61, -2, 2, 61, 200])(
    'has the candles of the exchange with a clock that is %i seconds off, and asks no more often',
    async skew => {
      const exchange = new Exchange()
      let { history, archive } = begin(exchange, { skew })
      await settled(history.read(market, exchange))
      for (let i = 0; i < 120; i++) {
        exchange.now += 7
        if (i % 25 === 24) ({ history, archive } = begin(exchange, { skew }))
        const reading = await settled(history.read(market, exchange))
        const { count } = reading.inputs[0]
        expect(isDeepStrictEqual(candlesOf(reading.inputs[0]), exchange.truth(count)), `round ${i}`).toBe(
          true,
        )
        expect(count).toBeGreaterThanOrEqual(200)
      }
      expect(exchange.fetches).toHaveLength(121)
      // The last one may be closed by a clock that is ahead; it is corrected by the next answer.
      const closed = stored(archive).slice(0, -1)
      expect(closed).toEqual(closed.map(({ timestamp }) => exchange.candle(timestamp / 60)))
    },
  )

  it('does not take a late answer for the end of a candle', async () => {
    const exchange = new Exchange()
    const { history } = begin(exchange)
    await settled(history.read(market, exchange))
    exchange.now += 25
    let release = (): void => {}
    exchange.gate = new Promise<void>(resolve => {
      release = resolve
    })
    const late = settled(history.read(market, exchange))
    exchange.now += 20
    release()
    await late
    // The minute is over, and the last shown state of its candle was five seconds before the end.
    const reading = await settled(history.read(market, exchange))
    expect(candlesOf(reading.inputs[0])).toEqual(exchange.truth(201))
  })

  it('lets one reader wait for an exchange that is down, and refreshes when it is back', async () => {
    const exchange = new Exchange()
    const { history } = begin(exchange)
    const other = { ...market, symbol: 'ETHUSDT' }
    await settled(history.read(market, exchange))
    await settled(history.read(other, exchange))
    exchange.isDown = true
    exchange.now += 6
    expect(history.read(market, exchange)).toBeInstanceOf(Promise)
    await idle()
    for (let i = 0; i < 5; i++) {
      const asked = exchange.fetches.length
      expect(history.read(other, exchange)).toMatchObject({ stale: true })
      expect(history.read(market, exchange)).toMatchObject({ stale: true })
      expect(history.read(market, exchange)).toMatchObject({ stale: true })
      await idle()
      expect(exchange.fetches.length - asked, 'the exchange is asked all the same').toBeGreaterThan(0)
      exchange.now += 6
    }
    exchange.isDown = false
    expect(history.read(market, exchange)).toMatchObject({ stale: true })
    await idle()
    expect(history.read(market, exchange)).toMatchObject({ stale: false })
    const reading = history.read(other, exchange)
    expect(reading).toBeInstanceOf(Promise)
    expect((await settled(reading)).stale).toBe(false)
  })

  it('does not take an exchange to be down because a first fetch has failed', async () => {
    const exchange = new Exchange()
    const { history } = begin(exchange)
    await settled(history.read(market, exchange))
    exchange.isDown = true
    await expect(settled(history.read({ ...market, timeframe: '4h' }, exchange))).rejects.toThrow('down')
    exchange.isDown = false
    exchange.now += 6
    expect(await settled(history.read(market, exchange))).toMatchObject({ stale: false })
  })

  it('answers with the candles in memory when the exchange takes long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const exchange = new Exchange()
      const { history } = begin(exchange)
      await settled(history.read(market, exchange))
      const before = exchange.truth(200)
      let release = (): void => {}
      exchange.gate = new Promise<void>(resolve => {
        release = resolve
      })
      exchange.now += 10
      const reading = settled(history.read(market, exchange))
      await vi.advanceTimersByTimeAsync(5000)
      expect(await reading).toMatchObject({ stale: true })
      expect(candlesOf((await reading).inputs[0])).toEqual(before)
      release()
      await idle()
      const later = history.read(market, exchange) as Reading
      expect(later.stale).toBe(false)
      expect(candlesOf(later.inputs[0])).toEqual(exchange.truth(200))
    } finally {
      vi.useRealTimers()
    }
  })

  it('goes on without an archive that fails', async () => {
    const exchange = new Exchange()
    const full = new StoreFailure('the disk is full')
    const refuse = () => {
      throw full
    }
    const { history, failures } = begin(exchange, { chunks: { ...store.keyValues, write: refuse } })
    expect(candlesOf((await settled(history.read(market, exchange))).inputs[0])).toEqual(exchange.truth(200))
    exchange.now += 60
    expect(candlesOf((await settled(history.read(market, exchange))).inputs[0])).toEqual(exchange.truth(201))
    expect(new Set(failures)).toEqual(new Set([full]))

    const blind = begin(exchange, { chunks: { get: refuse, keys: refuse, write: refuse } })
    expect(candlesOf((await settled(blind.history.read(market, exchange))).inputs[0])).toEqual(
      exchange.truth(200),
    )
  })

  it('has archived every closed candle that it has answered, whatever fails', async () => {
    const step = fc.record({
      seconds: fc.integer({ min: 5, max: 4000 }),
      isDown: fc.boolean(),
      isRestarted: fc.boolean(),
      limit: fc.constantFrom(3, 50, 1000),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async steps => {
        const exchange = new Exchange()
        let { history, archive } = begin(exchange, { depth: 100 })
        archive.remove(key)
        await settled(history.read(market, exchange))
        for (const { seconds, isDown, isRestarted, limit } of steps) {
          exchange.now += seconds
          exchange.isDown = isDown
          exchange.limit = limit
          if (isRestarted) ({ history, archive } = begin(exchange, { depth: 100 }))
          // The first answer after an outage is the last of the old ones.
          if ((await settled(history.read(market, exchange))).stale) await idle()
          const {
            inputs: [snapshot],
            stale,
          } = await settled(history.read(market, exchange))
          expect(stale).toBe(isDown)
          const closed = candlesOf(snapshot).slice(0, snapshot.closed)
          expect(stored(archive)).toEqual(closed)
          if (!isDown) expect(candlesOf(snapshot).at(-1)).toEqual(exchange.truth(1)[0])
          expect(closed).toEqual(closed.map(({ timestamp }) => exchange.candle(timestamp / 60)))
        }
      }),
      { numRuns: 25 },
    )
  })

  it('archives the candles of a feed before it gets the series with them', async () => {
    const exchange = new Exchange()
    const { history, archive } = begin(exchange)
    const attached = await history.pin(market, exchange)
    attached.isCurrent = true
    for (let i = 0; i < 5; i++) {
      exchange.now += 60
      const [before, now] = exchange.truth(2) as [Candle, Candle]
      const snapshot = attached.merge([before, now], now.timestamp)
      expect(stored(archive)).toEqual(candlesOf(snapshot).slice(0, -1))
      expect(candlesOf(snapshot)).toEqual(exchange.truth(201 + i))
    }
    attached.release()
  })

  it('notices with the next closed candle of a feed what another process has written', async () => {
    const exchange = new Exchange()
    const { history, failures } = begin(exchange)
    await settled(history.read(market, exchange))
    const attached = await history.pin(market, exchange)
    attached.isCurrent = true
    const other = begin(exchange)
    other.archive.setDepth(key, 400)
    other.archive.write(key, exchange.truth(400).slice(0, -1), 400)
    exchange.now += 60
    const before = exchange.fetches.length
    const snapshot = attached.merge(exchange.truth(2), Math.floor(exchange.now / 60) * 60)
    expect(candlesOf(snapshot)).toEqual(exchange.truth(401))
    expect(stored(other.archive)).toEqual(exchange.truth(401).slice(0, -1))
    expect(exchange.fetches).toHaveLength(before)
    expect(failures).toEqual([])
    attached.release()
  })

  it('closes the forming candle of a feed that shows only the next one', async () => {
    const exchange = new Exchange()
    const { history } = begin(exchange)
    const attached = await history.pin(market, exchange)
    exchange.now += 29
    attached.merge(exchange.truth(1), exchange.truth(1)[0]?.timestamp as number)
    exchange.now += 31
    const [now] = exchange.truth(1) as [Candle]
    const times = candlesOf(attached.merge([now], now.timestamp)).map(({ timestamp }) => timestamp)
    expect(times).toEqual(exchange.truth(201).map(({ timestamp }) => timestamp))
    attached.release()
  })
})
