import fs, { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Candle } from '../../../../src/candles/candle.js'
import type { KeyValueStore, Store } from '../../../../src/contract/storage/stores.js'
import { Archive } from '../../../../src/markets/archive/archive.js'
import { SeriesArchive } from '../../../../src/markets/history/series-archive.js'
import { openEmbedded } from '../../../../src/store/embedded/embedded.js'

// Each system call of the archive fails once, at every place where it can fail.

const { faults, named } = vi.hoisted(() => ({
  faults: { name: '', inCalls: 0, code: 'ENOSPC', isShort: false, failed: 0 },
  named: ['openSync', 'writeSync', 'ftruncateSync', 'unlinkSync', 'renameSync', 'readFileSync'] as const,
}))
vi.mock('node:fs', async importOriginal => {
  const real = await importOriginal<typeof import('node:fs')>()
  /**
   * The function with the fault that `faults` describes. A short write writes half of the bytes and fails at the next
   * call.
   */
  const failing = (name: (typeof named)[number]) => {
    const work = real[name] as (...args: unknown[]) => unknown
    return (...args: unknown[]) => {
      if (name !== faults.name || --faults.inCalls !== 0) return work(...args)
      if (name === 'writeSync' && faults.isShort) {
        Object.assign(faults, { inCalls: 1, isShort: false })
        const [file, bytes] = args as [number, Uint8Array]
        return real.writeSync(file, bytes, 0, bytes.byteLength >> 1)
      }
      faults.failed++
      throw Object.assign(new Error(`${faults.code}: ${name}`), { code: faults.code })
    }
  }
  const replaced = Object.fromEntries(named.map(name => [name, failing(name)]))
  return { ...real, ...replaced, default: real }
})

const keys = ['x:BTCUSDT:1m', 'x:ETHUSDT:1m']
const market = (key: string) => ({
  exchange: 'x',
  symbol: key.split(':')[1] as string,
  timeframe: '1m' as const,
})
const source = { symbols: () => [], candles: () => [] }
const first = 300
/** The last minute of the story. */
const last = first + 6

const candle = (minute: number): Candle => ({
  timestamp: minute * 60,
  ...{ open: minute, high: minute + 2, low: minute - 1, close: minute + 1, volume: 3 },
})
const span = (from: number, to: number) => Array.from({ length: to - from }, (_, k) => candle(from + k))

let directory: string
let store: Store
let failures: unknown[]
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  Object.assign(faults, { name: '', inCalls: 0, code: 'ENOSPC', isShort: false, failed: 0 })
  directory = mkdtempSync(join(tmpdir(), 'candela-'))
  store = openEmbedded(directory)
  failures = []
})
afterEach(async () => {
  faults.name = ''
  vi.useRealTimers()
  await store.close()
  rmSync(directory, { recursive: true, force: true })
})

const archiveOver = (chunks: KeyValueStore) => {
  const onFailure = (error: unknown) => failures.push(error)
  const archive = new Archive(chunks, { depth: 50_000, journal: store.journal, onFailure })
  const none = { add() {} }
  const series = new SeriesArchive({
    archive,
    counters: { writes: none, failures: none },
    onFailure,
    clock: () => last * 60,
  })
  return { archive, series }
}
/** Makes the journals those of a process that has ended: no process has this number. */
const abandonJournals = () => {
  const folder = join(directory, 'candles')
  for (const [i, name] of readdirSync(folder)
    .filter(file => file.endsWith('.journal'))
    .entries())
    renameSync(join(folder, name), join(folder, `${4_194_990 + i}.journal`))
}
const minutesOf = (archive: Archive, key: string) => {
  const stored = archive.read(key)
  return stored
    ? Array.from({ length: stored.closed }, (_, i) => (stored.columns.timestamp[i] as number) / 60)
    : []
}
const minutes = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

/** Two series are fetched for the first time, a piece after the other, and get a candle each minute. */
function tell(chunks: KeyValueStore, afterEachMinute: (minute: number) => void = () => {}): Archive {
  const { archive, series } = archiveOver(chunks)
  const entries = keys.map(key =>
    series.createEmpty(key, market(key), source, { minDepth: 50_000, now: first * 60 }),
  )
  for (const entry of entries)
    for (const from of [0, 100, 200]) series.mergeFirst(entry, span(from, from + 100), first * 60 - 1)
  for (let minute = first; minute < last; minute++) {
    for (const entry of entries) series.merge(entry, span(minute - 1, minute + 1), minute * 60 + 30)
    afterEachMinute(minute)
    // Half of the candles are written together with the next ones.
    if (minute % 2 === 0) vi.advanceTimersByTime(5000)
  }
  for (const entry of entries)
    for (let minute = last; minute < last + 2; minute++)
      series.merge(entry, span(minute - 1, minute + 1), minute * 60 + 30)
  return archive
}

/**
 * Expects that everything is archived after the next start. If the process was killed, expects everything up to some
 * candle.
 */
async function expectNoGap(isKilled: boolean): Promise<void> {
  faults.name = ''
  vi.clearAllTimers()
  await store.close()
  abandonJournals()
  store = openEmbedded(directory)
  const next = archiveOver(store.keyValues).archive
  next.recover()
  for (const key of keys) {
    const stored = minutesOf(next, key)
    expect(stored, key).toEqual(minutes(0, isKilled ? stored.length : last + 1))
  }
}

describe('no candle is missing between others, after the next start', () => {
  const calls = [
    { name: 'openSync', code: 'EMFILE', isShort: false },
    { name: 'writeSync', code: 'ENOSPC', isShort: false },
    { name: 'writeSync', code: 'EDQUOT', isShort: true },
    { name: 'ftruncateSync', code: 'EIO', isShort: false },
  ]
  it.each(calls.flatMap(call => [false, true].map(isKilled => ({ ...call, isKilled }))))(
    'where $name fails once with $code (short: $isShort, killed: $isKilled)',
    async ({ isKilled, ...call }) => {
      let isReached = true
      for (let inCalls = 1; isReached; inCalls++) {
        Object.assign(faults, { ...call, inCalls, failed: 0 })
        const archive = tell(store.keyValues)
        if (!isKilled) archive.close()
        isReached = faults.failed > 0
        expect(isReached || inCalls > 1).toBe(true)
        await expectNoGap(isKilled)
        for (const key of keys) archiveOver(store.keyValues).archive.remove(key)
      }
    },
  )

  it.each([
    ['write', false],
    ['write', true],
    ['get', false],
    ['get', true],
    ['keys', false],
    ['keys', true],
  ] as const)('where %s of the database fails once (killed: %s)', async (name, isKilled) => {
    let left = 0
    for (let inCalls = 1; left <= 0; inCalls += 13) {
      left = inCalls
      const failing = {
        ...store.keyValues,
        [name]: (...args: unknown[]) => {
          if (--left === 0) throw new Error('EIO')
          return (store.keyValues[name] as (...given: unknown[]) => unknown)(...args)
        },
      } as KeyValueStore
      const archive = tell(failing)
      if (!isKilled) archive.close()
      await expectNoGap(isKilled)
      for (const key of keys) archiveOver(store.keyValues).archive.remove(key)
    }
  })

  it.each([false, true])('where the disk is full for a while (killed: %s)', async isKilled => {
    const isFull = { now: false }
    const { write, ...rest } = store.keyValues
    const guarded: KeyValueStore = {
      ...rest,
      write(changes) {
        if (isFull.now) throw new Error('ENOSPC')
        write(changes)
      },
    }
    const archive = tell(guarded, minute => {
      isFull.now = minute >= first + 1 && minute < first + 4
      Object.assign(faults, { name: isFull.now ? 'writeSync' : '', inCalls: 1 })
    })
    if (!isKilled) archive.close()
    await expectNoGap(isKilled)
    expect(failures.length).toBeGreaterThan(0)
  })
})

describe('a start', () => {
  /** Leaves the queued candles of both series to the next start. */
  const leave = async () => {
    const { archive } = archiveOver(store.keyValues)
    for (const key of keys) archive.write(key, span(0, 10))
    for (const key of keys) archive.enqueue(key, span(10, 12))
    await store.close()
    abandonJournals()
    store = openEmbedded(directory)
  }

  it.each(['readFileSync', 'unlinkSync', 'openSync'])('in which %s fails once loses nothing', async name => {
    await leave()
    Object.assign(faults, { name, code: 'EIO', inCalls: 1 })
    const { archive } = archiveOver(store.keyValues)
    try {
      archive.recover()
    } catch (error) {
      failures.push(error)
    }
    archive.enqueue(keys[0] as string, [candle(12)])
    archive.close()
    expect(faults.failed).toBe(1)
    await store.close()
    store = openEmbedded(directory)
    const next = archiveOver(store.keyValues).archive
    next.recover()
    expect(minutesOf(next, keys[0] as string)).toEqual(minutes(0, 13))
    expect(minutesOf(next, keys[1] as string)).toEqual(minutes(0, 12))
  })

  it('reads no record of the zeros that a loss of power may leave at the end of a journal', async () => {
    await leave()
    const folder = join(directory, 'candles')
    for (const name of readdirSync(folder).filter(file => file.endsWith('.journal')))
      fs.appendFileSync(join(folder, name), Buffer.alloc(4096))
    const { archive } = archiveOver(store.keyValues)
    archive.recover()
    for (const key of keys) expect(minutesOf(archive, key)).toEqual(minutes(0, 12))
    expect(readdirSync(folder).filter(file => file.endsWith('.journal'))).toEqual([])
  })
})
