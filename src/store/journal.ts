import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Journal } from './store.js'

const headerBytes = 8
const ending = '.journal'

/** Whether a process of this machine is there; one that belongs to somebody else is, too. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Milliseconds after which a journal that was not cleared belongs to nobody, whoever has its number now. */
const abandonedMs = 60_000

/** The records of a file up to the first that is not whole: what a process wrote last may have been cut by its end. */
function* recordsOf(path: string): Generator<Uint8Array> {
  const bytes = readFileSync(path)
  for (let at = 0; at + headerBytes <= bytes.byteLength; ) {
    const end = at + headerBytes + bytes.readUInt32LE(at)
    if (end > bytes.byteLength) return
    const record = bytes.subarray(at + headerBytes, end)
    if (crc32(record) !== bytes.readUInt32LE(at + 4)) return
    yield record
    at = end
  }
}

/**
 * A journal in files of `directory`, one for each process (`pid`) that writes:
 *
 *   ├─ bytes u32 ─┼─ CRC-32 u32 ─┼─ record ─┤ …
 */
export function openJournal(directory: string, pid = process.pid): Journal {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const own = `${pid}${ending}`
  let file: number | undefined
  return {
    append(record) {
      // A file of this name was left by a process that had the same number: what it held is added to, not lost.
      file ??= openSync(join(directory, own), 'a', 0o600)
      const bytes = Buffer.allocUnsafe(headerBytes + record.byteLength)
      bytes.writeUInt32LE(record.byteLength, 0)
      bytes.writeUInt32LE(crc32(record), 4)
      bytes.set(record, headerBytes)
      writeSync(file, bytes)
    },

    clear() {
      if (file !== undefined) ftruncateSync(file)
    },

    recover(take) {
      const isLeft = (name: string) =>
        (name === own && file === undefined) ||
        !isAlive(Number.parseInt(name, 10)) ||
        Date.now() - statSync(join(directory, name)).mtimeMs > abandonedMs
      const left = readdirSync(directory)
        .filter(name => name.endsWith(ending) && isLeft(name))
        .map(name => join(directory, name))
      for (const path of left) for (const record of recordsOf(path)) take(record)
      return () => {
        for (const path of left) unlinkSync(path)
      }
    },

    close() {
      if (file !== undefined) closeSync(file)
      file = undefined
    },
  }
}
