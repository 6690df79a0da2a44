import { createReadStream, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { crc32, createGunzip } from 'node:zlib'
import { openPromise as openZip } from 'yauzl'
import { CommandFailure } from '../failure.js'
import type { ReadingDisplay } from '../progress.js'

/** The unpacked bytes of one file. */
interface InputFile {
  /** The path, followed by the name inside of an archive if there is one. */
  readonly name: string
  readonly bytes: AsyncIterable<Uint8Array>
  /** How many bytes there are, where that is known before they are read. */
  readonly size?: number
}

/** Opens paths one after the other, shows how much of them was read, and ends the display. Throws CommandFailure as `openFile`. */
export async function* openFiles(
  paths: readonly string[],
  display: ReadingDisplay = { addFile() {}, addBytes() {}, end() {} },
): AsyncGenerator<InputFile> {
  async function* counted(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      display.addBytes(chunk.length)
      yield chunk
    }
  }
  try {
    for (const path of paths) {
      for await (const { name, bytes, size } of openFile(path)) {
        display.addFile(size)
        yield { name, bytes: counted(bytes) }
      }
    }
  } finally {
    display.end()
  }
}

/**
 * Opens a path: a file, the content of a .gz, each file of a .zip, or standard input for `-`. The first bytes show how it is
 * packed. Each file must be read to its end before the next one is requested. Throws CommandFailure, also while bytes are
 * read.
 */
async function* openFile(path: string): AsyncGenerator<InputFile> {
  try {
    for await (const file of openUnchecked(path)) yield { ...file, bytes: reportFailures(path, file.bytes) }
  } catch (error) {
    throw unreadable(path, error)
  }
}

async function* openUnchecked(path: string): AsyncGenerator<InputFile> {
  if (path === '-') {
    yield { name: 'standard input', bytes: process.stdin }
    return
  }
  const signature = await readSignature(path)
  if (signature.startsWith('504b0304')) {
    yield* openEntries(path)
    return
  }
  const file = createReadStream(path)
  const isPacked = signature.startsWith('1f8b')
  const bytes = isPacked ? file.pipe(createGunzip()) : file
  file.on('error', error => bytes.destroy(error))
  yield { name: path, bytes, ...(isPacked ? {} : { size: statSync(path).size }) }
}

async function* reportFailures(path: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes
  } catch (error) {
    throw unreadable(path, error)
  }
}

const unreadable = (path: string, cause: unknown) =>
  new CommandFailure(`Cannot read "${path}": ${(cause as Error).message}`, { cause })

/** The first four bytes of a file, in hexadecimal digits. */
async function readSignature(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.toString('hex', 0, bytesRead)
  } finally {
    await file.close()
  }
}

async function* openEntries(path: string): AsyncGenerator<InputFile> {
  const zip = await openZip(path, { lazyEntries: true, autoClose: false })
  try {
    for await (const entry of zip.eachEntry()) {
      // Directories, and the metadata that macOS adds.
      if (entry.fileName.endsWith('/') || entry.fileName.startsWith('__MACOSX/')) continue
      const bytes = verifyChecksum(await zip.openReadStreamPromise(entry), entry.crc32)
      yield { name: `${path}/${basename(entry.fileName)}`, bytes }
    }
  } finally {
    zip.close()
  }
}

/** Passes bytes on and throws at their end if the checksum is wrong, because yauzl checks only their length. */
async function* verifyChecksum(
  bytes: AsyncIterable<Uint8Array>,
  expected: number,
): AsyncGenerator<Uint8Array> {
  let sum = 0
  for await (const chunk of bytes) {
    sum = crc32(chunk, sum)
    yield chunk
  }
  if (sum !== expected) throw new Error('its checksum is wrong')
}
