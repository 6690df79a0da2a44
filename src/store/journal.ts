import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { identityOf, isRunning, pidOf } from './process-identity.js'
import type { Journal } from './store.js'

const headerBytes = 8
const ending = '.journal'

/** The records of a file up to the first that is not whole: the last one may have been cut by the end of its process. */
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
  const own = `${identityOf(pid) ?? pid}${ending}`
  let file: number | undefined
  return {
    append(record) {
      // Where numbers alone identify processes, an earlier one may have left a file of this name: its records stay.
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
      /** Whether the process that wrote a file has ended: another one with this process's number has. */
      const isLeft = (name: string) => {
        if (name === own) return file === undefined
        return pidOf(name) === pid || !isRunning(name.slice(0, -ending.length))
      }
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
