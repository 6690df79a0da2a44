import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { dataFile, openDatabase, type RootDatabase } from '../embedded/embedded.js'

/** The size of the file, in bytes: some 300,000 windows. All of it is taken at the start, so that a full disk stops nothing later. */
const fileBytes = 32 * 2 ** 20
/** What LMDB writes when it creates a file. */
const firstBytes = 64 * 1024
const numberBytes = 8

/**
 * Numbers under keys of ASCII, which the processes of one machine share in memory: in a file of LMDB that is never
 * flushed, so a change waits for no disk. They end with the service.
 */
export class CounterTable {
  readonly #db: RootDatabase<Uint8Array, string>

  /** Opens those of a data directory. The first process begins with none. */
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
    // The types of lmdb-js lack it: a transaction changes the file in memory.
    this.#db = openDatabase<Uint8Array, string>({ ...options, ...{ useWritemap: true } })
    if (isFirst) fill(join(path, dataFile))
  }

  /** The numbers of a key as they are now; undefined where there are none. */
  get(key: string): readonly number[] | undefined {
    // What was read in this turn of the event loop may be older.
    this.#db.resetReadTxn()
    return this.#read(key)
  }

  /** The result of `work`, which runs while no other process changes anything. */
  transaction<Result>(work: (numbers: NumberChanges) => Result): Result {
    return this.#db.transactionSync(() => work(this.#changes))
  }

  /** So many keys from `from` on, in their order. */
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

/** What a transaction reads and changes. */
export interface NumberChanges {
  get(key: string): readonly number[] | undefined
  set(key: string, ...numbers: readonly number[]): void
  remove(key: string): void
}

/** Takes the space of the file on the disk: where a write of LMDB fails, lmdb-js may end the process. */
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
