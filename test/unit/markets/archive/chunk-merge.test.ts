import { beforeEach, describe, expect, it } from 'vitest'
import type { Candle } from '../../../../src/candles/candle.js'
import type { CandleBlock } from '../../../../src/candles/columns.js'
import { Series } from '../../../../src/candles/series.js'
import { Archive } from '../../../../src/markets/archive/archive.js'
import { chunkRange, headKey } from '../../../../src/markets/archive/archive-keys.js'
import {
  countOf,
  cutIntoChunks,
  encodeChunk,
  packedSize,
} from '../../../../src/markets/archive/chunk-codec.js'
import { bytesOf, decodeHead, emptyHead, encodeHead } from '../../../../src/markets/archive/series-head.js'
import { finish } from '../../../../src/runtime/scheduler.js'
import { listSeries } from '../../../support/archived-series.js'
import { memoryKeyValues } from '../../../support/memory-key-values.js'
import { numberChunks } from '../../../support/number-chunks.js'

const key = 'x:BTCUSDT:1m'
const candle = (minute: number, volume = 1): Candle => ({
  timestamp: minute * 60,
  ...{ open: 1, high: 1, low: 1, close: 1, volume },
})
const span = (from: number, to: number, step = 1) =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, k) => candle(from + k * step))

let memory: ReturnType<typeof memoryKeyValues>
beforeEach(() => {
  memory = memoryKeyValues()
})
const open = (depth: number) => new Archive(memory.keyValues, { depth })
const keys = () => [...memory.keyValues.keys(...chunkRange(key))]
const counts = () => keys().map(name => countOf(memory.bytes.get(name) as Uint8Array))
/** Head of the series, in minutes. */
function listed(archive: Archive) {
  const [{ count, first, last } = expect.fail('not listed')] = listSeries(archive)
  return [count, first / 60, last / 60]
}
/** The same of the candles that are stored. */
function stored(archive: Archive) {
  const { columns, closed, isIncomplete } = archive.read(key) ?? expect.fail('not stored')
  expect(isIncomplete).toBe(false)
  return [closed, ...[0, closed - 1].map(at => (columns.timestamp[at] as number) / 60)]
}
const candlesIn = (blocks: Iterable<CandleBlock>) =>
  [...blocks].flatMap(({ columns, from, to }) =>
    Array.from({ length: to - from }, (_, k) => columns.read(from + k)),
  )
const candlesOf = (stored: ReturnType<Archive['read']>) =>
  Array.from({ length: stored?.closed ?? 0 }, (_, at) => stored?.columns.read(at))
/** Stores one chunk per list of candles, packed if there are many candles, and a head that counts all candles. */
function storeChunks(...parts: (readonly Candle[])[]): void {
  const [first, last] = [parts[0]?.[0], parts.at(-1)?.at(-1)] as [Candle, Candle]
  const count = parts.reduce((sum, part) => sum + part.length, 0)
  const head = { ...emptyHead, count, first: first.timestamp, last: last.timestamp }
  memory.keyValues.write(() => [
    [headKey(key), encodeHead(head, 0)],
    ...parts.flatMap(part =>
      part.length > 2000 ? cutIntoChunks(key, part, false) : numberChunks(key, part),
    ),
  ])
}

describe('a stored series of many chunks', () => {
  it('drops what the series in memory drops, also from within a chunk and before the written ones', () => {
    const archive = open(600)
    const series = new Series('1m', 600)
    for (let end = 45; end <= 2000; end += 45) {
      archive.write(key, series.merge(span(end - 45, end + 1), end * 60))
      const { columns, closed } = series.snapshot()
      const expected = [closed, (columns.timestamp[0] as number) / 60, end - 1]
      expect(stored(archive)).toEqual(expected)
      expect(listed(archive)).toEqual(expected)
    }
  })

  it('keeps older candles that are inserted until a newer one is appended', () => {
    const archive = open(100)
    archive.write(key, span(1000, 1100))
    archive.write(key, span(900, 1000))
    expect([stored(archive), listed(archive)]).toEqual([
      [200, 900, 1099],
      [200, 900, 1099],
    ])
    archive.write(key, [candle(1099, 2)])
    expect(stored(archive), 'a correction appends nothing').toEqual([200, 900, 1099])
    archive.write(key, [candle(1100)])
    expect([stored(archive), listed(archive)]).toEqual([
      [101, 1000, 1100],
      [101, 1000, 1100],
    ])
  })

  it('is listed with its last candle where all are from before 1970', () => {
    const archive = open(1000)
    archive.write(key, span(-600, -10))
    expect(listed(archive)).toEqual([590, -600, -11])
  })

  it('is not read to append a candle, but for its last chunk', () => {
    const archive = open(10_000)
    archive.write(key, span(0, 5000))
    const last = keys().at(-1)
    const read = new Set<string>()
    const { get } = memory.keyValues
    memory.keyValues.get = name => {
      read.add(name)
      return get(name)
    }
    archive.write(key, [candle(5000)])
    expect([...read].sort()).toEqual([last, headKey(key)])
  })
})

describe('a series whose chunks are packed', () => {
  it('has some packed chunks and one of numbers, whatever is written to it', () => {
    const archive = open(30_000)
    archive.write(key, span(0, 1000))
    expect(counts()).toEqual([765, 235])
    for (let minute = 1000; minute < 1300; minute++) archive.write(key, [candle(minute)])
    expect(counts(), 'the chunk before grows to a thousand candles').toEqual([1020, 255, 25])
    for (let minute = 1300; minute < 2100; minute++) archive.write(key, [candle(minute)])
    expect(counts()).toEqual([1020, 1020, 60])
    archive.write(key, span(-2000, 0))
    expect(counts(), 'with the next ones, as far as there is place').toEqual([3020, 1020, 60])
    archive.write(key, [candle(-1000, 2), candle(500, 2)])
    expect(counts()).toEqual([4040, 60])
    archive.write(key, span(-9000, -2000))
    expect(counts()).toEqual([4080, 2920, 4040, 60])
    expect(stored(archive)).toEqual([11_100, -9000, 2099])
    expect(listed(archive)).toEqual([11_100, -9000, 2099])
    const bytes = [...keys()].reduce((sum, name) => sum + bytesOf(memory.bytes.get(name)), 0)
    expect(archive.usage(1)).toMatchObject([{ bytes: bytes + 512 }])
  })

  it('drops its oldest candles from within a packed chunk', () => {
    const archive = open(1000)
    for (let minute = 0; minute < 1251; minute++) archive.write(key, [candle(minute)])
    expect(stored(archive)).toEqual([1001, 250, 1250])
    expect(counts().reduce((sum, count) => sum + count, 0)).toBe(1001)
  })

  it('has small chunks packed where it is written', () => {
    storeChunks(span(0, 1020))
    const archive = open(10_000)
    expect(counts()).toEqual([255, 255, 255, 255])
    archive.write(key, [candle(1020)])
    expect(counts()).toEqual([255, 255, 510, 1])
    archive.write(key, [candle(300, 2)])
    expect(counts()).toEqual([255, 765, 1])
    expect(stored(archive)).toEqual([1021, 0, 1020])
  })
})

describe('a series with more candles than memory holds', () => {
  const depth = 60_000
  const isShown = (one: Candle) => one.timestamp >= 2000 * 60
  const all = (archive: Archive) => candlesIn(archive.blocks(key))
  const scaled = (one: Candle): Candle => ({
    timestamp: one.timestamp,
    ...{
      open: one.open / 4,
      high: one.high / 4,
      low: one.low / 4,
      close: one.close / 4,
      volume: one.volume * 4,
    },
  })
  const scale = { price: 1 / 4, volume: 4 }
  const begin = () => {
    const archive = open(1000)
    archive.setDepth(key, depth)
    for (let from = 0; from < 6000; from += 1000) archive.write(key, span(from, from + 1000))
    return archive
  }

  it('keeps its older candles where the newest are replaced, and says that others are missing between', () => {
    const archive = begin()
    const others = span(2100, 6000).map(one => ({ ...one, volume: 9 }))
    archive.replace(key, others)
    expect(all(archive)).toEqual([...span(0, 2100), ...others])
    expect(archive.info(key)).toMatchObject({ count: 6000, first: 0, last: 5999 * 60, wholeFrom: 2100 * 60 })
    expect(archive.read(key)?.isIncomplete).toBe(true)
    expect(archive.read(key, 3900)?.isIncomplete).toBe(false)
    archive.write(key, span(1000, 1001), 2000)
    expect(archive.info(key)?.wholeFrom, 'a backfill has asked for what follows').toBe(1000 * 60)
    archive.write(key, span(-1, 1), 6000)
    expect(archive.info(key)).toMatchObject({ count: 6001, wholeFrom: Number.NEGATIVE_INFINITY })
    expect(archive.read(key)?.isIncomplete).toBe(false)
  })

  it('has its older candles in the scale of newer ones at once, and writes them so in steps that may end anywhere', () => {
    const archive = begin()
    const newest = span(2000, 6000).map(scaled)
    const expected = span(0, 6000).map(scaled)
    archive.replace(key, newest, { scale })
    let steps = 0
    do {
      // Each step is read by a process that has started after it.
      const other = open(1000)
      expect(all(other)).toEqual(expected)
      expect(candlesOf(other.read(key, 5000))).toEqual(expected.slice(-5000))
      steps++
    } while (!open(1000).adjustSplit(key).next().done)
    expect(steps).toBeGreaterThan(2)
    expect(all(open(1000))).toEqual(expected)
    expect(decodeHead(memory.bytes.get(headKey(key)))).toMatchObject({ priceScale: 1, count: 6000 })
    expect(open(1000).adjustSplit(key).next().done).toBe(true)
  })

  it('has one scale whatever is written meanwhile: what needs older candles to be scaled is refused until they are', () => {
    const archive = begin()
    archive.replace(key, span(2000, 6000).map(scaled), { scale })
    archive.write(key, span(6000, 6300).map(scaled))
    const known = span(0, 6300).map(scaled)
    const refusal = `Candles of ${key} are still to be scaled`
    expect(() => archive.write(key, [candle(500, 2)])).toThrow(refusal)
    expect(() => archive.replace(key, known.filter(isShown).map(scaled), { scale })).toThrow(refusal)
    expect(all(archive)).toEqual(known)
    finish(archive.adjustSplit(key, 500 * 60))
    archive.write(key, [candle(500, 2)])
    const corrected = known.with(500, candle(500, 2))
    expect(all(archive)).toEqual(corrected)
    finish(archive.adjustSplit(key))
    archive.replace(key, corrected.filter(isShown).map(scaled), { scale })
    expect(all(archive)).toEqual(corrected.map(scaled))
    expect(archive.info(key)).toMatchObject({ count: 6300, first: 0 })
  })

  it.each([
    ['some of', 1900],
    ['all of', -100],
  ])('has one scale where %s its older candles are replaced before they are scaled', (_, first) => {
    const archive = begin()
    archive.replace(key, span(2000, 6000).map(scaled), { scale })
    const others = span(first, first + 1000).map(scaled)
    archive.replace(key, others)
    const older = span(0, Math.max(0, first)).map(scaled)
    expect(all(archive)).toEqual([...older, ...others])
    finish(archive.adjustSplit(key))
    expect(all(archive)).toEqual([...older, ...others])
  })

  it.each([
    ['a correction', (archive: Archive) => archive.write(key, [candle(500, 2)]), false],
    [
      'a second scale',
      (archive: Archive) => archive.replace(key, span(2000, 6000).map(scaled).map(scaled), { scale }),
      true,
    ],
  ])('has one scale wherever %s ends that comes before all of it is written', (_, change, isScaledTwice) => {
    begin().replace(key, span(2000, 6000).map(scaled), { scale })
    const once = span(0, 6000).map(scaled)
    const changed = isScaledTwice ? once.map(scaled) : once.with(500, candle(500, 2))
    const before = [...memory.bytes]
    const scaleAnd = (archive: Archive) => {
      finish(archive.adjustSplit(key))
      change(archive)
    }
    for (let writes = 0; ; writes++) {
      memory.bytes.clear()
      for (const [name, bytes] of before) memory.bytes.set(name, bytes)
      let left = writes
      const write: typeof memory.keyValues.write = changes => {
        if (left-- === 0) throw new Error('EIO')
        memory.keyValues.write(changes)
      }
      const failing = new Archive({ ...memory.keyValues, write }, { depth: 1000 })
      let isWhole = true
      try {
        scaleAnd(failing)
      } catch (error) {
        expect(error).toEqual(new Error('EIO'))
        isWhole = false
      }
      expect(all(open(1000))).toEqual(isWhole ? changed : once)
      if (isWhole) {
        expect(writes, 'some chunks are written before').toBeGreaterThan(2)
        break
      }
      scaleAnd(open(1000))
      expect(all(open(1000))).toEqual(changed)
    }
  })
})

describe('candles that are inserted', () => {
  it('leave the next chunk as it is where that is full', () => {
    const archive = open(20_000)
    archive.write(key, span(0, 2 * (2 * packedSize + 255), 2))
    expect(counts()).toEqual([packedSize, packedSize, 255])
    const [, full] = keys() as [string, string]
    const before = memory.bytes.get(full)
    archive.write(key, [candle(1)])
    expect(counts()).toEqual([packedSize, 1, packedSize, 255])
    expect(memory.bytes.get(full)).toBe(before)
    expect(stored(archive)).toEqual([2 * packedSize + 256, 0, 2 * (2 * packedSize + 254)])
  })

  it('do not leave a small chunk each', () => {
    const archive = open(10_000)
    archive.write(key, span(0, 1020, 2))
    for (let minute = 1; minute < 201; minute += 2) archive.write(key, [candle(minute)])
    expect(counts()).toEqual([510, 100])
    expect(stored(archive)).toEqual([610, 0, 1018])
    for (let minute = 1; minute <= 100; minute++) archive.write(key, [candle(-minute)])
    expect(counts().length).toBeLessThanOrEqual(3)
    expect(stored(archive)).toEqual([710, -100, 1018])
  })

  it('before all others are the first that is listed, in a chunk of their own too', () => {
    const archive = open(10_000)
    archive.write(key, span(0, 255))
    archive.write(key, [candle(-1)])
    expect(keys()).toHaveLength(2)
    expect([stored(archive), listed(archive)]).toEqual([
      [256, -1, 254],
      [256, -1, 254],
    ])
  })

  it('leave neighbours apart that do not fit into one chunk', () => {
    storeChunks(span(0, 4000), span(9000, 9200))
    const before = keys()
    const archive = open(10_000)
    archive.write(key, [candle(5000)])
    expect(keys()).toEqual(before)
    expect([stored(archive), listed(archive)]).toEqual([
      [4201, 0, 9199],
      [4201, 0, 9199],
    ])
  })

  it('have the candles counted anew where a time is in two chunks', () => {
    storeChunks(span(0, 100), span(100, 200))
    const [first] = keys() as [string]
    memory.bytes.set(first, encodeChunk(span(0, 110)))
    const head = { ...emptyHead, count: 210, last: 199 * 60 }
    memory.bytes.set(headKey(key), encodeHead(head, 0))
    const archive = open(10_000)
    archive.write(key, [candle(50, 2)])
    expect([stored(archive), listed(archive)]).toEqual([
      [200, 0, 199],
      [200, 0, 199],
    ])
  })
})
