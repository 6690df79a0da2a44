import { beforeEach, describe, expect, it } from 'vitest'
import type { Candle } from '../../../../src/candles/candle.js'
import { timestampAt } from '../../../../src/candles/columns.js'
import { timeframes } from '../../../../src/candles/timeframe.js'
import { Archive } from '../../../../src/markets/archive/archive.js'
import { entriesOf } from '../../../../src/markets/archive/archive-copy.js'
import { headKey } from '../../../../src/markets/archive/archive-keys.js'
import { createDemoSource } from '../../../../src/markets/exchanges/demo/demo-source.js'
import { type FetchOptions, type Source, SourceFailure } from '../../../../src/markets/exchanges/source.js'
import { History } from '../../../../src/markets/history/history.js'
import { type OlderLocation, OlderReader } from '../../../../src/markets/history/older-reader.js'
import type { RequestedHistory } from '../../../../src/markets/history/range-reader.js'
import type { Reading } from '../../../../src/markets/history/reading.js'
import { openCandles } from '../../../../src/store/embedded/embedded.js'
import { listSeries } from '../../../support/archived-series.js'
import { memoryKeyValues } from '../../../support/memory-key-values.js'

const market = { exchange: 'x', symbol: 'BTCUSDT', timeframe: '1m' } as const
const key = 'x:BTCUSDT:1m'
const minute = 60
const now = Date.UTC(2024, 5, 1) / 1000
const depth = 100

const candleAt = (timestamp: number): Candle => ({
  timestamp,
  open: 1,
  high: 2,
  low: 0.5,
  close: 1 + (timestamp % 7) / 7,
  volume: timestamp,
})

/** An exchange that has the candles of a number of minutes, including the forming one. */
class Exchange implements Source {
  requests = 0
  isDown = false

  constructor(readonly minutes: number) {}

  symbols = () => ['BTCUSDT']

  async candles(_: string, __: string, count: number, { until = now + 1 }: FetchOptions = {}) {
    this.requests++
    if (this.isDown) throw new SourceFailure('unavailable', 'x is not available')
    const first = Math.max(now - (this.minutes - 1) * minute, until - count * minute)
    const open = Math.ceil(first / minute) * minute
    return Array.from({ length: Math.max(0, Math.ceil((until - open) / minute)) }, (_, i) =>
      candleAt(open + i * minute),
    )
  }
}

let archive: Archive
let history: History
let keyValues: ReturnType<typeof memoryKeyValues>['keyValues']
beforeEach(() => {
  keyValues = memoryKeyValues().keyValues
  archive = new Archive(keyValues, { depth })
  const locationOf = (name: string): OlderLocation => ({
    kind: 'copied',
    entries: entriesOf(keyValues, headKey(name)),
    key: name,
  })
  history = new History({ depth, bytes: 1e9, refreshSeconds: 5, clock: () => now, archive, locationOf })
})

const ago = (minutes: number) => now - minutes * minute

/** Reads until the candles have arrived, and returns the number of pending readings. */
async function readWhole(source: Source, reach: RequestedHistory) {
  let pending = 0
  for (;;) {
    const reading = await history.readRange(market, source, reach, 'me')
    if (reading.kind !== 'pending') return { pending, reading }
    pending++
    await reading.ready
  }
}

/** The open times of the candles that are older than the candles in memory. */
function olderTimes({ inputs: [snapshot] }: Reading): readonly number[] {
  const { older } = snapshot
  if (!older) return []
  const reader = new OlderReader(openCandles)
  const blocks = reader.read(
    older.location as OlderLocation,
    Number.NEGATIVE_INFINITY,
    timestampAt(snapshot, 0) - 1,
  )
  return [...blocks].flatMap(({ columns, from, to }) => [...columns.timestamp.subarray(from, to)])
}

describe('a time that begins before all that was fetched', () => {
  it('is fetched with candles for the warm-up, and pending meanwhile', async () => {
    const source = new Exchange(100_000)
    const reach = { from: ago(5000), most: 50_000 }
    const { pending, reading } = await readWhole(source, reach)
    expect(pending).toBe(1)
    expect(reading).toMatchObject({ kind: 'candles', stale: false })
    const older = olderTimes(reading as Reading)
    const first = timestampAt((reading as Reading).inputs[0], 0)
    expect(first).toBeGreaterThan(ago(130))
    expect(older.at(-1)).toBe(first - minute)
    expect(older[0]).toBeLessThanOrEqual(ago(5000 + depth))
    expect(older).toEqual(older.map((_, i) => (older[0] as number) + i * minute))
    expect(archive.info(key)).toMatchObject({ first: older[0] })
    // Candles that no operator has requested may be dropped if space is short.
    expect(archive.usage(1)[0]?.isRequested).toBe(false)
    const { requests } = source
    expect(await readWhole(source, { ...reach, from: ago(4000) })).toMatchObject({ pending: 0 })
    expect(source.requests).toBe(requests)
  })

  it('says how far that has come', async () => {
    const source = new Exchange(100_000)
    const reach = { from: ago(20_000), most: 50_000 }
    const first = await history.readRange(market, source, reach, 'me')
    if (first.kind === 'pending') await first.ready
    const pending = await history.readRange(market, source, { from: ago(40_000), most: 50_000 }, 'me')
    if (pending.kind !== 'pending') throw new Error(pending.kind)
    expect(pending).toMatchObject({ key: `candles:${key}`, progress: { total: 40_000 + depth } })
    const before = pending.progress?.done ?? 0
    await pending.ready
    expect(pending.progress?.done).toBeGreaterThan(before)
  })

  it('is refused where it is farther than may be fetched, without a request', async () => {
    const source = new Exchange(100_000)
    await readWhole(source, { from: ago(10), most: 5000 })
    const { requests } = source
    const { reading } = await readWhole(source, { from: ago(5001), most: 5000 })
    expect(reading).toMatchObject({ kind: 'refused', refusal: { status: 400 } })
    expect((reading as { refusal: { error: string } }).refusal.error).toMatch(
      /^The history begins at .*, after from\. It has the \d+ newest candles: RANGE_DEPTH is how many are fetched at most$/,
    )
    expect(source.requests).toBe(requests)
  })

  it('begins with the first candle that the exchange has, which is asked for it once', async () => {
    const source = new Exchange(2500)
    const { reading } = await readWhole(source, { from: ago(4000), most: 5000 })
    expect(olderTimes(reading as Reading)[0]).toBe(ago(2499))
    const { requests } = source
    expect(await readWhole(source, { from: ago(4500), most: 5000 })).toMatchObject({ pending: 0 })
    expect(source.requests).toBe(requests)
  })

  it('is not there while the exchange fails', async () => {
    const source = new Exchange(100_000)
    await readWhole(source, { from: ago(10), most: 5000 })
    source.isDown = true
    await expect(readWhole(source, { from: ago(3000), most: 5000 })).rejects.toThrow('x is not available')
    const { requests } = source
    await expect(readWhole(source, { from: ago(3000), most: 5000 })).rejects.toThrow('x is not available')
    expect(source.requests).toBe(requests)
  })

  it('may be fetched of a few markets at once by one caller', async () => {
    const source = new Exchange(100_000)
    const ask = (n: number, minutes: number) =>
      history.readRange({ ...market, symbol: `S${n}` }, source, { from: ago(minutes), most: 5000 }, 'me')
    for (let n = 0; n < 6; n++) {
      const reading = await ask(n, 10)
      if (reading.kind === 'pending') await reading.ready
    }
    for (let n = 0; n < 5; n++) expect(ask(n, 3000)).toMatchObject({ kind: 'pending' })
    expect(() => ask(5, 3000)).toThrow('more than 5 markets are being fetched')
  })
})

describe('candles of an exchange that computes them', () => {
  it('are those that it computes, and none is stored', async () => {
    const demo = createDemoSource(() => now)
    const begins = { '1m': '2023-01-02', '30m': '2023-01-02', '1d': '2015-01-05', '1M': '2015-02-01' }
    for (const [timeframe, begin] of Object.entries(begins) as [keyof typeof begins, string][]) {
      const asked = { exchange: 'demo', symbol: 'BTCUSDT', timeframe }
      const from = Date.UTC(2023, 2, 1) / 1000
      const reading = (await history.readRange(asked, demo, { from, most: 1 }, 'me')) as Reading
      const { older } = reading.inputs[0]
      expect(older?.first).toBe(Date.parse(begin) / 1000)
      const to = from + Math.min(86_400 * 40, 3000 * timeframes[timeframe])
      const blocks = [...new OlderReader(openCandles).read(older?.location as OlderLocation, from, to)]
      const found = blocks.flatMap(({ columns, from: begin, to: end }) =>
        Array.from({ length: end - begin }, (_, i) => columns.read(begin + i)),
      )
      const computed = createDemoSource(() => to + 86_400 * 62)
        .candles('BTCUSDT', timeframe, 3001, { until: to + 1 })
        .filter(({ timestamp }) => timestamp >= from)
      expect(found).toEqual(computed)
    }
    expect(listSeries(archive)).toEqual([])
  })
})
