import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { NumberTable } from '../bounds.js'
import { dataFile, openDatabase, type RootDatabase } from '../embedded/embedded.js'

/** Bytes of the file: about 300,000 windows. The file is filled at the start, so that a full disk causes no later failure. */
const fileBytes = 32 * 2 ** 20
/** Number of bytes that LMDB writes when it creates a file. */
const firstBytes = 64 * 1024
const numberBytes = 8

/** Maximum number of keys per sweep: less than a millisecond of work. */
const sweptKeys = 1000

/**
 * Numbers that the processes of one machine share in memory. They are in an LMDB file that is never flushed, so no change waits for
 * the disk. The numbers are lost when the service ends.
 */
export class CounterTable implements NumberTable {
  readonly now: () => number
  readonly #db: RootDatabase<Uint8Array, string>
  #isChanging = false
  /** Key at which the next sweep begins. */
  #swept = ''

  /**
   * Opens the table of a data directory. The first process deletes an older table. `now` is monotonic and counts milliseconds from
   * a time that all processes share.
   */
  constructor(directory: string, isFirst: boolean, now: () => number) {
    this.now = now
    const path = join(directory, 'processes')
    if (isFirst) rmSync(path, { recursive: true, force: true })
    mkdirSync(path, { recursive: true, mode: 0o700 })
    const options = {
      path,
      encoding: 'binary',
      mapSize: fileBytes,
      noSync: true,
      overlappingSync: false,
    } as const
    // The types of lmdb-js lack `useWritemap`, with which a transaction changes the mapped file directly.
    this.#db = openDatabase<Uint8Array, string>({ ...options, ...{ useWritemap: true } })
    if (isFirst) fill(join(path, dataFile))
  }

  get(key: string, now = this.now()): readonly number[] | undefined {
    this.#refresh()
    const bytes = this.#db.getBinary(key)
    if (bytes === undefined) return undefined
    const numbers: number[] = []
    for (let at = 0; at < bytes.byteLength; at += numberBytes) numbers.push(bytes.readDoubleLE(at))
    return (numbers.at(-1) as number) > now ? numbers : undefined
  }

  set(key: string, ...numbers: readonly [number, ...number[]]): void {
    const bytes = Buffer.allocUnsafe(numbers.length * numberBytes)
    for (const [at, number] of numbers.entries()) bytes.writeDoubleLE(number, at * numberBytes)
    this.#db.putSync(key, bytes)
  }

  remove(key: string): void {
    this.#db.removeSync(key)
  }

  removeAll(prefix: string): void {
    const keys = this.keys(prefix).filter(key => key.startsWith(prefix))
    this.transaction(() => {
      for (const key of keys) this.remove(key)
    })
  }

  transaction<Result>(work: () => Result): Result {
    return this.#db.transactionSync(() => {
      this.#isChanging = true
      try {
        return work()
      } finally {
        this.#isChanging = false
      }
    })
  }

  /** Sorted keys from `from` on, at most `limit` of them. */
  keys(from: string, limit?: number): readonly string[] {
    this.#refresh()
    return [...this.#db.getKeys({ start: from, ...(limit !== undefined && { limit }) })]
  }

  /** Removes some entries that have ended. Each call continues where the last one stopped. */
  sweep(): void {
    const keys = this.keys(this.#swept, sweptKeys)
    this.transaction(() => {
      for (const key of keys) if (this.get(key) === undefined) this.remove(key)
    })
    this.#swept = keys.length < sweptKeys ? '' : (keys.at(-1) as string)
  }

  close(): Promise<void> {
    return this.#db.close()
  }

  /** Makes reads see the changes of other processes. Without this, the reads of a turn of the event loop share a snapshot. */
  #refresh(): void {
    if (!this.#isChanging) this.#db.resetReadTxn()
  }
}

/** Allocates the file on disk, because lmdb-js may crash the process if a write of LMDB fails. */
function fill(path: string): void {
  const file = openSync(path, 'r+')
  try {
    const zeros = Buffer.alloc(2 ** 20)
    for (let at = firstBytes; at < fileBytes; )
      at += writeSync(file, zeros, 0, Math.min(zeros.length, fileBytes - at), at)
  } finally {
    closeSync(file)
  }
}
