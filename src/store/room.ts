import { closeSync, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** More than a new database takes with its locks and its first entries, or a transaction beside what it writes. */
const probeBytes = 256 * 1024
const zeros = Buffer.alloc(probeBytes)

const hasContent = (path: string) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0

/**
 * Throws an Error with the reason where a new database cannot be written in `directory`, as on a full disk: LMDB crashes
 * the process there. A database that has its files needs no more room to be opened.
 */
export function checkRoom(directory: string): void {
  if (hasContent(join(directory, 'data.mdb')) && hasContent(join(directory, 'lock.mdb'))) return
  writeProbe(directory, probeBytes, fsyncSync)
}

/**
 * Throws an Error with the reason where a transaction of so many bytes cannot be written to the database in `directory`.
 * To be called before its changes are made: where a write of LMDB fails, lmdb-js 3.5.6 puts a text about it into 100 bytes
 * of memory that may be longer, which sooner or later crashes the process.
 */
export function checkRoomFor(directory: string, bytes: number): void {
  // Pages that change are written anew, and entries do not fill them.
  writeProbe(directory, 2 * bytes + probeBytes)
}

/** Writes a file and removes it. */
function writeProbe(directory: string, size: number, afterwards: (file: number) => void = () => {}): void {
  // One that a killed process has left is written again and removed.
  const path = join(directory, 'probe')
  try {
    const file = openSync(path, 'w', 0o600)
    try {
      for (let written = 0; written < size; )
        written += writeSync(file, zeros, 0, Math.min(zeros.byteLength, size - written))
      afterwards(file)
    } finally {
      closeSync(file)
    }
  } catch (cause) {
    const reason = (cause as Error).message
    throw new Error(`a file of ${Math.ceil(size / 1024)} KiB cannot be written there: ${reason}`, { cause })
  } finally {
    rmSync(path, { force: true })
  }
}
