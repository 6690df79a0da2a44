import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { crc32, createGunzip } from 'node:zlib'
import { openPromise as openZip } from 'yauzl'
import { CommandFailure } from '../failure.js'

/** The bytes of a file that may be packed. */
export interface Contents {
  /** As one would call it: of a packed file, with the name inside. */
  readonly name: string
  readonly bytes: AsyncIterable<Uint8Array>
}

/**
 * What a path leads to: the file, what a .gz holds, each file of a .zip, or standard input for `-`. How it is packed is
 * seen by its first bytes. Each must be read before the next one. Throws CommandFailure, also while bytes are read.
 */
export async function* openFile(path: string): AsyncGenerator<Contents> {
  if (path === '-') {
    yield { name: 'standard input', bytes: told(path, process.stdin) }
    return
  }
  const mark = await firstBytes(path)
  if (mark.startsWith('504b0304')) yield* openEntries(path)
  else {
    const file = createReadStream(path)
    const bytes = mark.startsWith('1f8b') ? file.pipe(createGunzip()) : file
    file.on('error', error => bytes.destroy(error))
    yield { name: path, bytes: told(path, bytes) }
  }
}

/** A file that cannot be read further is the world's failure. */
async function* told(path: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes
  } catch (error) {
    throw unreadable(path, error)
  }
}

const unreadable = (path: string, cause: unknown) =>
  new CommandFailure(`Cannot read "${path}": ${(cause as Error).message}`, { cause })

async function firstBytes(path: string): Promise<string> {
  try {
    const file = await open(path)
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
      return buffer.toString('hex', 0, bytesRead)
    } finally {
      await file.close()
    }
  } catch (error) {
    throw unreadable(path, error)
  }
}

async function* openEntries(path: string): AsyncGenerator<Contents> {
  const zip = await openZip(path, { lazyEntries: true, autoClose: false }).catch(error => {
    throw unreadable(path, error)
  })
  try {
    const entries = zip.eachEntry()
    for (;;) {
      const { value: entry, done } = await entries.next().catch(error => {
        throw unreadable(path, error)
      })
      if (done) return
      // Directories, and what macOS adds.
      if (entry.fileName.endsWith('/') || entry.fileName.startsWith('__MACOSX/')) continue
      const bytes = await zip.openReadStreamPromise(entry).catch(error => {
        throw unreadable(path, error)
      })
      yield {
        name: `${path}/${basename(entry.fileName)}`,
        bytes: told(path, checked(bytes, entry.crc32)),
      }
    }
  } finally {
    zip.close()
  }
}

/** yauzl checks lengths, but not that the bytes are those that were packed. */
async function* checked(bytes: AsyncIterable<Uint8Array>, expected: number): AsyncGenerator<Uint8Array> {
  let sum = 0
  for await (const chunk of bytes) {
    sum = crc32(chunk, sum)
    yield chunk
  }
  if (sum !== expected) throw new Error('its checksum is wrong')
}
