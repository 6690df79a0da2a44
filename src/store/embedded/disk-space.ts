import { closeSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Bytes of a probe file: more than a new database with its lock file and first entries, or the overhead of a transaction. */
const probeBytes = 256 * 1024
/** Free bytes below which each transaction is preceded by a probe file, because other programs may use the space first. */
const lowBytes = 64 * 2 ** 20
/** Milliseconds after which a probe file is written in any case, because the free bytes of some systems ignore quotas. */
const maxProbeAgeMs = 1000
const zeros = Buffer.alloc(probeBytes)

const hasContent = (path: string) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0

/**
 * Throws an Error with the reason if a new database cannot be written in `directory`, for example on a full disk. LMDB would
 * crash the process. A database that has its files needs no further space to be opened.
 */
export function checkDiskSpace(directory: string): void {
  if (hasContent(join(directory, 'data.mdb')) && hasContent(join(directory, 'lock.mdb'))) return
  writeProbe(directory, probeBytes, fsyncSync)
}

/** Free bytes for this user on the disk of `directory`. Throws if the system does not report them. */
export function freeBytesOf(directory: string): number {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}

export class DiskSpace {
  #probedAt = Number.NEGATIVE_INFINITY

  constructor(private readonly directory: string) {}

  /**
   * Throws an Error with the reason if a transaction of `bytes` bytes cannot be written. Call this before the changes are made.
   * If a write of LMDB fails, lmdb-js 3.5.6 may write its error text past a buffer of 100 bytes. That crashes the process sooner
   * or later.
   */
  check(bytes: number): void {
    // Changed pages are written again as a whole, and entries do not fill them.
    const size = 2 * bytes + probeBytes
    const isRecent = performance.now() - this.#probedAt < maxProbeAgeMs
    if (isRecent && this.#freeBytes() >= size + lowBytes) return
    this.probeNext()
    writeProbe(this.directory, size)
    this.#probedAt = performance.now()
  }

  /** Makes the next check write a probe file. Called after a failed transaction. */
  probeNext(): void {
    this.#probedAt = Number.NEGATIVE_INFINITY
  }

  #freeBytes(): number {
    try {
      return freeBytesOf(this.directory)
    } catch {
      return 0
    }
  }
}

function writeProbe(directory: string, size: number, afterwards: (file: number) => void = () => {}): void {
  // The probe of a killed process is overwritten and removed.
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
