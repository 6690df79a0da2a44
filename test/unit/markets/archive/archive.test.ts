import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Candle } from '../../../../src/candles/candle.js'
import { Series } from '../../../../src/candles/series.js'
import { type KeyValueStore, type Store, StoreFailure } from '../../../../src/contract/storage/stores.js'
import { Archive, loadedDepth } from '../../../../src/markets/archive/archive.js'
import { encodeChunk } from '../../../../src/markets/archive/chunk-codec.js'
import { maxKnownRevisions } from '../../../../src/markets/archive/series-transactions.js'
import type { ArchivedCandles } from '../../../../src/markets/archive/stored-candles.js'
import { openEmbedded } from '../../../../src/store/embedded/embedded.js'
import { listSeries } from '../../../support/archived-series.js'
import { memoryKeyValues } from '../../../support/memory-key-values.js'
import { numberChunks } from '../../../support/number-chunks.js'

const key = 'x:BTCUSDT:1m'

/** The candle that opens at minute `i`, in one of its versions. */
const candle = (i: number, version = 0): Candle => ({
  timestamp: i * 60,
  open: 100 + i,
  high: 103 + i + version,
  low: 98 + i,
  close: 101 + (i % 3),
  volume: 10 + version,
})
const span = (from: number, to: number, version = 0) =>
  Array.from({ length: to - from }, (_, k) => candle(from + k, version))
const candlesOf = (stored: ArchivedCandles | undefined) =>
  stored ? Array.from({ length: stored.closed }, (_, i) => stored.columns.read(i)) : []

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
const reopen = async () => {
  await store.close()
  store = openEmbedded(directory)
}
/** Every chunk of the series as it lies in the store. */
const chunks = () => [...store.keyValues.keys(`candles/${key}/`, `candles/${key}0`)]
const spoil = (chunk: string, change: (bytes: Uint8Array) => Uint8Array) =>
  store.keyValues.write(() => [[chunk, change(store.keyValues.get(chunk) as Uint8Array)]])

describe('the archive', () => {
  it('reads what was written, after reopening too', async () => {
    const archive = new Archive(store.keyValues, { depth: 1000 })
    expect(archive.read(key)).toBeUndefined()
    archive.write(key, span(0, 1000))
    expect(candlesOf(archive.read(key))).toEqual(span(0, 1000))
    await reopen()
    const again = new Archive(store.keyValues, { depth: 1000 })
    expect(candlesOf(again.read(key))).toEqual(span(0, 1000))
    expect(candlesOf(again.read(key, 300))).toEqual(span(700, 1000))
    expect(listSeries(again)).toMatchObject([
      { key, count: 1000, first: 0, last: 999 * 60, wholeFrom: Number.NEGATIVE_INFINITY, depth: 1000 },
    ])
  })

  it('is the same as a map of the candles, whatever is written in whatever order', () => {
    const write = fc.record({
      from: fc.integer({ min: -50, max: 1200 }),
      length: fc.integer({ min: 1, max: 400 }),
      step: fc.integer({ min: 1, max: 7 }),
      version: fc.nat(3),
      isReopened: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(write, { minLength: 1, maxLength: 12 }), writes => {
        const memory = memoryKeyValues()
        let archive = new Archive(memory.keyValues, { depth: 50_000 })
        const model = new Map<number, Candle>()
        for (const { from, length, step, version, isReopened } of writes) {
          const candles = Array.from({ length }, (_, k) => candle(from + k * step, version))
          archive.write(key, candles)
          for (const each of candles) model.set(each.timestamp, each)
          if (isReopened) archive = new Archive(memory.keyValues, { depth: 50_000 })
          const truth = [...model.values()].sort((a, b) => a.timestamp - b.timestamp)
          expect(isDeepStrictEqual(candlesOf(archive.read(key)), truth)).toBe(true)
          expect(listSeries(archive)).toMatchObject([
            {
              key,
              count: truth.length,
              first: truth[0]?.timestamp,
              last: truth.at(-1)?.timestamp,
              wholeFrom: Number.NEGATIVE_INFINITY,
              isDerived: false,
              depth: 50_000,
            },
          ])
        }
        // Never more than twice the chunks that the candles need.
        expect(memory.bytes.size - 1).toBeLessThanOrEqual(2 * Math.ceil(model.size / 255) + 1)
      }),
      { numRuns: 40 },
    )
  })

  it('drops what a series in memory drops, with the same candle', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.nat(40)), { minLength: 1, maxLength: 30 }),
        steps => {
          const archive = new Archive(memoryKeyValues().keyValues, { depth: 100 })
          const series = new Series('1m', 100)
          let end = 0
          for (const [progress, overlap] of steps) {
            // The last one is forming, and shows that those before it have ended.
            const list = span(Math.max(0, end - overlap), end + progress + 1, end % 3)
            end += progress
            archive.write(key, series.merge(list, end * 60))
            const { columns, closed } = series.snapshot()
            expect(candlesOf(archive.read(key))).toEqual(candlesOf({ columns, closed, isIncomplete: false }))
          }
        },
      ),
      { numRuns: 30 },
    )
  })

  it('stores more of a series where its depth was set, at most ten million candles', () => {
    const archive = new Archive(store.keyValues, { depth: 100 })
    archive.setDepth(key, 1000)
    archive.setDepth(key, 400)
    expect(archive.info(key).depth).toBe(1000)
    for (let i = 0; i < 3000; i += 50) archive.write(key, span(i, i + 50))
    const { closed } = archive.read(key) as ArchivedCandles
    expect(closed).toBeGreaterThanOrEqual(1000)
    expect(closed).toBeLessThanOrEqual(1250)
    archive.setDepth(key, 1e9)
    expect([archive.info(key).depth, loadedDepth(archive.info(key).depth)]).toEqual([10_000_000, 50_000])
    archive.remove(key)
    expect(archive.info(key).depth).toBe(100)
    expect(archive.read(key)).toBeUndefined()
    expect([...store.keyValues.keys('', '~')]).toEqual([])
  })

  it('can replace all candles of a series', () => {
    const archive = new Archive(store.keyValues, { depth: 1000 })
    archive.write(key, span(0, 700))
    archive.replace(key, span(5000, 5300))
    expect(candlesOf(archive.read(key))).toEqual(span(5000, 5300))
    expect(listSeries(archive)).toMatchObject([{ count: 300, first: 5000 * 60, last: 5299 * 60 }])
    archive.replace(key, [])
    expect([archive.read(key), listSeries(archive), chunks()]).toEqual([undefined, [], []])
  })

  it('is read in no transaction, and its newest candles without the other chunks', () => {
    const archive = new Archive(store.keyValues, { depth: 2000 })
    archive.write(key, span(0, 1000))
    const write = vi.spyOn(store.keyValues, 'write')
    const get = vi.spyOn(store.keyValues, 'get')
    expect(candlesOf(archive.read(key, 400))).toEqual(span(600, 1000))
    const read = get.mock.calls.map(([name]) => name).filter(name => name.startsWith('candles/'))
    expect([read.sort(), write.mock.calls]).toEqual([chunks().slice(-2), []])
  })

  it('keeps series apart whatever their symbols are', () => {
    const archive = new Archive(store.keyValues, { depth: 1000 })
    const symbols = [
      'BTC',
      'BTC/',
      'BTC0',
      'BTC:',
      '%',
      '%0025',
      '币安人生',
      '\u00c9',
      'E\u0301',
      '\ud800',
      '𝟘',
      'a b',
      '\uffff'.repeat(180),
    ]
    symbols.forEach((symbol, i) => {
      archive.write(`x:${symbol}:1m`, span(i, i + 300))
    })
    symbols.forEach((symbol, i) => {
      expect(candlesOf(archive.read(`x:${symbol}:1m`)), symbol).toEqual(span(i, i + 300))
    })
    expect(new Set(listSeries(archive).map(listed => listed.key))).toEqual(
      new Set(symbols.map(symbol => `x:${symbol}:1m`)),
    )
  })

  it('keeps candles from before 1970 in order', () => {
    const archive = new Archive(store.keyValues, { depth: 1000 })
    archive.write(key, span(-600, 0))
    archive.write(key, span(0, 300))
    archive.write(key, span(-700, -600))
    expect(candlesOf(archive.read(key))).toEqual(span(-700, 300))
  })

  it('has another revision after every change, and the same after none', () => {
    const archive = new Archive(store.keyValues, { depth: 1000 })
    const seen = [archive.info(key).revision]
    const expectRevision = (isChange: boolean, work: () => void) => {
      work()
      const now = archive.info(key).revision
      if (isChange) expect(seen).not.toContain(now)
      else expect(now).toBe(seen.at(-1))
      seen.push(now)
    }
    expectRevision(true, () => archive.write(key, span(0, 10)))
    expectRevision(false, () => archive.write(key, span(5, 10)))
    expectRevision(false, () => archive.write(key, []))
    expectRevision(true, () => archive.write(key, span(5, 6, 1)))
    expectRevision(true, () => archive.setDepth(key, 2000))
    expectRevision(false, () => archive.setDepth(key, 2000))
    expectRevision(true, () => archive.write(key, span(5, 6, 1), 1000))
    expect(archive.info(key).requestedDepth).toBe(1000)
    expectRevision(true, () => archive.replace(key, span(3, 4)))
  })
})

describe('an archive whose store is elsewhere', () => {
  /** A store in memory that has to prepare series, and its log of requests. */
  const remote = () => {
    const { keyValues: chunks } = memoryKeyValues()
    const asked: string[] = []
    const storedIsNewer = { value: false }
    const prepared: KeyValueStore = {
      ...chunks,
      prepare: async name => void asked.push(name),
      prepareHeads: async () => void asked.push('heads'),
      write: changes => {
        const made = [...changes(storedIsNewer.value)]
        asked.push(`write ${made.length}`)
        chunks.write(() => made)
      },
    }
    return { chunks: prepared, asked, storedIsNewer }
  }

  it('has a series prepared by its head, and all heads for the list', async () => {
    const { chunks, asked } = remote()
    const archive = new Archive(chunks, { depth: 1000 })
    await archive.prepare(key)
    await archive.prepareList()
    expect(asked).toEqual([`head/${key}`, 'heads'])
    expect(new Archive(memoryKeyValues().keyValues, { depth: 1000 }).prepare(key)).toBe(undefined)
  })

  it('writes queued series each by itself', () => {
    const { chunks, asked } = remote()
    const archive = new Archive(chunks, { depth: 1000, journal: store.journal })
    for (const symbol of ['A', 'B']) archive.enqueue(`x:${symbol}:1m`, span(0, 10))
    archive.flush()
    expect(asked).toEqual(['write 2', 'write 2'])
  })

  it('replaces no candles by older ones, where another process has written meanwhile', () => {
    const { chunks, storedIsNewer } = remote()
    const archive = new Archive(chunks, { depth: 1000 })
    archive.write(key, span(0, 300))
    storedIsNewer.value = true
    archive.replace(key, span(0, 299, 1))
    archive.replace(key, [])
    expect(candlesOf(archive.read(key))).toEqual(span(0, 300))
    archive.replace(key, span(100, 300, 1))
    expect(candlesOf(archive.read(key))).toEqual(span(100, 300, 1))
  })
})

it('remembers the revisions of a bounded number of series', () => {
  const bytes = new Map<string, Uint8Array>()
  const memory: KeyValueStore = {
    get: stored => bytes.get(stored),
    keys: () => [],
    write(changes) {
      for (const [stored, content] of changes()) if (content) bytes.set(stored, content)
    },
  }
  const archive = new Archive(memory, { depth: 100 })
  for (let i = 0; i <= maxKnownRevisions; i++) archive.setDepth(`x:S${i}:1m`, 200)
  expect(archive.isChanged(`x:S${maxKnownRevisions}:1m`)).toBe(false)
  expect(archive.isChanged('x:S0:1m'), 'it is read again').toBe(true)
})

describe('queued candles', () => {
  const queueing = (failures: unknown[] = []) =>
    new Archive(store.keyValues, {
      depth: 1000,
      journal: store.journal,
      onFailure: error => failures.push(error),
    })
  const journals = () => readdirSync(join(directory, 'candles')).filter(name => name.endsWith('.journal'))
  const journalBytes = () =>
    journals().reduce((sum, name) => sum + statSync(join(directory, 'candles', name)).size, 0)
  /** As the file of a process that has ended: no process has this number. */
  const abandon = () => {
    for (const name of journals())
      renameSync(join(directory, 'candles', name), join(directory, 'candles', '4194999.journal'))
  }

  it('are read as if they had been written', () => {
    const archive = queueing()
    archive.write(key, span(0, 500))
    archive.enqueue(key, span(500, 501))
    archive.enqueue(key, [candle(500, 1), candle(501)])
    expect(candlesOf(archive.read(key))).toEqual([...span(0, 500), candle(500, 1), candle(501)])
    archive.enqueue(key, [candle(502)])
    expect(listSeries(archive)).toMatchObject([{ count: 503 }])
    archive.enqueue(key, [candle(503)])
    archive.replace(key, [candle(9)])
    expect(candlesOf(archive.read(key))).toEqual([candle(9)])
  })

  it('of other series stay in the journal when those of one are written to be read', () => {
    const archive = queueing()
    archive.enqueue(key, span(0, 10))
    archive.enqueue('x:ETHUSDT:1m', span(0, 10))
    archive.read(key)
    expect(journalBytes()).toBeGreaterThan(0)
    archive.read('x:ETHUSDT:1m')
    expect(journalBytes()).toBe(0)
  })

  it('are written at once where there is no journal', () => {
    const archive = new Archive(store.keyValues, { depth: 1000 })
    archive.recover()
    archive.enqueue(key, span(0, 10))
    expect(chunks()).toHaveLength(1)
  })

  it('are written together a second later, and the journal is empty then', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const archive = queueing()
      const keys = Array.from({ length: 120 }, (_, i) => `x:S${i}:1m`)
      for (const each of keys) archive.write(each, span(0, 300))
      for (let i = 300; i < 310; i++) for (const each of keys) archive.enqueue(each, [candle(i)])
      expect(journalBytes()).toBeGreaterThan(1200 * 48)
      const write = vi.spyOn(store.keyValues, 'write')
      vi.advanceTimersByTime(999)
      expect(write).not.toHaveBeenCalled()
      vi.advanceTimersByTime(1 + 5 * 20)
      expect(write).toHaveBeenCalledTimes(6)
      expect(journalBytes()).toBe(0)
      const other = new Archive(store.keyValues, { depth: 1000 })
      for (const each of keys) expect(candlesOf(other.read(each))).toEqual(span(0, 310))
      archive.enqueue(key, span(0, 1))
      vi.advanceTimersByTime(1000)
      expect(candlesOf(other.read(key))).toEqual(span(0, 1))
    } finally {
      vi.useRealTimers()
    }
  })

  it('are there after the end of the process, without the record that was cut off', async () => {
    const one = queueing()
    one.write(key, span(0, 300))
    for (let i = 300; i < 310; i++) one.enqueue(key, [candle(i)])
    await reopen()
    abandon()
    const file = join(directory, 'candles', journals()[0] as string)
    writeFileSync(file, readFileSync(file).subarray(0, -1))
    const two = queueing()
    two.recover()
    expect(candlesOf(two.read(key)), 'the last record was not whole').toEqual(span(0, 309))
    expect(journals()).toEqual([])
    two.recover()
    expect(candlesOf(two.read(key))).toEqual(span(0, 309))
  })

  it('stay dropped where they were dropped since', async () => {
    const one = queueing()
    one.enqueue(key, [...span(0, 10), candle(5000, 1)])
    await reopen()
    abandon()
    const two = queueing()
    two.replace(key, span(5000, 5300))
    two.recover()
    expect(candlesOf(two.read(key))).toEqual([candle(5000, 1), ...span(5001, 5300)])
  })

  it.each([0, 3600])('of a process that runs are left to it, also %i seconds after it wrote them', age => {
    const archive = queueing()
    archive.enqueue(key, span(0, 10))
    const journal = join(directory, 'candles', `${process.ppid}.journal`)
    for (const name of journals()) renameSync(join(directory, 'candles', name), journal)
    const written = Date.now() / 1000 - age
    utimesSync(journal, written, written)
    const other = queueing()
    other.recover()
    expect(other.read(key)).toBeUndefined()
    expect(journals()).toEqual([`${process.ppid}.journal`])
  })

  it('of an earlier process with the same number are written', async () => {
    const one = queueing()
    one.enqueue(key, span(0, 10))
    await reopen()
    for (const name of journals())
      renameSync(
        join(directory, 'candles', name),
        join(directory, 'candles', `${process.pid}-00000000-1.journal`),
      )
    const two = queueing()
    two.recover()
    expect(candlesOf(two.read(key))).toEqual(span(0, 10))
    expect(journals()).toEqual([])
  })

  it('wait for a disk that is full', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const failures: unknown[] = []
    try {
      const archive = queueing(failures)
      const full = vi.spyOn(store.keyValues, 'write').mockImplementation(() => {
        throw new StoreFailure('full')
      })
      archive.enqueue(key, span(0, 10))
      vi.advanceTimersByTime(60_000)
      // After waits of 1, 2, 4, 8, 16 and 32 s at most, and of half as long at least.
      expect([6, 7]).toContain(failures.length)
      expect(journalBytes()).toBeGreaterThan(0)
      full.mockRestore()
      vi.advanceTimersByTime(60_000)
      expect(journalBytes()).toBe(0)
      expect(candlesOf(archive.read(key))).toEqual(span(0, 10))
    } finally {
      vi.useRealTimers()
    }
  })

  it('are kept for the next process where they come after the end of the archive', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const failures: unknown[] = []
    try {
      const archive = queueing(failures)
      archive.enqueue(key, span(0, 10))
      archive.close()
      expect(journalBytes()).toBe(0)
      archive.enqueue(key, [candle(10)])
      await reopen()
      vi.advanceTimersByTime(3000)
      expect(failures).toEqual([])
    } finally {
      vi.useRealTimers()
    }
    const next = queueing()
    next.recover()
    expect(candlesOf(next.read(key))).toEqual(span(0, 11))
  })

  it('do not hide what another process has changed, and are no change of another process', () => {
    const archive = queueing()
    archive.write(key, span(0, 10))
    expect(archive.isChanged(key)).toBe(false)
    archive.enqueue(key, [candle(10)])
    archive.flush()
    expect(archive.isChanged(key)).toBe(false)
    archive.enqueue(key, [candle(11)])
    new Archive(store.keyValues, { depth: 1000 }).write(key, span(-10, 0))
    archive.flush()
    expect(archive.isChanged(key)).toBe(true)
    expect(candlesOf(archive.read(key))).toEqual(span(-10, 12))
    expect(archive.isChanged(key)).toBe(false)
  })
})

describe('a chunk that cannot be read', () => {
  const flipped = (at: number) => (bytes: Uint8Array) => {
    const changed = new Uint8Array(bytes)
    changed[at] = (changed[at] as number) ^ 1
    return changed
  }
  const setUp = () => {
    const reports: string[] = []
    const archive = new Archive(store.keyValues, {
      depth: 2000,
      onCorrupt: (series, reason) => reports.push(`${series}: ${reason}`),
    })
    // As numbers, so that there are four of them.
    const begin = () => archive.replace(key, span(0, 1000), { chunks: numberChunks(key, span(0, 1000)) })
    begin()
    return { archive, reports, begin }
  }

  it.each([
    ['of numbers', 1, 510],
    ['that is packed', 0, 765],
  ])('is found wherever a bit of one %s is flipped', (_, place, first) => {
    const { archive, reports, begin } = setUp()
    const restore = place === 1 ? begin : () => archive.replace(key, span(0, 1000))
    restore()
    const damaged = chunks()[place] as string
    const sound = store.keyValues.get(damaged) as Uint8Array
    fc.assert(
      fc.property(fc.nat(sound.byteLength - 1), fc.nat(7), (at, bit) => {
        restore()
        reports.length = 0
        spoil(damaged, bytes => {
          const changed = new Uint8Array(bytes)
          changed[at] = (changed[at] as number) ^ (1 << bit)
          return changed
        })
        const stored = archive.read(key)
        expect(stored?.isIncomplete).toBe(true)
        expect(candlesOf(stored), 'only what follows the hole').toEqual(span(first, 1000))
        expect(reports).toHaveLength(1)
      }),
      { numRuns: 30 },
    )
  })

  it.each([
    ['cut short', (bytes: Uint8Array) => bytes.subarray(0, 5000)],
    ['cut within its header', (bytes: Uint8Array) => bytes.subarray(0, 9)],
    ['empty', () => new Uint8Array(0)],
    ['longer than it says', (bytes: Uint8Array) => Buffer.concat([bytes, bytes])],
  ])('is dropped when it is %s, reported once, and the hole can be filled', (_, change) => {
    const { archive, reports } = setUp()
    spoil(chunks()[2] as string, change)
    expect(candlesOf(archive.read(key))).toEqual(span(765, 1000))
    expect(reports).toEqual([
      expect.stringMatching(/^x:BTCUSDT:1m: its chunk from 1970-01-01T08:30:00\.000Z on was dropped: /),
    ])
    expect(listSeries(archive)).toMatchObject([{ count: 745, first: 0, last: 999 * 60 }])
    expect(new Archive(store.keyValues, { depth: 2000 }).read(key)?.isIncomplete, 'after a restart').toBe(
      true,
    )
    archive.write(key, span(400, 900), 2000)
    expect(archive.read(key)).toMatchObject({ isIncomplete: false, closed: 1000 })
    expect(candlesOf(archive.read(key))).toEqual(span(0, 1000))
    expect(reports).toHaveLength(1)
  })

  it('leaves the older ones when it is the newest', () => {
    const { archive } = setUp()
    spoil(chunks().at(-1) as string, flipped(700))
    const stored = archive.read(key)
    expect(candlesOf(stored)).toEqual(span(0, 765))
    expect(stored?.isIncomplete).toBe(true)
  })

  it('is dropped by a write of candles of the same time', () => {
    const { archive, reports } = setUp()
    spoil(chunks().at(-1) as string, flipped(700))
    archive.write(key, span(999, 1010))
    expect(reports).toHaveLength(1)
    expect(listSeries(archive)).toMatchObject([{ count: 776, last: 1009 * 60 }])
    expect(candlesOf(archive.read(key))).toEqual([...span(0, 765), ...span(999, 1010)])
    const isIncomplete = () => new Archive(store.keyValues, { depth: 2000 }).read(key)?.isIncomplete
    expect(isIncomplete(), 'after a restart').toBe(true)
    archive.replace(key, span(0, 1010))
    expect(isIncomplete()).toBe(false)
  })

  it('is one that lies under the key of another chunk', () => {
    const { archive, reports } = setUp()
    const [one, two] = chunks() as [string, string]
    spoil(one, () => store.keyValues.get(two) as Uint8Array)
    expect(archive.read(key)?.closed).toBe(745)
    expect(reports).toHaveLength(1)
    expect(listSeries(archive)).toMatchObject([{ count: 745, first: 255 * 60, last: 999 * 60 }])
  })

  it('is counted no more before it is found', () => {
    const { archive } = setUp()
    for (const at of [0, 2]) spoil(chunks()[at] as string, flipped(700))
    archive.read(key)
    expect(listSeries(archive)).toMatchObject([{ count: 490, first: 0, last: 999 * 60 }])
  })

  it('leaves nothing of its series where it is the only one', () => {
    const { archive, reports } = setUp()
    archive.replace(key, span(0, 10))
    spoil(chunks()[0] as string, flipped(100))
    expect([archive.read(key), listSeries(archive), reports.length]).toEqual([undefined, [], 1])
  })

  it('is one with a time twice, although its checksum is right', () => {
    const { archive, reports } = setUp()
    spoil(chunks()[1] as string, bytes => {
      const changed = Buffer.from(bytes)
      changed.writeDoubleLE(changed.readDoubleLE(32 + 8 * 4), 32 + 8 * 5)
      changed.writeUInt32LE(crc32(changed.subarray(32), crc32(changed.subarray(0, 28))), 28)
      return changed
    })
    expect(candlesOf(archive.read(key))).toEqual(span(510, 1000))
    expect(reports).toEqual([expect.stringContaining('its times are not ascending')])
  })

  it.each([766, 770])('is one with times of the next one, up to %i', end => {
    const { archive, reports } = setUp()
    spoil(chunks()[2] as string, () => encodeChunk(span(510, end)))
    expect(candlesOf(archive.read(key))).toEqual(span(765, 1000))
    expect(reports).toEqual([expect.stringContaining('its times are also in the next one')])
    expect(listSeries(archive)).toMatchObject([{ count: 745 }])
  })

  it('with times of the next one is repaired by a write of candles of the same time', () => {
    const { archive, reports } = setUp()
    spoil(chunks()[2] as string, () => encodeChunk(span(510, 770)))
    archive.write(key, span(700, 800, 1))
    expect(candlesOf(archive.read(key))).toEqual([...span(0, 700), ...span(700, 800, 1), ...span(800, 1000)])
    expect(listSeries(archive)).toMatchObject([{ count: 1000, first: 0, last: 999 * 60 }])
    expect(reports).toEqual([])
  })

  it('is never written with a time twice', () => {
    expect(() => encodeChunk([...span(0, 3), ...span(2, 4)])).toThrow('whose times are not ascending')
  })

  it.each([
    ['is spoilt', (head: string) => spoil(head, flipped(9))],
    ['is gone', (head: string) => store.keyValues.write(() => [[head, undefined]])],
  ])('does not lose its series where its head %s', (_, harm) => {
    const { archive, reports } = setUp()
    harm(`head/${key}`)
    expect(archive.info(key).revision, 'it is stored').toBeGreaterThan(0)
    expect(archive.info(key).depth).toBe(2000)
    expect(reports).toEqual([expect.stringContaining('its head was written again')])
    archive.write(key, span(1000, 1001))
    expect(candlesOf(archive.read(key))).toEqual(span(0, 1001))
    expect(listSeries(archive)).toMatchObject([{ count: 1001, first: 0, last: 1000 * 60 }])
  })
})
