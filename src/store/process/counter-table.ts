import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { dataFile, openDatabase, type RootDatabase } from '../embedded/embedded.js'

/** Bytes of the file: about 300,000 windows. The file is filled at the start, so that a full disk causes no later failure. */
const fileBytes = 32 * 2 ** 20
/** Number of bytes that LMDB writes when it creates a file. */
const firstBytes = 64 * 1024
const numberBytes = 8

/**
 * Numbers under ASCII keys, shared by the processes of one machine in memory. They are in an LMDB file that is never flushed, so no
 * change waits for the disk. The numbers are lost when the service ends.
 */
export class CounterTable {
  readonly #db: RootDatabase<Uint8Array, string>

  /** Opens the table of a data directory. The first process deletes an older table. */
  constructor(directory: string, isFirst: boolean) {
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

  /** Present numbers of a key; undefined if the key has none. */
  get(key: string): readonly number[] | undefined {
    // The snapshot of this turn of the event loop may be stale.
    this.#db.resetReadTxn()
    return this.#read(key)
  }

  /** Returns the result of `work`, which runs while no other process changes the table. */
  transaction<Result>(work: (numbers: NumberChanges) => Result): Result {
    return this.#db.transactionSync(() => work(this.#changes))
  }

  /** Keys from `from` on, sorted; at most `limit` of them. */
  keys(from: string, limit?: number): readonly string[] {
    this.#db.resetReadTxn()
    return [...this.#db.getKeys({ start: from, ...(limit !== undefined && { limit }) })]
  }

  close(): Promise<void> {
    return this.#db.close()
  }

  readonly #read = (key: string): readonly number[] | undefined => {
    const bytes = this.#db.getBinary(key)
    if (bytes === undefined) return undefined
    const numbers: number[] = []
    for (let at = 0; at < bytes.byteLength; at += numberBytes) numbers.push(bytes.readDoubleLE(at))
    return numbers
  }

  readonly #changes: NumberChanges = {
    get: this.#read,
    set: (key, ...numbers) => {
      const bytes = Buffer.allocUnsafe(numbers.length * numberBytes)
      for (const [at, number] of numbers.entries()) bytes.writeDoubleLE(number, at * numberBytes)
      this.#db.putSync(key, bytes)
    },
    remove: key => void this.#db.removeSync(key),
  }
}

/** Access of a transaction to the numbers. */
export interface NumberChanges {
  get(key: string): readonly number[] | undefined
  set(key: string, ...numbers: readonly number[]): void
  remove(key: string): void
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
