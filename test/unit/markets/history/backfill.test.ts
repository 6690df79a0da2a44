import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { Candle } from '../../../../src/candles/candle.js'
import { Columns, countBefore } from '../../../../src/candles/columns.js'
import { Archive } from '../../../../src/markets/archive/archive.js'
import { CcxtSource } from '../../../../src/markets/exchanges/ccxt/ccxt-source.js'
import { type FetchOptions, type Source, SourceFailure } from '../../../../src/markets/exchanges/source.js'
import { backfill, type Progress } from '../../../../src/markets/history/backfill.js'
import { ccxtOptions, startBinance } from '../../../support/binance.js'
import { memoryKeyValues } from '../../../support/memory-key-values.js'

const market = { exchange: 'x', symbol: 'BTCUSDT', timeframe: '1m' } as const
const key = 'x:BTCUSDT:1m'
const minute = 60

const candleAt = (timestamp: number, scale = 1): Candle => ({
  timestamp,
  open: scale,
  high: 2 * scale,
  low: scale,
  close: scale + ((timestamp % 7) / 7) * scale,
  volume: timestamp,
})

/** An exchange whose candles open at the minutes given, and which may fail. */
class Exchange implements Source {
  requests: { count: number; until: number | undefined; isBackground: boolean | undefined }[] = []
  given = 0
  /** Factor of all prices. */
  scale = 1
  /** The most candles of one answer. */
  pageLimit = Number.POSITIVE_INFINITY
  /** Requests until the next failure. */
  requestsUntilFailure = Number.POSITIVE_INFINITY

  constructor(readonly minutes: readonly number[]) {}

  symbols() {
    return ['BTCUSDT']
  }

  async candles(
    _symbol: string,
    _timeframe: string,
    count: number,
    { until, isBackground }: FetchOptions = {},
  ) {
    if (this.requestsUntilFailure-- <= 0) throw new SourceFailure('unavailable', 'x is not available')
    this.requests.push({ count, until, isBackground })
    const older = this.minutes.filter(at => until === undefined || at * minute < until)
    const page = older.slice(-Math.min(count, this.pageLimit)).map(at => candleAt(at * minute, this.scale))
    this.given += page.length
    return page
  }
}

/** An archive in memory, of one series. */
class MemoryArchive {
  readonly candles = new Map<number, Candle>()
  storedDepth = 200
  requested = 0

  read(_key: string, count = Number.POSITIVE_INFINITY) {
    const all = [...this.candles.values()].sort((a, b) => a.timestamp - b.timestamp).slice(-count)
    if (all.length === 0) return undefined
    const columns = new Columns(all.length)
    for (const [at, candle] of all.entries()) columns.write(at, candle)
    return { columns, closed: all.length, isIncomplete: false }
  }
  write(_key: string, candles: readonly Candle[], requestedDepth = 0) {
    for (const candle of candles) this.candles.set(candle.timestamp, candle)
    if (candles.length > 0) this.requested = Math.max(this.requested, requestedDepth)
  }
  setDepth(name: string, depth: number) {
    expect(name).toBe(key)
    this.storedDepth = Math.max(this.storedDepth, depth)
  }
  load() {
    return this.read(key)
  }
  info() {
    const minutes = this.minutes
    return {
      ...{ count: minutes.length, first: (minutes[0] ?? 0) * minute, last: (minutes.at(-1) ?? 0) * minute },
      ...{ depth: this.storedDepth, requestedDepth: this.requested, revision: 1 },
      ...{
        wholeFrom: Number.NEGATIVE_INFINITY,
        isIncomplete: false,
        isSplitPending: false,
        isDerived: false,
      },
    }
  }
  *blocks(_key: string, _from?: number, to = 0) {
    const { columns, closed } = this.read(key) ?? { columns: new Columns(0), closed: 0 }
    yield { columns, from: 0, to: countBefore(columns, closed, to + 1) }
  }
  *adjustSplit() {}
  replace(name: string, candles: readonly Candle[], { requestedDepth = 0 } = {}) {
    this.remove()
    this.write(name, candles, requestedDepth)
  }
  remove() {
    this.candles.clear()
    this.requested = 0
  }
  get minutes() {
    return [...this.candles.keys()].map(each => each / minute).sort((a, b) => a - b)
  }
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, k) => from + k)

const run = async (
  archive: Parameters<typeof backfill>[0]['archive'],
  source: Source,
  depth: number,
  now: number,
  batchSize = 100,
): Promise<Progress[]> => {
  const seen: Progress[] = []
  const clock = () => now * minute + 30
  for await (const progress of backfill({ archive, source, market, depth, clock, batchSize }))
    seen.push(progress)
  return seen
}

describe('a backfill', () => {
  it('fetches the newest closed candles in batches, each archived before the next', async () => {
    const exchange = new Exchange(range(0, 2001))
    const archive = new MemoryArchive()
    const seen = await run(archive, exchange, 450, 2000)
    expect(archive.minutes).toEqual(range(1550, 2000))
    expect(exchange.requests).toEqual(
      [100, 100, 100, 150].map((count, at) => ({
        count,
        until: (2000 - at * 100) * minute,
        isBackground: true,
      })),
    )
    expect(seen.map(({ done }) => done)).toEqual([0, 100, 200, 300, 450, 450])
    expect(seen.at(-1)).toEqual({ done: 450, back: 1550 * minute, fetched: 450, isExhausted: false })
    expect(archive.storedDepth).toBe(450)
    expect(archive.requested).toBe(450)
  })

  it('goes on where it was interrupted, and fetches nothing twice', async () => {
    const exchange = new Exchange(range(0, 2000))
    const archive = new MemoryArchive()
    exchange.requestsUntilFailure = 2
    await expect(run(archive, exchange, 450, 2000)).rejects.toThrow(SourceFailure)
    expect(archive.minutes).toEqual(range(1800, 2000))
    exchange.requestsUntilFailure = Number.POSITIVE_INFINITY
    const seen = await run(archive, exchange, 450, 2000)
    expect(seen[0], 'the progress begins where the first run ended').toMatchObject({ done: 200, fetched: 0 })
    expect(archive.minutes).toEqual(range(1550, 2000))
    expect(exchange.given).toBe(450)
  })

  it('fetches nothing where everything is archived', async () => {
    const exchange = new Exchange(range(0, 2000))
    const archive = new MemoryArchive()
    await run(archive, exchange, 450, 2000)
    exchange.requestsUntilFailure = 0
    expect((await run(archive, exchange, 450, 2000)).at(-1)).toMatchObject({ done: 450, fetched: 0 })
    expect((await run(archive, exchange, 300, 2000)).at(-1), 'nor for less').toMatchObject({ done: 300 })
  })

  it('fetches what is missing at the end, and goes deeper', async () => {
    const exchange = new Exchange(range(0, 2020))
    const archive = new MemoryArchive()
    await run(archive, exchange, 450, 2000)
    exchange.requests = []
    await run(archive, exchange, 500, 2020)
    expect(archive.minutes).toEqual(range(1520, 2020))
    expect(exchange.requests.map(({ count, until }) => [count, (until ?? 0) / minute])).toEqual([
      // The newest archived one shows by its scale whether the others are of use.
      [21, 2020],
      [30, 1550],
    ])
  })

  it('fetches everything again where the exchange counts in another scale, as after a split', async () => {
    const exchange = new Exchange(range(0, 2020))
    const archive = new MemoryArchive()
    await run(archive, exchange, 450, 2000)
    exchange.scale = 4
    const seen = await run(archive, exchange, 600, 2020)
    expect(seen.at(-1)).toMatchObject({ done: 600, back: 1420 * minute })
    expect(archive.minutes).toEqual(range(1420, 2020))
    expect([...archive.candles.values()].every(({ high }) => high === 8)).toBe(true)
  })

  it('fetches everything again where another scale shows before the end is connected', async () => {
    const exchange = new Exchange(range(0, 2400))
    const archive = new MemoryArchive()
    await run(archive, exchange, 450, 2000)
    exchange.scale = 4
    await run(archive, exchange, 600, 2400)
    expect(archive.minutes, 'those that are not wanted stay, in the new scale').toEqual(range(1550, 2400))
    expect([...archive.candles.values()].every(({ high }) => high === 8)).toBe(true)
  })

  it('does not take the rest of a gap for candles that the exchange does not have', async () => {
    const exchange = new Exchange(range(0, 2150))
    const archive = new MemoryArchive()
    await run(archive, exchange, 450, 2000)
    exchange.pageLimit = 60
    exchange.requestsUntilFailure = 1
    await expect(run(archive, exchange, 450, 2150)).rejects.toThrow(SourceFailure)
    exchange.requestsUntilFailure = Number.POSITIVE_INFINITY
    await run(archive, exchange, 450, 2150)
    expect(archive.minutes).toEqual(range(1550, 2150))
  })

  it('counts as done what is archived above a gap, and nothing beyond the depth', async () => {
    const archive = new MemoryArchive()
    archive.write(
      key,
      [...range(1000, 1200), ...range(1300, 2000)].map(at => candleAt(at * minute)),
    )
    const seen = await run(archive, new Exchange(range(0, 2000)), 950, 2000)
    expect(seen.map(({ done, fetched }) => [done, fetched])).toEqual([
      [700, 0],
      [800, 100],
      [950, 100],
      [950, 100],
    ])
    expect(seen.at(-1)?.back).toBe(1050 * minute)
  })

  it('counts no archived candle that has not begun by the clock', async () => {
    const archive = new MemoryArchive()
    archive.write(
      key,
      [...range(1900, 2000), 2000, 2030].map(at => candleAt(at * minute)),
    )
    const seen = await run(archive, new Exchange(range(0, 2000)), 300, 2000)
    expect(archive.minutes).toEqual([...range(1700, 2000), 2000, 2030])
    expect(seen.at(-1)).toMatchObject({ done: 300, back: 1700 * minute, fetched: 200 })
  })

  it('archives a candle in the second in which it ends', async () => {
    const archive = new MemoryArchive()
    const source = new Exchange(range(0, 2001))
    for await (const _ of backfill({ archive, source, market, depth: 10, clock: () => 2000 * minute }));
    expect(archive.minutes).toEqual(range(1990, 2000))
  })

  it('ends where the history of the exchange does', async () => {
    const exchange = new Exchange(range(1900, 2000))
    const archive = new MemoryArchive()
    const seen = await run(archive, exchange, 450, 2000)
    expect(seen.at(-1)).toEqual({ done: 100, back: 1900 * minute, fetched: 100, isExhausted: true })
    expect([archive.storedDepth, archive.requested], 'it is not asked again').toEqual([450, 450])
  })

  it('has nothing where the exchange has nothing', async () => {
    const archive = new MemoryArchive()
    expect((await run(archive, new Exchange([]), 450, 2000)).at(-1)).toEqual({
      done: 0,
      back: undefined,
      fetched: 0,
      isExhausted: true,
    })
  })

  it('connects imported candles to the newest ones', async () => {
    const exchange = new Exchange(range(0, 2000))
    const archive = new MemoryArchive()
    archive.write(
      key,
      range(1000, 1200).map(at => candleAt(at * minute)),
    )
    const seen = await run(archive, exchange, 1500, 2000)
    expect(archive.minutes).toEqual(range(500, 2000))
    expect(exchange.given, 'the newest one shows the scale, before and after').toBe(1302)
    // 99 in the first batch, because the newest archived one is among them, and the last two batches together.
    expect(seen.slice(0, 6).map(({ done }) => done)).toEqual([99, 199, 299, 399, 499, 599])
    expect(seen.at(-1)).toMatchObject({ done: 1500, back: 500 * minute, fetched: 1301 })
  })

  it('connects them where the exchange answers with fewer candles than it is asked for', async () => {
    const exchange = new Exchange(range(0, 2000))
    exchange.pageLimit = 60
    const archive = new MemoryArchive()
    archive.write(
      key,
      range(1000, 1200).map(at => candleAt(at * minute)),
    )
    exchange.requestsUntilFailure = 9
    await expect(run(archive, exchange, 1500, 2000)).rejects.toThrow(SourceFailure)
    expect(archive.minutes, 'four batches from 1199 on').toEqual(range(1000, 1599))
  })

  it.each([
    ['the time until now', range(1000, 1200), 2000, 4, 1599],
    ['a gap', [...range(1000, 1200), ...range(1300, 1400)], 1400, 1, 1400],
  ])('loses nothing where it is interrupted after %s', async (_, archived, now, requests, next) => {
    const archive = new Archive(memoryKeyValues().keyValues, { depth: 100 })
    archive.setDepth(key, archived.length)
    archive.write(
      key,
      archived.map(at => candleAt(at * minute)),
    )
    const exchange = new Exchange(range(0, now))
    exchange.requestsUntilFailure = requests
    await expect(run(archive, exchange, 1500, now)).rejects.toThrow(SourceFailure)
    archive.write(key, [candleAt(next * minute)])
    const { columns, closed } = archive.read(key) ?? { columns: new Columns(0), closed: 0 }
    const times = [...columns.timestamp.subarray(0, closed)]
    expect(times.map(time => time / minute)).toEqual(range(1000, next + 1))
    expect(archive.info(key).depth, 'no more than was there').toBe(closed - 1)
  })

  it('archives no candle that has not ended, whenever it opens', async () => {
    const archive = new MemoryArchive()
    const source: Source = {
      symbols: () => ['BTCUSDT'],
      candles: async () => [1998.75, 1999.75].map(at => candleAt(at * minute)),
    }
    await run(archive, source, 2, 2000)
    expect(archive.minutes).toEqual([1998.75])
  })

  it.each([0, 40, 3600, 400 * 86_400])(
    'archives what has ended by the exchange, on a machine whose clock is %i s ahead',
    async ahead => {
      const noon = Date.UTC(2025, 5, 18, 12, 34, 26)
      const binance = await startBinance({ clock: () => noon })
      const source = new CcxtSource('binance', { options: ccxtOptions(binance.url) })
      vi.useFakeTimers({ toFake: ['Date'], now: noon + ahead * 1000 })
      try {
        const archive = new MemoryArchive()
        const clock = () => noon / 1000 + ahead
        for await (const _ of backfill({ archive, source, market, depth: 50, clock }));
        const forming = Math.floor(noon / 60_000)
        expect(archive.minutes).toEqual(range(forming - 50, forming))
      } finally {
        vi.useRealTimers()
        await source.close?.()
        await binance.close()
      }
    },
  )

  it('leaves no hole between the archived candles and now when it is interrupted', async () => {
    const exchange = new Exchange(range(0, 2000))
    const archive = new MemoryArchive()
    archive.write(
      key,
      range(1000, 1200).map(at => candleAt(at * minute)),
    )
    exchange.requestsUntilFailure = 3
    await expect(run(archive, exchange, 1500, 2000)).rejects.toThrow(SourceFailure)
    expect(archive.minutes[0]).toBe(1000)
    const { length } = archive.minutes
    expect(length).toBeGreaterThan(400)
    expect(archive.minutes).toEqual(range(1000, 1000 + length))
    exchange.requestsUntilFailure = Number.POSITIVE_INFINITY
    await run(archive, exchange, 1500, 2000)
    expect(archive.minutes).toEqual(range(500, 2000))
    expect(exchange.given, 'but for the newest one each time').toBeLessThanOrEqual(1304)
  })

  it('replaces candles that are older than all that is wanted', async () => {
    const exchange = new Exchange(range(0, 2000))
    const archive = new MemoryArchive()
    const old = range(100, 150).map(at => candleAt(at * minute))
    archive.write(key, old)
    exchange.requestsUntilFailure = 0
    await expect(run(archive, exchange, 450, 2000)).rejects.toThrow(SourceFailure)
    expect(archive.candles.size, 'nothing is removed before something else is archived').toBe(50)
    await run(archive, new Exchange([]), 450, 2000)
    expect(archive.candles.size, 'nor where there is nothing else').toBe(50)
    exchange.requestsUntilFailure = Number.POSITIVE_INFINITY
    await run(archive, exchange, 450, 2000)
    expect(archive.minutes).toEqual(range(1550, 2000))
  })

  it('fetches the gaps of an import once, many of them in one request', async () => {
    const traded = range(0, 2000).filter(at => at % 3 !== 0)
    const exchange = new Exchange(traded)
    const archive = new MemoryArchive()
    archive.write(
      key,
      traded.map(at => candleAt(at * minute)),
    )
    await run(archive, exchange, 1000, 2000)
    const { length } = exchange.requests
    expect(length).toBeLessThanOrEqual(1500 / 90)
    await run(archive, exchange, 1000, 2000)
    expect(exchange.requests.slice(length).length, 'but for the end').toBeLessThanOrEqual(1)
  })

  it('has archived everything in the end, whatever was archived before and whenever it was interrupted', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          /** Minutes without trades, as runs. */
          gaps: fc.array(fc.tuple(fc.integer({ min: 0, max: 1200 }), fc.integer({ min: 1, max: 60 })), {
            maxLength: 30,
          }),
          /** Minutes that are archived before, as runs. */
          islands: fc.array(fc.tuple(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 1, max: 200 })), {
            maxLength: 4,
          }),
          runs: fc.array(
            fc.record({
              depth: fc.integer({ min: 1, max: 900 }),
              requestsUntilFailure: fc.nat({ max: 12 }),
              passed: fc.oneof(
                fc.constant(0),
                fc.integer({ min: 0, max: 5 }),
                fc.integer({ min: 0, max: 300 }),
              ),
            }),
            { maxLength: 5 },
          ),
          depth: fc.integer({ min: 1, max: 1100 }),
          batchSize: fc.integer({ min: 61, max: 150 }),
        }),
        async ({ gaps, islands, runs, depth, batchSize }) => {
          const silent = new Set(gaps.flatMap(([from, count]) => range(from, from + count)))
          const traded = range(0, 2500).filter(at => !silent.has(at))
          const archive = new MemoryArchive()
          archive.write(
            key,
            traded
              .filter(at => at < 1000 && islands.some(([from, count]) => at >= from && at < from + count))
              .map(at => candleAt(at * minute)),
          )
          let now = 1000
          for (const each of runs) {
            const exchange = new Exchange(traded.filter(at => at <= now))
            exchange.requestsUntilFailure = each.requestsUntilFailure
            await run(archive, exchange, each.depth, now, batchSize).catch(error => {
              if (!(error instanceof SourceFailure)) throw error
            })
            now += each.passed
          }
          const closed = traded.filter(at => at < now)
          const exchange = new Exchange(traded.filter(at => at <= now))
          const seen = await run(archive, exchange, depth, now, batchSize)
          const wanted = closed.slice(-depth)
          const stored = archive.minutes.slice(-archive.storedDepth)
          expect(stored, 'no holes among those that are stored').toEqual(closed.slice(-stored.length))
          expect(archive.minutes.slice(-wanted.length)).toEqual(wanted)
          expect(seen.at(-1)?.done).toBe(wanted.length)
          for (const [at, progress] of seen.entries())
            expect(progress.done).toBeGreaterThanOrEqual(seen[at - 1]?.done ?? 0)
        },
      ),
      { numRuns: 300 },
    )
  })
})
