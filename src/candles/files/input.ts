import { createReadStream, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { crc32, createGunzip } from 'node:zlib'
import { type Entry, openPromise as openZip } from 'yauzl'
import { FileFailure, type TableRecord } from './text.js'

/** The unpacked bytes of one file, or its records if the format has a table. */
export interface InputFile {
  /** Path, followed by the name within the archive if there is one. */
  readonly name: string
  readonly bytes: AsyncIterable<Uint8Array>
  /** Rows of a table, some at a time. If they are set, ignore the bytes. */
  readonly records?: AsyncIterable<readonly TableRecord[]>
  /** Whether the first record names the columns, whatever its contents. */
  readonly isNamed?: boolean
  /** Number of bytes, if it is known in advance. */
  readonly size?: number
}

/** Display of the progress of reading, also for input of unknown size. */
export interface ReadingDisplay {
  addFile(size: number | undefined): void
  addBytes(bytes: number): void
  end(): void
}

export interface OpenOptions {
  /** Name of a sheet of a workbook, or its position, counted from 1. */
  readonly sheet?: string | undefined
  readonly display?: ReadingDisplay | undefined
}

/** Opens paths one after the other, shows the progress, and ends the display. Throws FileFailure, as `openFile`. */
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
 * Opens a path: a file, the content of a .gz or .zst, or each file of a .zip. A path may also be a workbook, or a Parquet or
 * Feather file. `-` is standard input, which may be compressed too. The first bytes show the format. Each file must be read to
 * its end before the next one is requested. Throws FileFailure, also while bytes are read.
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
  if (sheet !== undefined) throw hasNoSheets(path)
  if (path === '-') {
    yield { name: 'standard input', bytes: textBytes('standard input', process.stdin) }
    return
  }
  // Loaded on demand, because most commands read no tables.
  if (signature === signatures.parquet) {
    const { readParquet } = await import('./parquet.js')
    yield { name: path, bytes: nothing(), records: readParquet(path), isNamed: true }
    return
  }
  if (signature === signatures.arrow) {
    const { readFeather } = await import('./arrow.js')
    yield { name: path, bytes: nothing(), records: readFeather(path), isNamed: true }
    return
  }
  const isPacked = isCompressed(signature)
  const bytes = textBytes(path, createReadStream(path))
  yield { name: path, bytes, ...(isPacked ? {} : { size: statSync(path).size }) }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

const hasNoSheets = (path: string) => new FileFailure(`"${path}" has no sheets: leave out --sheet`)

/** First bytes of compressed files and tables, in hexadecimal digits. */
const signatures = {
  gzip: '1f8b',
  zstd: '28b52ffd',
  parquet: '50415231',
  arrow: '4152524f',
  zip: '504b0304',
} as const
/** Formats that cannot be read from a stream, because their beginning does not show where their parts are. */
const wholeFormats: Readonly<Record<string, string>> = {
  [signatures.parquet]: 'Parquet',
  [signatures.arrow]: 'Feather',
  [signatures.zip]: 'a .zip or .xlsx',
}
/** Unsupported formats by their first bytes, each with its name and a remedy. */
const unread: Readonly<Record<string, string>> = {
  '425a68': 'compressed with bzip2: unpack it',
  fd377a58: 'compressed with xz: unpack it',
  '04224d18': 'compressed with LZ4: unpack it',
  '377abcaf': 'an archive of 7-Zip: unpack it',
  '52617221': 'an archive of RAR: unpack it',
  d0cf11e0: 'an Excel workbook (.xls, or one with a password): save it as .xlsx or CSV',
  '89484446': 'HDF5: write it as CSV or Parquet',
  '53514c69': 'a database of SQLite: write its table as CSV',
  '4f5243': 'ORC: write it as Parquet',
  '4f626a01': 'Avro: write it as Parquet',
  '25504446': 'PDF: get its table as CSV',
}

const isCompressed = (signature: string) =>
  signature.startsWith(signatures.gzip) || signature.startsWith(signatures.zstd)

/** Failure for a file of an unsupported format. `what` has the format and a remedy. */
const isNotRead = (name: string, what: string) => new FileFailure(`"${name}" is not read: it is ${what}`)

/** Yields the bytes of a text, unpacked if they are compressed. Throws FileFailure if the bytes have another format. */
async function* textBytes(name: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const packed = await peek(bytes)
  const text = isCompressed(packed.signature) ? await peek(await unpacked(packed)) : packed
  const { signature } = text
  const format = wholeFormats[signature]
  if (format !== undefined && text === packed && name === 'standard input')
    throw new FileFailure(`${format} is read from a file, not from standard input`)
  if (format !== undefined) throw isNotRead(name, `${format} in another file: unpack it`)
  for (const [start, what] of Object.entries(unread))
    if (signature.startsWith(start)) throw isNotRead(name, what)
  yield* text.bytes
}

/** The first four bytes in hexadecimal digits, and all bytes. */
interface Peeked {
  readonly signature: string
  readonly bytes: AsyncIterable<Uint8Array>
}

async function peek(bytes: AsyncIterable<Uint8Array>): Promise<Peeked> {
  const iterator = bytes[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  for (let size = 0; size < 4; ) {
    const { value, done } = await iterator.next()
    if (done) break
    first.push(value)
    size += value.length
  }
  async function* whole() {
    yield* first
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  return { signature: Buffer.concat(first).toString('hex', 0, 4), bytes: whole() }
}

async function unpacked({ signature, bytes }: Peeked): Promise<AsyncIterable<Uint8Array>> {
  if (signature.startsWith(signatures.zstd)) return (await import('./unpack.js')).unpackZstd(bytes)
  const source = Readable.from(bytes)
  const gunzip = createGunzip()
  source.on('error', error => gunzip.destroy(error))
  return source.pipe(gunzip)
}

async function* reportFailures<Item>(path: string, items: AsyncIterable<Item>): AsyncGenerator<Item> {
  try {
    yield* items
  } catch (error) {
    throw unreadable(path, error)
  }
}

const unreadable = (path: string, cause: unknown) =>
  cause instanceof FileFailure
    ? cause
    : new FileFailure(`Cannot read "${path}": ${(cause as Error).message}`, { cause })

/** Reads the first four bytes of a file, in hexadecimal digits. */
async function readSignature(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.toString('hex', 0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Whether an entry of a zip is no table: a directory, metadata of macOS or Windows, a checksum, or a text for people. */
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
      const { openSheet } = await import('./workbook.js')
      const { name, records } = await openSheet(path, parts(), sheet)
      yield { name: `${path}/${name}`, bytes: nothing(), records }
      return
    }
    if (sheet !== undefined) throw hasNoSheets(path)
    for (const entry of entries) {
      if (isNoTable(entry.fileName)) continue
      const name = `${path}/${basename(entry.fileName)}`
      yield { name, bytes: textBytes(name, await bytesOf(entry)) }
    }
  } finally {
    zip.close()
  }
}

/** Passes bytes on, and throws at the end if the checksum is wrong, because yauzl checks only their length. */
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
