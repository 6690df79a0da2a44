import { beforeEach, describe, expect, it } from 'vitest'
import type { Candle } from '../../../../src/candles/candle.js'
import type { Series } from '../../../../src/candles/series.js'
import type { KeyValueStore } from '../../../../src/contract/storage/stores.js'
import { Archive, maxKeyLength } from '../../../../src/markets/archive/archive.js'
import { chunkRange } from '../../../../src/markets/archive/archive-keys.js'
import type { Source } from '../../../../src/markets/exchanges/source.js'
import type { CacheEntry } from '../../../../src/markets/history/cache-entry.js'
import { SeriesArchive } from '../../../../src/markets/history/series-archive.js'
import { finish, pieceLength } from '../../../../src/runtime/scheduler.js'
import { memoryKeyValues } from '../../../support/memory-key-values.js'

const key = 'x:BTCUSDT:1m'
const market = { exchange: 'x', symbol: 'BTCUSDT', timeframe: '1m' } as const
const source: Source = { symbols: () => [], candles: () => [] }
const computed: Source = { ...source, isComputed: true }
const depth = 50_000

const candle = (minute: number, close = 1): Candle => ({
  timestamp: minute * 60,
  ...{ open: 1, high: 9, low: 1, close, volume: 1 },
})
const span = (from: number, to: number, close = 1) =>
  Array.from({ length: to - from }, (_, k) => candle(from + k, close))
/** The time in the middle of a minute, in seconds. */
const during = (minute: number) => minute * 60 + 30

let memory: ReturnType<typeof memoryKeyValues>
let chunks: KeyValueStore
let archive: Archive
let failures: unknown[]
let counted: { writes: number; failures: number }
let seriesArchive: SeriesArchive
const create = (used: Archive | undefined) =>
  new SeriesArchive({
    archive: used,
    counters: { writes: { add: () => counted.writes++ }, failures: { add: () => counted.failures++ } },
    onFailure: error => failures.push(error),
    clock: () => during(0),
  })
beforeEach(() => {
  memory = memoryKeyValues()
  chunks = { ...memory.keyValues }
  archive = new Archive(chunks, { depth })
  ;[failures, counted] = [[], { writes: 0, failures: 0 }]
  seriesArchive = create(archive)
})

/** The minutes and closing prices of a series in memory, a forming candle among them. */
function shown(series: Series): string[] {
  const { columns, closed, forming } = series.snapshot()
  const candles = Array.from({ length: closed }, (_, at) => columns.read(at))
  return [...candles, ...(forming ? [forming] : [])].map(
    ({ timestamp, close }) => `${timestamp / 60}@${close}`,
  )
}
const texts = (candles: readonly Candle[]) =>
  candles.map(({ timestamp, close }) => `${timestamp / 60}@${close}`)
const stored = () => archive.read(key)?.closed ?? 0
/** A series whose candles are archived and in memory, without a forming one. */
function opened(from: number, to: number): CacheEntry {
  archive.write(key, span(from, to))
  return seriesArchive.open(key, market, source) ?? expect.fail('not archived')
}
const unarchived = () => seriesArchive.createEmpty(key, market, computed, { minDepth: 100, now: 0 })

describe('a series', () => {
  const empty = (name: string, from: Source) =>
    seriesArchive.createEmpty(name, market, from, { minDepth: 7, now: 5 })

  it('is archived unless it is computed or its name is too long', () => {
    const state = { isIncomplete: false, isFilling: false }
    const long = 'x'.repeat(maxKeyLength)
    expect([empty(long, source), empty(`${long}x`, source), empty(key, computed)]).toMatchObject([
      { archived: state },
      { archived: undefined },
      { archived: undefined },
    ])
    seriesArchive = create(undefined)
    expect(empty(key, source).archived).toBe(undefined)
  })

  it('has the depth of its archive, which may have been set', () => {
    archive.setDepth(key, 150)
    archive = new Archive(chunks, { depth: 100 })
    seriesArchive = create(archive)
    expect([empty(key, source).series.depth, empty('x:A:1m', source).series.depth]).toEqual([150, 100])
    expect(empty(key, computed).series.depth).toBe(7)
  })

  it('is prepared where it is archived elsewhere, and is as one that is not where that fails', async () => {
    expect(seriesArchive.prepare(key, source)).toBe(undefined)
    const asked: string[] = []
    chunks.prepare = async name => {
      asked.push(name)
      throw new Error('no connection')
    }
    await seriesArchive.prepare(key, source)
    expect(seriesArchive.prepare(key, computed)).toBe(undefined)
    expect([asked, counted.failures]).toEqual([[`head/${key}`], 1])
  })
})

describe('candles of a series', () => {
  it('are archived when they are closed, and none where it has no archive', () => {
    const entry = opened(0, 10)
    seriesArchive.merge(entry, [candle(10)], during(10))
    expect(counted.writes, 'only the forming candle has changed').toBe(0)
    seriesArchive.merge(entry, [candle(10), candle(11)], during(11))
    expect([counted.writes, stored()]).toEqual([1, 11])
    const other = unarchived()
    seriesArchive.merge(other, span(0, 100), during(99))
    expect([counted.writes, stored(), other.series.count]).toEqual([1, 11, 100])
  })
})

describe('all candles of a series', () => {
  it('are archived from the newest on, and are known to be all when the oldest are', () => {
    const entry = opened(0, 1)
    archive.remove(key)
    const steps = seriesArchive.mergeAll(entry, span(0, pieceLength + 11), during(pieceLength + 10))
    for (const part of ['older', 'newer']) expect([steps.next().done, stored()], part).toEqual([false, 0])
    expect(steps.next().done).toBe(false)
    expect([archive.read(key)?.columns.timestamp[0], stored()]).toEqual([pieceLength * 60, 10])
    expect(archive.info(key).requestedDepth).toBe(0)
    expect(steps.next().done).toBe(true)
    expect([stored(), archive.info(key).requestedDepth]).toEqual([pieceLength + 10, depth])
    expect(entry.series.count).toBe(pieceLength + 11)
  })

  it('are added to those of the archive, which may be older', () => {
    const entry = opened(0, 10)
    Object.assign(entry.archived ?? {}, { isIncomplete: true })
    finish(seriesArchive.mergeAll(entry, span(5, 16, 2), during(15)))
    expect(shown(entry.series)).toEqual(texts([...span(0, 5), ...span(5, 16, 2)]))
    expect([entry.archived?.isIncomplete, failures]).toEqual([false, []])
  })

  it.each([
    ['written', 'write' as const],
    ['read again', 'read' as const],
  ])('are in memory where they cannot be %s', (_, broken) => {
    const entry = opened(0, 10)
    archive[broken] = () => {
      throw new Error('no disk')
    }
    finish(seriesArchive.mergeAll(entry, span(5, 16, 2), during(15)))
    expect(shown(entry.series)).toEqual(texts(span(5, 16, 2)))
    expect([failures.length, counted.failures]).toEqual([1, 1])
  })

  it('are in memory where it has no archive', () => {
    archive.write(key, span(0, 3))
    const [merged, replaced] = [unarchived(), unarchived()]
    finish(seriesArchive.mergeAll(merged, span(5, 16), during(15)))
    finish(seriesArchive.replaceAll(replaced, span(5, 16), during(15)))
    for (const { series } of [merged, replaced]) expect(shown(series)).toEqual(texts(span(5, 16)))
    expect([counted.writes, failures, stored()]).toEqual([0, [], 3])
  })

  it('replace the others, in the archive too, and those of the future that were sent by mistake', () => {
    const entry = opened(0, 10)
    Object.assign(entry.archived ?? {}, { isIncomplete: true })
    seriesArchive.merge(entry, [candle(500)], during(500))
    finish(seriesArchive.replaceAll(entry, span(5, 16, 2), during(15)))
    expect(shown(entry.series)).toEqual(texts(span(5, 16, 2)))
    expect([stored(), archive.read(key)?.columns.timestamp[0]]).toEqual([10, 5 * 60])
    expect(entry.archived?.isIncomplete).toBe(false)
  })

  it.each([
    ['a newer state of a candle before its last one', [candle(10, 3)], span(5, 16, 2)],
    ['newer candles', span(15, 18, 3), [...span(5, 15, 2), ...span(15, 18, 3)]],
  ])('keep of what a feed has shown meanwhile what is newer: of %s', (_, fed, expected) => {
    const entry = opened(0, 10)
    const steps = seriesArchive.replaceAll(entry, span(5, 16, 2), during(15))
    steps.next()
    seriesArchive.merge(entry, fed, during(17))
    finish(steps)
    expect(shown(entry.series)).toEqual(texts(expected))
    expect(failures).toEqual([])
  })
})

describe('a series of which the archive has older candles in an earlier scale', () => {
  const scale = { price: 2, volume: 1 }
  const scaled = (candles: readonly Candle[], times: number): Candle[] =>
    candles.map(({ timestamp, open, high, low, close, volume }) => {
      const factor = scale.price ** times
      return {
        timestamp,
        ...{ open: open * factor, high: high * factor, low: low * factor, close: close * factor, volume },
      }
    })
  const deep = () => {
    archive.setDepth(key, 60_000)
    const entry = opened(0, 6000)
    // Another process has begun with a scale, and all of its chunks are still to be written.
    new Archive(chunks, { depth }).replace(key, scaled(span(5000, 6000), 1), { scale })
    expect(archive.info(key).isSplitPending).toBe(true)
    return entry
  }
  /** Whether candles were still to be scaled at each of the calls, each of which would have done that at once. */
  const watch = (name: 'replace' | 'write', failing = 0) => {
    const seen: boolean[] = []
    const original = archive[name].bind(archive) as (...args: unknown[]) => void
    archive[name] = (...args: unknown[]) => {
      if (seen.push(archive.info(key).isSplitPending) <= failing) throw new Error('no disk')
      original(...args)
    }
    return seen
  }
  const archived = () => {
    const { columns, closed } = archive.read(key) ?? expect.fail('not archived')
    return Array.from({ length: closed }, (_, at) => columns.read(at))
  }

  it.each([0, 1])(
    'gets a second scale after the first one is written, also where it fails %s times',
    async failing => {
      const entry = deep()
      const seen = watch('replace', failing)
      const shownTwice = scaled(span(5000, 6001), 2)
      finish(seriesArchive.replaceAll(entry, shownTwice, during(6000), scale))
      if (failing > 0) {
        await expect.poll(() => failures.length).toBe(1)
        seriesArchive.merge(entry, scaled(span(6000, 6002), 2), during(6001))
      }
      await expect
        .poll(() => [entry.archived?.unwritten, archive.info(key).isSplitPending])
        .toEqual([undefined, false])
      expect(seen).toEqual([...Array.from({ length: failing }, () => false), false])
      expect(archived()).toEqual(scaled(span(0, failing > 0 ? 6001 : 6000), 2))
      expect(failures).toHaveLength(failing)
    },
  )

  it('gets all candles of its exchange after the scale is written', async () => {
    const entry = deep()
    const seen = watch('write')
    const steps = seriesArchive.mergeAll(entry, scaled(span(0, 6001), 1), during(6000))
    for (let taken = 0; !steps.next().done; taken++) expect(taken).toBeLessThan(20)
    expect(seen).toEqual([false, false])
    expect(archived()).toEqual(scaled(span(0, 6000), 1))
  })

  it('is written again in pieces from the newest on, where an earlier write of many candles has failed', async () => {
    const count = 2 * pieceLength + 100
    const entry = opened(0, count)
    const lengths: number[] = []
    const original = archive.write.bind(archive)
    archive.write = (name, candles) => {
      lengths.push(candles.length)
      if (lengths.length === 1) throw new Error('no disk')
      original(name, candles)
    }
    seriesArchive.merge(entry, span(count, count + 2, 3), during(count + 1))
    expect(entry.archived?.unwritten).toBe('write')
    seriesArchive.merge(entry, span(count + 1, count + 3, 3), during(count + 2))
    await expect.poll(() => entry.archived?.unwritten).toBe(undefined)
    expect(lengths).toEqual([1, 102, pieceLength, pieceLength])
    expect(archived().slice(-3)).toEqual([...span(count - 1, count), ...span(count, count + 2, 3)])
  })
})

describe('what another process has written', () => {
  const writeElsewhere = (candles: readonly Candle[]) => new Archive(chunks, { depth }).write(key, candles)

  it('is caught up with, and newer candles in memory stay', () => {
    const entry = opened(0, 10)
    seriesArchive.merge(entry, [candle(12)], during(12))
    writeElsewhere([candle(10, 7)])
    seriesArchive.catchUp(entry)
    expect(shown(entry.series)).toEqual(texts([...span(0, 10), candle(10, 7), candle(12)]))
    writeElsewhere([candle(12, 7)])
    seriesArchive.catchUp(entry)
    expect(shown(entry.series), 'it has closed').toEqual(
      texts([...span(0, 10), candle(10, 7), candle(12, 7)]),
    )
  })

  it('is caught up with where the newest candle was closed by the time alone', () => {
    const entry = opened(0, 10)
    seriesArchive.merge(entry, [candle(10)], during(11))
    writeElsewhere([candle(5, 7)])
    seriesArchive.catchUp(entry)
    expect(shown(entry.series)).toEqual(texts([...span(0, 5), candle(5, 7), ...span(6, 11)]))
    expect(entry.series.unproven, 'its end is still to be shown').toEqual(candle(10))
    writeElsewhere([candle(10, 7)])
    seriesArchive.catchUp(entry)
    expect(shown(entry.series).at(-1)).toBe('10@7')
  })

  it('has the series fetched again where a part of it is lost', () => {
    const entry = opened(0, 600)
    const [oldest] = chunks.keys(...chunkRange(key))
    memory.bytes.set(oldest as string, new Uint8Array(9))
    writeElsewhere([candle(600)])
    seriesArchive.catchUp(entry)
    expect([entry.archived?.isIncomplete, entry.series.count]).toEqual([true, 91])
    writeElsewhere([candle(601)])
    seriesArchive.catchUp(entry)
    expect(entry.archived?.isIncomplete, 'until it was').toBe(true)
  })

  it('changes nothing in memory where the series was removed', () => {
    const entry = opened(0, 10)
    new Archive(chunks, { depth }).remove(key)
    seriesArchive.catchUp(entry)
    expect(shown(entry.series)).toEqual(texts(span(0, 10)))
  })
})
