import { beforeEach, describe, expect, it } from 'vitest'
import type { Candle } from '../../../../src/candles/candle.js'
import type { Journal } from '../../../../src/contract/storage/stores.js'
import { Archive } from '../../../../src/markets/archive/archive.js'
import { correctionKey, correctionRange } from '../../../../src/markets/archive/archive-keys.js'
import { memoryKeyValues } from '../../../support/memory-key-values.js'

const key = 'x:A:1m'
const day = 86_400
const candle = (minute: number, volume = 1): Candle => ({
  timestamp: minute * 60,
  ...{ open: 1, high: 2, low: 1, close: 2, volume },
})
const span = (from: number, to: number) => Array.from({ length: to - from }, (_, k) => candle(from + k))

let now: number
let memory: ReturnType<typeof memoryKeyValues>
const journal: Journal = { append() {}, clear() {}, recover: () => () => {}, close() {} }
/** Monotonic clock. It agrees with the time of day unless a test changes it. */
let passed: () => number
const ages = { before: (seconds: number) => passed() - seconds }

const open = (correctionsDays = 30) =>
  new Archive(memory.keyValues, { depth: 1000, correctionsDays, journal, clock: () => now, ages })
/** Original values of corrected candles at a time, as `minute@volume`. A minute alone means that the candle was missing. */
const known = (archive: Archive, time: number) => {
  const others = archive.asOf(key, time)
  return typeof others === 'number'
    ? others
    : [...others].map(([at, before]) => `${at / 60}${before ? `@${before.volume}` : ''}`).sort()
}
beforeEach(() => {
  now = 100_000
  passed = () => now
  memory = memoryKeyValues()
})

describe('corrections of closed candles', () => {
  it('are known with the time of their arrival, and undone for a time before it', () => {
    const archive = open()
    archive.write(key, span(0, 100))
    now += 100
    archive.write(key, [candle(50, 2), candle(60), ...span(100, 110)])
    now += 100
    archive.write(key, [candle(50, 3), candle(70, 3)])
    for (const again of [archive, open()]) {
      expect(known(again, 100_000)).toEqual(['50@1', '70@1'])
      expect(known(again, 100_099.9)).toEqual(['50@1', '70@1'])
      expect(known(again, 100_100)).toEqual(['50@2', '70@1'])
      expect(known(again, 100_200)).toEqual([])
      expect(known(again, 99_999)).toBe(100_000)
    }
  })

  it('are candles that fill a gap, too, but not those of a longer history', () => {
    const archive = open()
    archive.write(key, [...span(0, 10), ...span(12, 20)])
    now += 100
    archive.write(key, span(-5, 12))
    expect(known(archive, 100_000)).toEqual(['10', '11'])
  })

  it('arrive when they are queued, also those that others take the place of before they are written', () => {
    const archive = open()
    archive.write(key, span(0, 10))
    now += 1
    archive.enqueue(key, [candle(9, 2)])
    now += 1
    archive.enqueue(key, [candle(9, 3), candle(10, 5)])
    now += 1
    archive.enqueue(key, [candle(10, 6)])
    archive.flush()
    now += 100
    const times = [100_000, 100_001, 100_002, 100_003]
    expect(times.map(time => known(archive, time))).toEqual([['10@5', '9@1'], ['10@5', '9@2'], ['10@5'], []])
  })

  it('are dropped after so many days, or where there are too many, and the time before is not known any more', () => {
    const archive = open(2)
    archive.write(key, span(0, 100))
    for (const volume of [2, 3, 4]) {
      now += 1.5 * day
      archive.write(key, [candle(5, volume)])
    }
    expect([...memory.keyValues.keys(...correctionRange(key))]).toHaveLength(2)
    expect(known(archive, 100_000)).toBe(100_000 + 1.5 * day)
    expect(known(archive, 100_000 + 1.5 * day)).toEqual(['5@2'])
    archive.write(key, span(0, 2100))
    const correct = (volume: number) => {
      now += 1
      archive.write(key, [candle(2000, volume)])
    }
    correct(10)
    const stored = memory.bytes.get(correctionKey(key, now)) as Uint8Array
    for (let earlier = 1; earlier <= 2000; earlier++)
      memory.bytes.set(correctionKey(key, now - earlier), stored)
    for (let volume = 11; volume <= 20; volume++) correct(volume)
    expect([...memory.keyValues.keys(...correctionRange(key))].length).toBeLessThan(2010)
    expect(known(archive, now - 2008)).toBeGreaterThan(now - 2008)
    expect(known(archive, now - 5)).toEqual(['2000@15'])
  })

  it('are not dropped by a clock that is ahead of the time that has passed', () => {
    const archive = open(2)
    archive.write(key, span(0, 100))
    now += 1
    archive.write(key, [candle(5, 2)])
    const before = now
    passed = () => before
    now += 100 * day
    archive.write(key, [candle(6, 2)])
    now = before
    expect([...memory.keyValues.keys(...correctionRange(key))]).toHaveLength(2)
    expect(known(archive, 100_000)).toEqual(['5@1', '6@1'])
  })

  it('are not known from before another series took its place, nor where they were not stored', () => {
    const archive = open()
    archive.write(key, span(0, 100))
    now += 10
    archive.replace(
      key,
      span(0, 100).map(one => ({ ...one, close: 1 })),
    )
    expect([known(archive, now - 1), known(archive, now)]).toEqual([now, []])
    now += 10
    open(0).write(key, [candle(5, 2)])
    expect(known(open(0), now)).toBe(Number.POSITIVE_INFINITY)
    expect([known(archive, now - 1), known(archive, now)]).toEqual([now, []])
    now += 10
    archive.write(key, [candle(5, 3)])
    memory.bytes.set([...memory.keyValues.keys(...correctionRange(key))][0] as string, new Uint8Array(57))
    expect(known(archive, now - 1), 'damaged').toBe(Number.POSITIVE_INFINITY)
    archive.remove(key)
    expect(memory.bytes.size).toBe(0)
  })

  it('are not stored where nodes share the store', () => {
    const shared = { ...memory.keyValues, prepare: () => undefined }
    const archive = new Archive(shared, { depth: 1000, correctionsDays: 30, clock: () => now })
    archive.write(key, span(0, 10))
    archive.write(key, [candle(5, 2)])
    expect(known(archive, now)).toBe(Number.POSITIVE_INFINITY)
    expect([...memory.keyValues.keys(...correctionRange(key))]).toEqual([])
  })
})
