import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CommandFailure } from '../../src/cli/failure.js'
import { openFiles } from '../../src/cli/files.js'
import { zipOf } from '../zip.js'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'candela-files-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** What a file on the disk stands for. */
async function read(content: Uint8Array): Promise<readonly (readonly [name: string, text: string])[]> {
  const path = join(directory, 'given')
  writeFileSync(path, content)
  const found: [string, string][] = []
  for await (const { name, bytes } of openFiles(path)) {
    const chunks: Uint8Array[] = []
    for await (const chunk of bytes) chunks.push(chunk)
    found.push([name.slice(directory.length + 1), Buffer.concat(chunks).toString()])
  }
  return found
}

const text = 'time,open,high,low,close\n'.repeat(5000)

it.each(['', 'a', 'abc', text])('a plain file is itself, however short', async content => {
  expect(await read(Buffer.from(content))).toEqual([['given', content]])
})

it('what is zipped is what is in it', async () => {
  expect(await read(zipOf('a/b.csv', Buffer.from(text)))).toEqual([['given/a/b.csv', text]])
  expect(await read(gzipSync(text))).toEqual([['given', text]])
})

it('a zip without a CSV file has none', async () => {
  expect(await read(zipOf('b.json', Buffer.from(text)))).toEqual([])
  expect(await read(zipOf('__MACOSX/._b.csv', Buffer.from(text)))).toEqual([])
})

it('what is damaged is refused', async () => {
  const zip = zipOf('b.csv', Buffer.from(text))
  const gzip = gzipSync(text)
  for (const damaged of [
    zipOf('b.csv', Buffer.from(text), 12_345),
    zip.subarray(0, -30),
    gzip.subarray(0, -20),
    Buffer.concat([gzip.subarray(0, -8), Buffer.alloc(8)]),
  ]) {
    const refused = read(damaged)
    await expect(refused).rejects.toThrow(CommandFailure)
    await expect(refused).rejects.toThrow(/^Cannot read .*given/)
  }
  await expect(read(zipOf('b.csv', Buffer.from(text), 12_345))).rejects.toThrow(/its checksum is wrong$/)
})
