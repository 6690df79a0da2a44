import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'lmdb'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Archive } from '../../../src/markets/archive/archive.js'
import { openEmbedded } from '../../../src/store/embedded/embedded.js'

const key = 'kraken:BTCUSD:1h'
const candle = { timestamp: 3600, open: 1, high: 3, low: 1, close: 2, volume: 5 }
const stampKey = '~installation'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'candela-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** Changes the text after the id in the database of candles. */
async function restamp(change: (id: string) => string): Promise<void> {
  const raw = open<Buffer, string>({ path: join(directory, 'candles'), encoding: 'binary' })
  const id = raw.get(stampKey)?.toString().split(' ')[0] as string
  await raw.put(stampKey, Buffer.from(change(id)))
  await raw.close()
}

async function write(): Promise<void> {
  const store = openEmbedded(directory)
  new Archive(store.keyValues, { depth: 1000 }).write(key, [candle])
  await store.close()
}

const refusal = (format: string) =>
  `Cannot open the data directory "${directory}": its data have the format ${format}, and this version reads format 3: use the version that wrote them, or another DATA_DIR; "candela import" reads candles that it exports`

it.each([
  ['of an earlier version', (id: string) => id, 'of an earlier version'],
  ['of a later version', (id: string) => `${id} 4`, '4'],
])('candles in the format %s are refused and left as they are', async (_, change, format) => {
  await write()
  await restamp(change)
  const file = join(directory, 'candles', 'data.mdb')
  const before = readFileSync(file)
  expect(() => openEmbedded(directory)).toThrow(refusal(format))
  expect(() => openEmbedded(directory, { anew: ['candles'] }), 'also where it is confirmed').toThrow(
    refusal(format),
  )
  expect(readFileSync(file).equals(before)).toBe(true)
})

it('a directory that was copied without its candles is not taken for one of another format', async () => {
  await write()
  rmSync(join(directory, 'candles'), { recursive: true })
  mkdirSync(join(directory, 'candles'))
  expect(() => openEmbedded(directory)).toThrow('the database "candles" is missing or empty')
})
