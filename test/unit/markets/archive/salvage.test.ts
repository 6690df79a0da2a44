import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Candle } from '../../../../src/candles/candle.js'
import { Archive } from '../../../../src/markets/archive/archive.js'
import { timeOfChunk } from '../../../../src/markets/archive/archive-keys.js'
import { lastTimeOf } from '../../../../src/markets/archive/chunk-codec.js'
import { salvage } from '../../../../src/markets/archive/salvage.js'
import { DatabaseFile } from '../../../../src/store/embedded/database-file.js'
import { openEmbedded } from '../../../../src/store/embedded/embedded.js'

const symbols = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']
const candle = (i: number): Candle => ({
  timestamp: i * 60,
  open: 100 + i,
  high: 103 + i,
  low: 98 + i,
  close: 101,
  volume: 10,
})

let directory: string
/** A sound file with eight series of 2000 candles, and some free pages. */
let sound: Buffer

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'candela-'))
  const store = openEmbedded(join(directory, 'sound'))
  const archive = new Archive(store.keyValues, { depth: 2000 })
  for (let from = 0; from < 2000; from += 500)
    for (const symbol of symbols)
      archive.write(
        `x:${symbol}:1m`,
        Array.from({ length: 500 }, (_, k) => candle(from + k)),
      )
  archive.setDepth('x:B:1m', 5000)
  await store.close()
  sound = readFileSync(join(directory, 'sound', 'candles', 'data.mdb'))
})

afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Reads a file with these bytes. */
function withFile<Result>(bytes: Uint8Array, work: (file: DatabaseFile) => Result): Result {
  const path = join(directory, 'file')
  writeFileSync(path, bytes)
  const file = new DatabaseFile(path)
  try {
    return work(file)
  } finally {
    file.close()
  }
}

function salvaged(file: DatabaseFile) {
  const entries = [...file.entries()].map(entry =>
    entry === 'lost' ? entry : { key: entry.key.toString('latin1'), bytes: entry.value },
  )
  const findings = { kept: 0, dropped: 0, holes: 0, depths: new Map<string, number>() }
  return { series: [...salvage(entries, findings)], findings }
}

const isRefused = (file: DatabaseFile): boolean => {
  try {
    file.check()
    return false
  } catch (error) {
    expect((error as Error).message).toMatch(
      /is not an LMDB file$|is cut short or damaged; "candela repair" keeps/,
    )
    return true
  }
}

/** Expects that the kept chunks of each series are consecutive up to the last one. */
function expectNoHoles({ series }: ReturnType<typeof salvaged>): void {
  const last = new Map(series.map(({ series: key, chunks }) => [key, chunks]))
  for (const chunks of last.values()) {
    for (const [at, [key]] of chunks.entries())
      if (at > 0) expect(timeOfChunk(key)).toBe(lastTimeOf(chunks[at - 1]?.[1] as Uint8Array) + 60)
  }
}

describe('a file of the store', () => {
  it('has the entries that LMDB has written, and is sound', () => {
    withFile(sound, file => {
      expect(isRefused(file)).toBe(false)
      const { series, findings } = salvaged(file)
      expect(series.map(({ series: key }) => key)).toEqual(symbols.map(symbol => `x:${symbol}:1m`))
      expect([...findings.depths]).toEqual(
        symbols.map(symbol => [`x:${symbol}:1m`, symbol === 'B' ? 5000 : 0]),
      )
      expect(findings).toMatchObject({ dropped: 0, holes: 0 })
    })
  })

  it('that is empty has no entries, and is no fault', () => {
    withFile(new Uint8Array(0), file => {
      expect(isRefused(file)).toBe(false)
      expect([...file.entries()]).toEqual([])
    })
  })

  it('is refused wherever it is cut in its entries, and keeps those that are left', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: sound.byteLength - 1 }), length => {
        withFile(sound.subarray(0, length), file => {
          const outcome = salvaged(file)
          if (outcome.findings.holes + outcome.findings.dropped > 0) expect(isRefused(file)).toBe(true)
          expectNoHoles(outcome)
        })
      }),
      { numRuns: 60, examples: [[1], [100], [4096], [8191], [8192], [12_288]] },
    )
  })

  it('is opened by LMDB where it is cut and not refused', async () => {
    const path = join(directory, 'cut', 'candles')
    cpSync(join(directory, 'sound'), join(directory, 'cut'), { recursive: true })
    let refused = 0
    for (let length = sound.byteLength - 4096; length > 0; length -= 16 * 4096) {
      rmSync(join(path, 'lock.mdb'), { force: true })
      writeFileSync(join(path, 'data.mdb'), sound.subarray(0, length))
      try {
        const store = openEmbedded(join(directory, 'cut'))
        const archive = new Archive(store.keyValues, { depth: 2000 })
        for (const symbol of symbols) expect(archive.read(`x:${symbol}:1m`)?.isIncomplete).toBe(false)
        await store.close()
      } catch (error) {
        expect((error as Error).message).toMatch(/^Cannot open the data directory .* "candela repair" keeps/)
        refused++
      }
    }
    expect(refused).toBeGreaterThan(0)
  })

  it('is read to its end wherever its bytes are overwritten', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(sound.byteLength - 9), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })), {
          minLength: 1,
          maxLength: 20,
        }),
        changes => {
          const bytes = Buffer.from(sound)
          for (const [at, value] of changes) bytes.writeBigUInt64LE(value, at)
          withFile(bytes, file => {
            isRefused(file)
            expectNoHoles(salvaged(file))
          })
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('a series with a damaged chunk', () => {
  it('keeps what follows it', () => {
    const broken = Buffer.from(sound)
    const [, chunk] = withFile(sound, file => salvaged(file).series[2]?.chunks[0]) as [string, Uint8Array]
    // Free pages may have the same bytes, and other series have the same candles.
    for (let at = broken.indexOf(chunk); at >= 0; at = broken.indexOf(chunk, at))
      broken.writeUInt8(255, at + 20)
    withFile(broken, file => {
      const { findings, series } = salvaged(file)
      expect(findings.dropped).toBeGreaterThanOrEqual(1)
      expect(series).toHaveLength(symbols.length)
    })
  })
})
