import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Candle } from '../../../../src/candles/candle.js'
import type { Store } from '../../../../src/contract/storage/stores.js'
import { Archive } from '../../../../src/markets/archive/archive.js'
import { ArchiveLimit } from '../../../../src/markets/archive/archive-limit.js'
import { openEmbedded } from '../../../../src/store/embedded/embedded.js'
import { listSeries } from '../../../support/archived-series.js'
import { memoryKeyValues } from '../../../support/memory-key-values.js'

const hour = 3600
const keyOf = (name: string) => `x:${name}:1h`
const candle = (i: number): Candle => ({
  timestamp: i * hour,
  open: 1,
  high: 1,
  low: 1,
  close: 1,
  volume: 1,
})
const span = (from: number, to: number) => Array.from({ length: to - from }, (_, k) => candle(from + k))

let directory: string
let store: Store
let now: number
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'candela-'))
  store = openEmbedded(directory)
  now = 1_000_000 * hour
})
afterEach(async () => {
  await store.close()
  rmSync(directory, { recursive: true, force: true })
})

const openArchive = () => new Archive(store.keyValues, { depth: 1000, clock: () => now })
const names = (archive: Archive) => listSeries(archive).map(({ key }) => key.split(':')[1])
const bytesOf = (archive: Archive) => archive.usage(1000).reduce((sum, { bytes }) => sum + bytes, 0)

/** An archive with series of the same size. The first series has been unused for the longest time. */
function fill(...series: string[]): Archive {
  const archive = openArchive()
  for (const name of series) {
    archive.write(keyOf(name), span(0, 300))
    now += hour
  }
  return archive
}

/** Checks an archive that has room for `places` of these series. */
async function check(archive: Archive, places: number, inMemory: readonly string[] = []) {
  const [one] = archive.usage(1)
  const dropped: number[] = []
  const exceeded: number[] = []
  const limit = new ArchiveLimit({
    archive,
    // A little more, because not everything is filled again once something has to be dropped.
    maxBytes: (one?.bytes ?? 0) * (places + 0.9),
    isInMemory: key => inMemory.map(keyOf).includes(key),
    onDropped: count => dropped.push(count),
    onExceeded: bytes => exceeded.push(bytes),
  })
  await limit.check()
  await limit.check()
  return { dropped, exceeded }
}

describe('an archive that is full', () => {
  it('drops the series that were not written for the longest time, also after a restart', async () => {
    const archive = fill('C', 'A', 'E', 'B', 'D')
    archive.write(keyOf('C'), span(300, 301))
    expect(await check(openArchive(), 3)).toEqual({ dropped: [2], exceeded: [] })
    expect(names(archive)).toEqual(['B', 'C', 'D'])
    expect([...store.keyValues.keys(`candles/${keyOf('A')}/`, `candles/${keyOf('A')}0`)]).toEqual([])
  })

  it('drops nothing while there is place', async () => {
    const archive = fill('A', 'B', 'C')
    expect(await check(archive, 3)).toEqual({ dropped: [], exceeded: [] })
    expect(names(archive)).toEqual(['A', 'B', 'C'])
  })

  it('keeps the series in memory', async () => {
    const archive = fill('A', 'B', 'C')
    await check(archive, 1, ['A'])
    expect(names(archive)).toEqual(['A'])
  })

  it('keeps what was backfilled or imported, and reports once that it is too much', async () => {
    const archive = fill('A', 'B', 'C')
    archive.setDepth(keyOf('A'), 5000)
    archive.setDepth(keyOf('B'), 5000)
    const { dropped, exceeded } = await check(archive, 1)
    expect(names(archive)).toEqual(['A', 'B'])
    expect(dropped).toEqual([1])
    expect(exceeded).toEqual([bytesOf(archive)])
  })

  it('is measured in steps that a turn of the event loop has time for, however many series there are', async () => {
    const series = Array.from({ length: 210 }, (_, i) => `S${String(i).padStart(3, '0')}`)
    const archive = new Archive(memoryKeyValues().keyValues, { depth: 1000, clock: () => now })
    for (const name of series) archive.write(keyOf(name), span(0, 1))
    const limitOf = (maxBytes: number) => new ArchiveLimit({ archive, maxBytes, isInMemory: () => false })
    await limitOf(bytesOf(archive)).check()
    expect(names(archive), 'each is measured once').toEqual(series)
    const limit = limitOf(0)
    let turns = 0
    const count = () => {
      turns++
      if (turns < 1000) setImmediate(count)
    }
    setImmediate(count)
    let time = performance.now()
    const slowly = vi.spyOn(performance, 'now').mockImplementation(() => (time += 5))
    await limit.check()
    slowly.mockRestore()
    expect(turns).toBeGreaterThanOrEqual(210)
    expect(names(archive)).toEqual([])
  })
})
