import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Candle } from '../../../../src/candles/candle.js'
import type { Journal } from '../../../../src/contract/storage/stores.js'
import { decodeRecord, maxFailedCandles, WriteQueue } from '../../../../src/markets/archive/write-queue.js'

const candle = (minute: number): Candle => ({
  timestamp: minute * 60,
  ...{ open: 1, high: 2, low: 1, close: 2, volume: 1 },
})

/** A journal in memory, which may be full. */
class MemoryJournal implements Journal {
  records: Uint8Array[] = []
  left: Uint8Array[] = []
  isFull = false

  get bytes(): number {
    return this.records.reduce((sum, { byteLength }) => sum + byteLength, 0)
  }

  append(record: Uint8Array): void {
    if (this.isFull) throw new Error('ENOSPC')
    this.records.push(record)
  }

  clear(kept: readonly Uint8Array[] = []): void {
    this.records = [...kept]
  }

  recover(take: (record: Uint8Array) => void): () => void {
    for (const record of this.left) take(record)
    return () => {
      this.left = []
    }
  }

  close(): void {}
}

/** The minutes of a series in some records. */
const minutesIn = (records: readonly Uint8Array[], key: string) =>
  records
    .map(decodeRecord)
    .filter(record => record.key === key)
    .flatMap(({ candles }) => candles.map(({ timestamp }) => timestamp / 60))

let journal: MemoryJournal
/** Series that cannot be written. */
let broken: Set<string>
let written: Map<string, number>
/** Candles of the last write of each series. */
let newest: Map<string, readonly Candle[]>
let transactions: (readonly string[])[]
let failures: (string | undefined)[]
let queue: WriteQueue
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  journal = new MemoryJournal()
  broken = new Set()
  written = new Map()
  newest = new Map()
  transactions = []
  failures = []
  queue = new WriteQueue({
    clock: () => 0,
    journal,
    write(series) {
      transactions.push(series.map(({ key }) => key))
      if (series.some(({ key }) => broken.has(key))) throw new Error('it cannot be written')
      for (const { key, candles } of series) {
        written.set(key, (written.get(key) ?? 0) + candles.length)
        newest.set(key, candles)
      }
    },
    onFailure: (_, key) => failures.push(key),
  })
})
afterEach(() => {
  vi.useRealTimers()
})

it('candles that are queued in any order are written in the order of time, the last state of each', () => {
  queue.add('a', [])
  queue.flush()
  expect(transactions).toEqual([])
  queue.add('a', [candle(3), candle(1)])
  queue.add('a', [{ ...candle(3), close: 7 }, candle(2)])
  queue.write('b')
  queue.write('a')
  expect(transactions).toEqual([['a']])
  expect(newest.get('a')).toEqual([candle(1), candle(2), { ...candle(3), close: 7 }])
})

describe('a series that cannot be written', () => {
  it('keeps no other from being written, in its transaction or after it', () => {
    broken.add('bad')
    const others = Array.from({ length: 50 }, (_, i) => `s${i}`)
    for (const key of ['bad', ...others]) queue.add(key, [candle(0)])
    vi.advanceTimersByTime(3000)
    expect([...written.keys()].sort()).toEqual([...others].sort())
    queue.add('s0', [candle(1)])
    vi.advanceTimersByTime(1500)
    expect(written.get('s0')).toBe(2)
    expect(new Set(failures)).toEqual(new Set(['bad']))
  })

  it('is tried again after waits that grow to a minute, and written when that is possible', () => {
    broken.add('bad')
    queue.add('bad', [candle(0)])
    for (let minute = 0; minute < 60; minute++) {
      queue.add('good', [candle(minute)])
      vi.advanceTimersByTime(60_000)
    }
    // Six or seven in the first minute, then one or two in a minute.
    expect(failures.length).toBeGreaterThan(60)
    expect(failures.length).toBeLessThan(130)
    broken.clear()
    vi.advanceTimersByTime(60_000)
    expect([written.get('bad'), written.get('good')]).toEqual([1, 60])
    expect(journal.bytes).toBe(0)
  })

  it('lets the journal grow no further than by what is unwritten', () => {
    broken.add('bad')
    queue.add('bad', [candle(0)])
    let most = 0
    for (let round = 0; round < 40; round++) {
      queue.add(
        'good',
        Array.from({ length: 5000 }, (_, k) => candle(round * 5000 + k)),
      )
      most = Math.max(most, journal.bytes)
      vi.advanceTimersByTime(2000)
    }
    expect(written.get('good')).toBe(200_000)
    expect(most).toBeLessThan(5 * 2 ** 20)
    expect(minutesIn(journal.records, 'bad')).toEqual([0])
  })

  it('is given up before its candles take too much memory, and its next ones are refused once', () => {
    broken.add('bad')
    let added = 0
    const addMany = () => {
      const fresh = Array.from({ length: 5000 }, (_, k) => candle(added + k))
      queue.add('bad', fresh)
      added += fresh.length
      vi.advanceTimersByTime(1000)
    }
    while (journal.bytes > 0 || added === 0) addMany()
    expect(added).toBeGreaterThan(maxFailedCandles)
    expect(added).toBeLessThan(maxFailedCandles + 40_000)
    expect(journal.bytes).toBe(0)
    expect(addMany).toThrow('Candles of bad could not be written')
    broken.clear()
    queue.add('bad', [candle(added)])
    vi.advanceTimersByTime(1000)
    expect(written.get('bad')).toBe(1)
  })
})

describe('candles that the journal could not take', () => {
  it('are in it with the next ones of their series, and are written without it', () => {
    queue.add('a', [candle(0)])
    journal.isFull = true
    queue.add('a', [candle(1)])
    queue.add('b', [candle(1)])
    journal.isFull = false
    queue.add('a', [candle(2)])
    expect(minutesIn(journal.records, 'a')).toEqual([0, 0, 1, 2])
    expect(failures).toEqual(['a', 'b'])
    vi.advanceTimersByTime(1000)
    expect([...written]).toEqual([
      ['a', 3],
      ['b', 1],
    ])
    expect(journal.bytes).toBe(0)
  })
})

describe('everything at once', () => {
  it('is all but what cannot be written, which is the reason that is thrown', () => {
    broken.add('s3')
    for (let i = 0; i < 30; i++) queue.add(`s${i}`, [candle(0)])
    expect(() => queue.close()).toThrow('it cannot be written')
    expect(written.size).toBe(29)
    expect(minutesIn(journal.records, 's3')).toEqual([0])
  })
})

describe('what an earlier process has left', () => {
  const leave = () => {
    for (const key of ['a', 'b']) queue.add(key, [candle(0)])
    journal.left = journal.records
    journal.clear()
    queue = new WriteQueue({
      clock: () => 0,
      journal,
      write: series => {
        if (series.some(({ key }) => broken.has(key))) throw new Error('it cannot be written')
        for (const { key, candles } of series) written.set(key, candles.length)
      },
      onFailure: (_, key) => failures.push(key),
    })
  }
  const accept = (_: string, candles: readonly Candle[]) => candles

  it('is written but for what cannot be, which is in the journal of this process then', () => {
    leave()
    broken.add('a')
    queue.recover(accept)
    expect([...written.keys()]).toEqual(['b'])
    expect(journal.left).toEqual([])
    expect(minutesIn(journal.records, 'a')).toEqual([0])
    broken.clear()
    vi.advanceTimersByTime(2000)
    expect(written.get('a')).toBe(1)
    expect(journal.bytes).toBe(0)
  })

  it('stays where neither the archive nor the journal can be written', () => {
    leave()
    broken.add('a')
    journal.isFull = true
    expect(() => queue.recover(accept)).toThrow('it cannot be written')
    expect(minutesIn(journal.left, 'a')).toEqual([0])
  })
})
