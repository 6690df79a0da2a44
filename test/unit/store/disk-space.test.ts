import fs, { mkdtempSync, rmSync, type StatsFs } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DiskSpace } from '../../../src/store/embedded/disk-space.js'
import { openEmbedded } from '../../../src/store/embedded/embedded.js'

const mib = 2 ** 20

/** Reported free space of the disk, number of tried files, and whether the disk is full. */
const disk = vi.hoisted(() => ({ free: 0, probes: 0, isFull: false }))
vi.mock('node:fs', async importOriginal => {
  const real = await importOriginal<typeof import('node:fs')>()
  const openSync: typeof real.openSync = (path, ...rest) => {
    if (String(path).endsWith('probe')) {
      disk.probes++
      if (disk.isFull) throw new Error('EDQUOT: disk quota exceeded')
    }
    return real.openSync(path, ...rest)
  }
  const statfsSync = () => {
    if (Number.isNaN(disk.free)) throw new Error('ENOSYS')
    return { bavail: disk.free / 4096, bsize: 4096 } as StatsFs
  }
  return { ...real, openSync, statfsSync, default: real }
})

let directory: string
let now: number
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'candela-'))
  Object.assign(disk, { free: 1000 * mib, probes: 0, isFull: false })
  now = 50_000
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(directory, { recursive: true, force: true })
})
/** Number of files that `checks` checks tried. */
const probesOf = (space: DiskSpace, checks: number, bytes = 4096) => {
  disk.probes = 0
  for (let i = 0; i < checks; i++) space.check(bytes)
  return disk.probes
}

describe('the space for a transaction', () => {
  it('is what the system says where that is enough, and is tried by a file once in a second', () => {
    const space = new DiskSpace(directory)
    expect(probesOf(space, 100)).toBe(1)
    now += 999
    expect(probesOf(space, 100)).toBe(0)
    now += 1
    expect(probesOf(space, 100)).toBe(1)
    expect(fs.readdirSync(directory), 'the file is removed').toEqual([])
  })

  it.each([
    ['little space', 64 * mib, 4096],
    ['little space for so many bytes', 100 * mib, 20 * mib],
    ['a system that does not say', Number.NaN, 0],
  ])('is tried by a file each time with %s', (_, free, bytes) => {
    const space = new DiskSpace(directory)
    disk.free = free
    expect(probesOf(space, 3, bytes)).toBe(3)
  })

  it('is tried by a file after one that could not be written, and after a transaction that failed', () => {
    const space = new DiskSpace(directory)
    space.check(0)
    disk.isFull = true
    space.check(0)
    space.probeNext()
    expect(() => space.check(0)).toThrow(/^a file of 256 KiB cannot be written there: EDQUOT/)
    expect(() => space.check(0)).toThrow('EDQUOT')
    disk.isFull = false
    expect(probesOf(space, 5)).toBe(1)
  })
})

it('transactions of a database with space write no files, until one of them fails', async () => {
  const store = openEmbedded(directory)
  const write = (key: string) => store.keyValues.write(() => [[key, new Uint8Array(100)]])
  write('a')
  disk.probes = 0
  for (let i = 0; i < 20; i++) write(`k${i}`)
  expect(disk.probes).toBe(0)
  expect(() => write('x'.repeat(10_000))).toThrow('Cannot write candles')
  disk.isFull = true
  expect(() => write('b')).toThrow('EDQUOT')
  disk.isFull = false
  write('b')
  expect(store.keyValues.get('b')).toHaveLength(100)
  await store.close()
})
