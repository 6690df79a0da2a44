import { closeSync, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** More than a new database takes with its locks and its first entries. */
const probeBytes = 256 * 1024

const hasContent = (path: string) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0

/**
 * Throws an Error with the reason where a new database cannot be written in `directory`, as on a full disk: LMDB crashes
 * the process there. A database that has its files needs no more room to be opened.
 */
export function checkRoom(directory: string): void {
  if (hasContent(join(directory, 'data.mdb')) && hasContent(join(directory, 'lock.mdb'))) return
  const path = join(directory, `probe.${process.pid}`)
  try {
    const file = openSync(path, 'w', 0o600)
    try {
      const bytes = Buffer.alloc(probeBytes)
      for (let written = 0; written < probeBytes; ) written += writeSync(file, bytes, written)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  } catch (cause) {
    const reason = (cause as Error).message
    throw new Error(`a file of ${probeBytes / 1024} KiB cannot be written there: ${reason}`, { cause })
  } finally {
    rmSync(path, { force: true })
  }
}
