import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openFiles } from '../../../src/candles/files/input.js'
import { readJsonArray } from '../../../src/candles/files/json.js'
import { readRows } from '../../../src/candles/files/read.js'
import { FileFailure } from '../../../src/candles/files/text.js'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'candela-hostile-'))
})
afterAll(() => rmSync(directory, { recursive: true }))

let files = 0
/** The rows and problems of a file, or why it cannot be read. */
async function read(bytes: Uint8Array): Promise<{ readonly rows: number } | string> {
  const path = join(directory, `${files++}`)
  writeFileSync(path, bytes)
  try {
    let rows = 0
    for await (const file of openFiles([path]))
      rows += (await readRows(file, { symbol: 'BTCUSDT' }, () => {})).rows
    return { rows }
  } catch (error) {
    if (error instanceof FileFailure) return error.message
    throw error
  } finally {
    rmSync(path)
  }
}

const fileOf = (name: string) => readFileSync(new URL(`../../support/candle-files/${name}`, import.meta.url))

for (const name of ['zstd.parquet', 'lz4.feather', 'pandas.parquet', 'snappy.parquet', 'zstd.feather']) {
  const isUsual = name === 'zstd.parquet' || name === 'lz4.feather'
  it.for([1, 2, 3, 4])(
    `${name} is read or refused whichever byte is another one, part %i of 4`,
    isUsual ? {} : { tags: ['faults'] },
    async part => {
      const whole = fileOf(name)
      const { rows: most } = (await read(whole)) as { readonly rows: number }
      let refused = 0
      for (let at = 11 * (part - 1); at < whole.length; at += 4 * 11) {
        const bytes = Uint8Array.from(whole)
        bytes[at] = (at / 11) % 2 === 0 ? 0xff : 0x7f
        const found = await read(bytes)
        if (typeof found === 'string') refused++
        else expect(found.rows).toBeLessThanOrEqual(2 * most)
      }
      expect(refused).toBeGreaterThan(2)
    },
  )
}

it('a page of Parquet that announces more values than its group is refused before memory is taken for them', async () => {
  const whole = fileOf('pandas.parquet')
  // Field 5 of the header of a page is a struct (0x2c), whose field 1 (0x15) is the number of values as a zigzag varint: 4 is 8.
  const at = whole.indexOf(Buffer.of(0x2c, 0x15, 8))
  expect(at).toBeGreaterThan(4)
  for (const values of [10, 126, 127]) {
    const bytes = Buffer.from(whole)
    bytes[at + 2] = values
    expect(await read(bytes)).toContain('a page has more values than its group')
  }
})

it.each([
  ['lz4.feather', '04224d18'],
  ['zstd.feather', '28b52ffd'],
])(
  'a buffer of %s that announces more bytes than it can have is refused before memory is taken for them',
  async (name, frame) => {
    const whole = fileOf(name)
    const at = whole.indexOf(Buffer.from(frame, 'hex')) - 8
    // Four times of 64 bits.
    expect(whole.readBigInt64LE(at)).toBe(32n)
    for (const bytes of [2n ** 40n, 2n ** 62n, -2n]) {
      const changed = Buffer.from(whole)
      changed.writeBigInt64LE(bytes, at)
      expect(await read(changed)).toContain('a buffer announces more than it has')
    }
  },
)

it('a JSON array is read up to a length that memory can hold', async () => {
  async function* endless() {
    yield '['
    const chunk = '0,'.repeat(2 ** 20)
    for (;;) yield chunk
  }
  await expect(readJsonArray({ head: '[', text: endless() })).rejects.toThrow(
    'a JSON array of more than 268435456 characters is not read',
  )
})
