import { closeSync, mkdirSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { open, type RootDatabase } from 'lmdb'
import { z } from 'zod'
import { openJournal } from './journal.js'
import { idOf } from './key.js'
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
 * An upper bound of the file, which grows with its content; about 200,000 accounts. It is given, because processes
 * that let it grow step by step would each have to notice the steps of the others.
 */
const accountsMapSize = 64 * 2 ** 20

/** The same for candles: some 1.3 thousand million of them. It takes addresses, neither memory nor disk. */
const candlesMapSize = 64 * 2 ** 30

/** Keeps everything in LMDB below `directory`, which is created for this user alone when missing. Throws StoreFailure. */
export function openEmbedded(directory: string): Store {
  /** Two files, so that a write of candles never waits for accounts, and either can be removed without the other. */
  const place = (name: string) => {
    const path = join(directory, name)
    mkdirSync(path, { recursive: true, mode: 0o700 })
    checkFile(join(path, 'data.mdb'))
    return path
  }
  try {
    // Without overlapping syncs a transaction is on the disk when it returns.
    const accounts = open<string, string>({
      path: place('accounts'),
      encoding: 'string',
      mapSize: accountsMapSize,
      overlappingSync: false,
    })
    const candles = open<Uint8Array, string>({
      path: place('candles'),
      encoding: 'binary',
      mapSize: candlesMapSize,
      overlappingSync: false,
    })
    const journal = openJournal(join(directory, 'candles'))
    return {
      accounts: createAccounts(accounts),
      chunks: createChunks(candles),
      journal,
      async close() {
        journal.close()
        await accounts.close()
        await candles.close()
      },
    }
  } catch (cause) {
    const reason = (cause as Error).message
    throw new StoreFailure(`Cannot open the data directory "${directory}": ${reason}`, { cause })
  }
}

/** lmdb-js ends the whole process (a segmentation fault) on a file that LMDB did not write, so its mark is looked at first. */
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
    // A file without any byte is one that LMDB still has to begin.
    const isBegun = readSync(descriptor, mark, 0, 1, 0) > 0
    readSync(descriptor, mark, 0, 4, 24)
    if (isBegun && mark.readUInt32LE() !== 0xbeefc0de) throw new Error(`"${file}" is not an LMDB file`)
  } finally {
    closeSync(descriptor)
  }
}

/** lmdb-js copies what it reads out of the file, so that nobody holds a piece of the map. */
function createChunks(db: RootDatabase<Uint8Array, string>): Chunks {
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
        db.transactionSync(() => {
          // What is read is read before anything is written, also where the changes come one by one.
          for (const [key, bytes] of [...changes()]) {
            if (bytes === undefined) db.removeSync(key)
            else db.putSync(key, bytes)
          }
        }),
      ),
  }
}

/**
 * Hash → JSON of the account without its id, which is the beginning of the hash. Reads share a snapshot that lmdb-js
 * drops by a timer of 0 ms, so what another process commits is seen as soon as the event loop has turned.
 */
function createAccounts(db: RootDatabase<string, string>): Accounts {
  const isEmpty = () => db.getKeysCount({ limit: 1 }) === 0

  /** The hash that begins with `id`. */
  const hashWith = (id: string): string | undefined => {
    for (const hash of db.getKeys({ start: id, limit: 1 })) if (idOf(hash) === id) return hash
    return undefined
  }

  const store = (hash: string, { id: _, ...rest }: Account) => db.put(hash, JSON.stringify(rest))

  return {
    find(hash) {
      const text = db.get(hash)
      return text === undefined ? undefined : read(hash, text)
    },

    async add(hash, account) {
      return db.transactionSync(() => {
        if (hashWith(account.id) !== undefined) return false
        store(hash, account)
        return true
      })
    },

    async addFirst(hash, account) {
      return db.transactionSync(() => {
        if (!isEmpty()) return false
        store(hash, account)
        return true
      })
    },

    async revoke(id, at) {
      return db.transactionSync(() => {
        const hash = hashWith(id)
        if (hash === undefined) return undefined
        const account = read(hash, db.get(hash) ?? '')
        if (account.revoked !== undefined) return account
        const revoked = { ...account, revoked: at }
        store(hash, revoked)
        return revoked
      })
    },

    list() {
      const accounts: Account[] = []
      const corrupt: CorruptAccount[] = []
      for (const { key, value } of db.getRange()) {
        try {
          accounts.push(read(key, value))
        } catch (error) {
          if (!(error instanceof CorruptAccount)) throw error
          corrupt.push(error)
        }
      }
      accounts.sort((a, b) => a.created - b.created)
      return { accounts, corrupt }
    },

    isEmpty,
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
