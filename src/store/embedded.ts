import { closeSync, mkdirSync, openSync, readSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { open, type RootDatabase } from 'lmdb'
import { z } from 'zod'
import { openJournal } from './journal.js'
import { idOf } from './key.js'
import { acquireLock } from './lock.js'
import {
  type Account,
  type Accounts,
  type Chunks,
  CorruptAccount,
  type Plan,
  plans,
  type Store,
  StoreFailure,
} from './store.js'

const count = z.number().int().positive()
const record = z.strictObject({
  name: z.string(),
  plan: z.enum(Object.keys(plans) as [Plan, ...Plan[]]),
  requests: count,
  constructs: count,
  subscriptions: count,
  created: z.number().int().nonnegative(),
  revoked: z.number().int().nonnegative().optional(),
})

/**
 * The most that the file may grow to, in bytes: about 200,000 accounts. It is fixed, because processes that let it grow
 * step by step would each have to notice the steps of the others.
 */
const accountsMapSize = 64 * 2 ** 20

/** The same for candles: some 1.3 thousand million of them. It takes up addresses, neither memory nor disk. */
const candlesMapSize = 64 * 2 ** 30

interface OpenOptions {
  /** Makes this process the only one that opens the directory exclusively; others may still open it without this. */
  readonly exclusive?: boolean
}

/** The lock of the process that has opened the directory exclusively. */
const lockFile = 'service.lock'

/**
 * Opens the stores in LMDB files below `directory`, which is created for this user alone when missing. Throws
 * StoreFailure, also where another process has opened it exclusively and this one is to do so as well.
 */
export function openEmbedded(directory: string, { exclusive = false }: OpenOptions = {}): Store {
  const closers: (() => Promise<void>)[] = []
  let release = () => {}
  const close = async () => {
    for (const closeDatabase of closers) await closeDatabase()
    release()
  }
  /** Two files, so that a write of candles never waits for accounts, and either can be removed without the other. */
  const openDatabase = <Value>(name: string, encoding: 'string' | 'binary', mapSize: number) => {
    const path = join(directory, name)
    mkdirSync(path, { recursive: true, mode: 0o700 })
    checkFile(join(path, 'data.mdb'))
    // Without overlapping syncs a transaction is on the disk when it returns.
    const database = open<Value, string>({ path, encoding, mapSize, overlappingSync: false })
    closers.push(() => database.close())
    return database
  }
  try {
    const accounts = openDatabase<string>('accounts', 'string', accountsMapSize)
    // Of processes that start together, one at a time is in a transaction, and so looks at the lock.
    if (exclusive) release = accounts.transactionSync(() => acquireLock(join(directory, lockFile)))
    const candles = openDatabase<Uint8Array>('candles', 'binary', candlesMapSize)
    const journal = openJournal(join(directory, 'candles'))
    const writes = new WriteOutcomes()
    return {
      accounts: new EmbeddedAccounts(accounts),
      chunks: createChunks(candles, writes),
      journal: { ...journal, append: record => writes.watch(() => journal.append(record), false) },
      writeFailure: () => writes.failure,
      freeBytes: () => {
        const { bavail, bsize } = statfsSync(directory)
        return bavail * bsize
      },
      async close() {
        journal.close()
        await close()
      },
    }
  } catch (cause) {
    void close()
    const reason = (cause as Error).message
    throw new StoreFailure(`Cannot open the data directory "${directory}": ${reason}`, { cause })
  }
}

/** lmdb-js crashes the process (a segmentation fault) on a file that LMDB did not write, so its mark is checked first. */
function checkFile(file: string): void {
  const mark = Buffer.alloc(4)
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  try {
    // An empty file is one that LMDB has created and not written yet.
    const isWritten = readSync(descriptor, mark, 0, 1, 0) > 0
    readSync(descriptor, mark, 0, 4, 24)
    if (isWritten && mark.readUInt32LE() !== 0xbeefc0de) throw new Error(`"${file}" is not an LMDB file`)
  } finally {
    closeSync(descriptor)
  }
}

/** Whether candles can be written, as the last attempts have shown. */
class WriteOutcomes {
  failure: Error | undefined

  /** Runs a write; with `isProof`, its success shows that what failed before works again. */
  watch<Result>(write: () => Result, isProof = true): Result {
    try {
      const result = write()
      if (isProof) this.failure = undefined
      return result
    } catch (error) {
      this.failure = error as Error
      throw error
    }
  }
}

/** lmdb-js copies what it reads out of the file, so that readers never hold a part of the mapped file. */
function createChunks(db: RootDatabase<Uint8Array, string>, writes: WriteOutcomes): Chunks {
  const attempt = <Result>(verb: string, work: () => Result): Result => {
    try {
      return work()
    } catch (cause) {
      throw new StoreFailure(`Cannot ${verb} candles: ${(cause as Error).message}`, { cause })
    }
  }
  function* backwards(from: string, to: string): Generator<string> {
    for (const key of db.getKeys({ start: to, reverse: true })) {
      if (key < from) return
      if (key < to) yield key
    }
  }
  return {
    get: key => attempt('read', () => db.getBinary(key)),

    keys: (from, to, isReverse = false) =>
      attempt('read', () => (isReverse ? backwards(from, to) : db.getKeys({ start: from, end: to }))),

    write: changes =>
      attempt('write', () =>
        writes.watch(() =>
          db.transactionSync(() => {
            // All changes are made first, because they are made from what is stored before the first one is written.
            for (const [key, bytes] of [...changes()]) {
              if (bytes === undefined) db.removeSync(key)
              else db.putSync(key, bytes)
            }
          }),
        ),
      ),
  }
}

/**
 * Hash → JSON of the account without its id, which is the beginning of the hash. Reads share a snapshot that lmdb-js
 * drops by a timer of 0 ms, so what another process commits is seen as soon as the event loop has turned.
 */
class EmbeddedAccounts implements Accounts {
  readonly #db: RootDatabase<string, string>

  constructor(db: RootDatabase<string, string>) {
    this.#db = db
  }

  find(hash: string): Account | undefined {
    const text = this.#db.get(hash)
    return text === undefined ? undefined : read(hash, text)
  }

  async add(hash: string, account: Account): Promise<boolean> {
    return this.#db.transactionSync(() => {
      if (this.#hashWith(account.id) !== undefined) return false
      this.#store(hash, account)
      return true
    })
  }

  async addFirst(hash: string, account: Account): Promise<boolean> {
    return this.#db.transactionSync(() => {
      if (!this.isEmpty()) return false
      this.#store(hash, account)
      return true
    })
  }

  async revoke(id: string, at: number): Promise<Account | undefined> {
    return this.#db.transactionSync(() => {
      const hash = this.#hashWith(id)
      if (hash === undefined) return undefined
      const account = read(hash, this.#db.get(hash) ?? '')
      if (account.revoked !== undefined) return account
      const revoked = { ...account, revoked: at }
      this.#store(hash, revoked)
      return revoked
    })
  }

  list(): { readonly accounts: readonly Account[]; readonly corrupt: readonly CorruptAccount[] } {
    const accounts: Account[] = []
    const corrupt: CorruptAccount[] = []
    for (const { key, value } of this.#db.getRange()) {
      try {
        accounts.push(read(key, value))
      } catch (error) {
        if (!(error instanceof CorruptAccount)) throw error
        corrupt.push(error)
      }
    }
    accounts.sort((a, b) => a.created - b.created)
    return { accounts, corrupt }
  }

  isEmpty(): boolean {
    return this.#db.getKeysCount({ limit: 1 }) === 0
  }

  /** The hash that begins with `id`. */
  #hashWith(id: string): string | undefined {
    for (const hash of this.#db.getKeys({ start: id, limit: 1 })) if (idOf(hash) === id) return hash
    return undefined
  }

  /** Within a transaction. */
  #store(hash: string, { id: _, ...rest }: Account): void {
    this.#db.put(hash, JSON.stringify(rest))
  }
}

/** Throws CorruptAccount. */
function read(hash: string, text: string): Account {
  const id = idOf(hash)
  try {
    const { revoked, ...account } = record.parse(JSON.parse(text))
    return { id, ...account, ...(revoked !== undefined && { revoked }) }
  } catch (cause) {
    throw new CorruptAccount(id, { cause })
  }
}
