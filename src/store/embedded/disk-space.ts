import { closeSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** More than a new database takes with its locks and its first entries, or a transaction beside what it writes. */
const probeBytes = 256 * 1024
/** Free bytes of a disk below which each transaction is tried by a file: others may take them meanwhile. */
const lowBytes = 64 * 2 ** 20
/** Milliseconds after which a file is written all the same, because some systems show no quota as free bytes. */
const maxProbeAgeMs = 1000
const zeros = Buffer.alloc(probeBytes)

const hasContent = (path: string) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0

/**
 * Throws an Error with the reason where a new database cannot be written in `directory`, as on a full disk: LMDB crashes
 * the process there. A database that has its files needs no more space to be opened.
 */
export function checkDiskSpace(directory: string): void {
  if (hasContent(join(directory, 'data.mdb')) && hasContent(join(directory, 'lock.mdb'))) return
  writeProbe(directory, probeBytes, fsyncSync)
}

/** Bytes of the disk of `directory` that are free for this user. Throws where the system does not say. */
export function freeBytesOf(directory: string): number {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}

/** The free space of the disk for the database in a directory. */
export class DiskSpace {
  readonly #directory: string
  #probedAt = Number.NEGATIVE_INFINITY

  constructor(directory: string) {
    this.#directory = directory
  }

  /**
   * Throws an Error with the reason where a transaction of so many bytes cannot be written. To be called before its changes
   * are made: where a write of LMDB fails, lmdb-js 3.5.6 puts a text about it into 100 bytes of memory that may be longer,
   * which sooner or later crashes the process.
   */
  check(bytes: number): void {
    // Pages that change are written anew, and entries do not fill them.
    const size = 2 * bytes + probeBytes
    const isRecent = performance.now() - this.#probedAt < maxProbeAgeMs
    if (isRecent && this.#freeBytes() >= size + lowBytes) return
    this.probeNext()
    writeProbe(this.#directory, size)
    this.#probedAt = performance.now()
  }

  /** A transaction has failed: the next one is tried by a file. */
  probeNext(): void {
    this.#probedAt = Number.NEGATIVE_INFINITY
  }

  #freeBytes(): number {
    try {
      return freeBytesOf(this.#directory)
    } catch {
      return 0
    }
  }
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
