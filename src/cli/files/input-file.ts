import { createReadStream, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { crc32, createGunzip } from 'node:zlib'
import { type Entry, openPromise as openZip } from 'yauzl'
import type { TableRecord } from '../../candles/csv/records.js'
import { CommandFailure } from '../failure.js'
import type { ReadingDisplay } from '../progress.js'
import { readFeather } from './feather.js'
import { readParquet } from './parquet.js'
import { isNotRead, refuseUnread } from './unread.js'
import { openSheet } from './workbook.js'
import { unpackZstd } from './zstd.js'

/** The unpacked bytes of one file, or its records where it is a table. */
export interface InputFile {
  /** The path, followed by the name inside of an archive if there is one. */
  readonly name: string
  readonly bytes: AsyncIterable<Uint8Array>
  /** The rows of a table. The bytes are of no use then. */
  readonly records?: AsyncIterable<TableRecord>
  /** Whether the first record names the columns, whatever it looks like. */
  readonly isNamed?: boolean
  /** How many bytes there are, where that is known before they are read. */
  readonly size?: number
}

interface OpenOptions {
  /** The sheet of a workbook, by its name or its number from 1 on. */
  readonly sheet?: string | undefined
  readonly display?: ReadingDisplay | undefined
}

/** Opens paths one after the other, shows how much of them was read, and ends the display. Throws CommandFailure as `openFile`. */
export async function* openFiles(
  paths: readonly string[],
  { sheet, display = { addFile() {}, addBytes() {}, end() {} } }: OpenOptions = {},
): AsyncGenerator<InputFile> {
  async function* counted(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      display.addBytes(chunk.length)
      yield chunk
    }
  }
  try {
    for (const path of paths) {
      for await (const file of openFile(path, sheet)) {
        display.addFile(file.size)
        yield { ...file, bytes: counted(file.bytes) }
      }
    }
  } finally {
    display.end()
  }
}

/**
 * Opens a path: a file, the content of a .gz or .zst, each file of a .zip, a sheet of a workbook, the table of a Parquet or Feather
 * file, or standard input for `-`, which may be compressed, too. The first bytes show which of these it is. Each file must be read to
 * its end before the next one is requested. Throws CommandFailure, also while bytes are read.
 */
async function* openFile(path: string, sheet: string | undefined): AsyncGenerator<InputFile> {
  try {
    for await (const file of openUnchecked(path, sheet)) {
      const { bytes, records } = file
      yield {
        ...file,
        bytes: reportFailures(path, bytes),
        ...(records ? { records: reportFailures(path, records) } : {}),
      }
    }
  } catch (error) {
    throw unreadable(path, error)
  }
}

async function* openUnchecked(path: string, sheet: string | undefined): AsyncGenerator<InputFile> {
  const signature = path === '-' ? '' : await readSignature(path)
  if (signature === signatures.zip) {
    yield* openEntries(path, sheet)
    return
  }
  refuseSheet(path, sheet)
  if (path === '-') {
    yield { name: 'standard input', bytes: unpackedInput() }
    return
  }
  if (signature === signatures.parquet) {
    yield { name: path, bytes: nothing(), records: readParquet(path), isNamed: true }
    return
  }
  if (signature === signatures.arrow) {
    yield { name: path, bytes: nothing(), records: readFeather(path), isNamed: true }
    return
  }
  refuseUnread(path, signature)
  const file = createReadStream(path)
  const isPacked = isCompressed(signature)
  yield { name: path, bytes: unpacked(file, signature), ...(isPacked ? {} : { size: statSync(path).size }) }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** How the files begin that are compressed or a table, in hexadecimal digits. */
const signatures = {
  gzip: '1f8b',
  zstd: '28b52ffd',
  parquet: '50415231',
  arrow: '4152524f',
  zip: '504b0304',
} as const
/** Formats that begin with nothing that says where their parts are. */
const wholeFormats: Readonly<Record<string, string>> = {
  [signatures.parquet]: 'Parquet',
  [signatures.arrow]: 'Feather',
  [signatures.zip]: 'a .zip or .xlsx',
}

function refuseSheet(path: string, sheet: string | undefined): void {
  if (sheet !== undefined) throw new CommandFailure(`"${path}" has no sheets: leave out --sheet`)
}

const isCompressed = (signature: string) =>
  signature.startsWith(signatures.gzip) || signature.startsWith(signatures.zstd)

/** The bytes of a stream as they were before they were compressed. */
function unpacked(bytes: Readable, signature: string): AsyncIterable<Uint8Array> {
  if (signature.startsWith(signatures.zstd)) return unpackZstd(bytes)
  if (!signature.startsWith(signatures.gzip)) return bytes
  const gunzip = createGunzip()
  bytes.on('error', error => gunzip.destroy(error))
  return bytes.pipe(gunzip)
}

/** Standard input, unpacked where it is compressed. */
async function* unpackedInput(): AsyncGenerator<Uint8Array> {
  const iterator = (process.stdin as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  for (let size = 0; size < 4; ) {
    const { value, done } = await iterator.next()
    if (done) break
    first.push(value)
    size += value.length
  }
  const signature = Buffer.concat(first).toString('hex', 0, 4)
  const format = wholeFormats[signature]
  if (format !== undefined) throw new CommandFailure(`${format} is read from a file, not from standard input`)
  refuseUnread('standard input', signature)
  async function* whole() {
    yield* first
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  yield* unpacked(Readable.from(whole()), signature)
}

async function* reportFailures<Item>(path: string, items: AsyncIterable<Item>): AsyncGenerator<Item> {
  try {
    yield* items
  } catch (error) {
    throw unreadable(path, error)
  }
}

const unreadable = (path: string, cause: unknown) =>
  cause instanceof CommandFailure
    ? cause
    : new CommandFailure(`Cannot read "${path}": ${(cause as Error).message}`, { cause })

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

/** Whether an entry of a zip is a directory, metadata of macOS or Windows, a checksum, or a text for people. */
const isNoTable = (path: string): boolean =>
  /(?:\/|^__MACOSX\/.*)$/.test(path) ||
  /^(?:\.|thumbs\.db$|desktop\.ini$|readme|licen[cs]e|notice)|\.(?:md|pdf|html?|checksum|md5|sha\d+|asc|sig)$/i.test(
    basename(path),
  )

async function* openEntries(path: string, sheet: string | undefined): AsyncGenerator<InputFile> {
  const zip = await openZip(path, { lazyEntries: true, autoClose: false })
  try {
    const entries: Entry[] = []
    for await (const entry of zip.eachEntry()) entries.push(entry)
    const bytesOf = async (entry: Entry) =>
      verifyChecksum(await zip.openReadStreamPromise(entry), entry.crc32)
    const has = (name: string) => entries.some(({ fileName }) => fileName === name)
    if (has('[Content_Types].xml')) {
      if (!has('xl/workbook.xml')) throw isNotRead(path, 'a document of Office: save its table as CSV')
      async function* parts() {
        for (const entry of entries) yield { name: entry.fileName, bytes: await bytesOf(entry) }
      }
      const { name, records } = await openSheet(path, parts(), sheet)
      yield { name: `${path}/${name}`, bytes: nothing(), records }
      return
    }
    refuseSheet(path, sheet)
    for (const entry of entries) {
      if (isNoTable(entry.fileName)) continue
      yield { name: `${path}/${basename(entry.fileName)}`, bytes: await bytesOf(entry) }
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
