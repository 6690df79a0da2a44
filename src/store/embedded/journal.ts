import {
  appendFileSync,
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Journal } from '../../contract/storage/stores.js'
import { identityOf, isRunning, pidOf } from './lock.js'

const headerBytes = 8
/** File name extension of journals. */
export const journalEnding = '.journal'

/**
 * Records of a file up to the first incomplete record. A killed process may leave a truncated record, and a power loss may leave
 * zeros. Later records stay unread, so that each series is complete up to some candle.
 */
function* recordsOf(path: string): Generator<Uint8Array> {
  const bytes = readFileSync(path)
  for (let at = 0; at + headerBytes <= bytes.byteLength; ) {
    const end = at + headerBytes + bytes.readUInt32LE(at)
    const record = bytes.subarray(at + headerBytes, end)
    if (end > bytes.byteLength || record.byteLength === 0) return
    if (crc32(record) !== bytes.readUInt32LE(at + 4)) return
    yield record
    at = end
  }
}

/** A record after its header. */
function framed(record: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(headerBytes + record.byteLength)
  bytes.writeUInt32LE(record.byteLength, 0)
  bytes.writeUInt32LE(crc32(record), 4)
  bytes.set(record, headerBytes)
  return bytes
}

/** Journal file of this process: complete records, and after a failed write possibly a partial record at the end. */
class OwnFile {
  #file: number | undefined
  /** Length of the complete records, in bytes. */
  #length = 0
  #isTorn = false

  constructor(private readonly path: string) {}

  get isOpen(): boolean {
    return this.#file !== undefined
  }

  append(record: Uint8Array): void {
    this.#file ??= this.#open()
    // Records after a partial record would not be read.
    if (this.#isTorn) ftruncateSync(this.#file, this.#length)
    this.#isTorn = true
    const bytes = framed(record)
    appendFileSync(this.#file, bytes)
    this.#isTorn = false
    this.#length += bytes.byteLength
  }

  clear(remaining: readonly Uint8Array[]): void {
    if (this.#file === undefined) return
    if (remaining.length > 0) {
      this.#replace(Buffer.concat(remaining.map(framed)))
      this.close()
      this.#file = this.#open()
    } else {
      ftruncateSync(this.#file)
      this.#length = 0
      this.#isTorn = false
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  #open(): number {
    this.#length = 0
    // If numbers alone identify processes, an earlier process may have left a file of this name. Its records stay.
    if (existsSync(this.path))
      for (const record of recordsOf(this.path)) this.#length += headerBytes + record.byteLength
    this.#isTorn = true
    return openSync(this.path, 'a', 0o600)
  }

  /** Replaces the file atomically, so that a killed process loses no record. */
  #replace(bytes: Uint8Array): void {
    const draft = `${this.path}.new`
    try {
      writeFileSync(draft, bytes, { mode: 0o600 })
      renameSync(draft, this.path)
    } catch (error) {
      rmSync(draft, { force: true })
      throw error
    }
  }
}

/**
 * Opens the journal of `directory`. Each process (`pid`) writes its own file:
 *
 *   ├─ bytes u32 ─┼─ CRC-32 u32 ─┼─ record ─┤ …
 */
export function openJournal(directory: string, pid = process.pid): Journal {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const ownName = `${identityOf(pid) ?? pid}${journalEnding}`
  const own = new OwnFile(join(directory, ownName))
  /** Whether the writer of a file has ended. An earlier process with the number of this process has. */
  const isLeft = (name: string) => {
    if (name === ownName) return !own.isOpen
    return pidOf(name) === pid || !isRunning(name.slice(0, -journalEnding.length))
  }
  return {
    append: record => own.append(record),
    clear: (remaining = []) => own.clear(remaining),
    close: () => own.close(),

    recover(take) {
      const failures: unknown[] = []
      const left = readdirSync(directory)
        .filter(name => name.endsWith(journalEnding) && isLeft(name))
        .map(name => join(directory, name))
      // An unreadable file stays for the next start, and the other files are still read.
      const read = left.filter(path =>
        attempt(failures, () => {
          for (const record of recordsOf(path)) take(record)
        }),
      )
      return () => {
        for (const path of read) attempt(failures, () => unlinkSync(path))
        if (failures.length > 0) throw failures[0]
      }
    },
  }
}

/** Runs `work` and returns whether it succeeded. Adds its error to `failures`. */
function attempt(failures: unknown[], work: () => void): boolean {
  try {
    work()
    return true
  } catch (error) {
    failures.push(error)
    return false
  }
}
