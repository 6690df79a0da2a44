import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { asBinary, open, type RootDatabase, type RootDatabaseOptions } from 'lmdb'
import { type Store, StoreFailure } from '../../contract/storage/stores.js'
import { type AlertPeers, rowStores } from '../alert-rows.js'
import { CountedRetries, CountedSubscriptions, CountedWindows, MemoryTable } from '../bounds.js'
import {
  type IdentifiedPart,
  identifiedFile,
  identify,
  installationKey,
  isCurrent,
  isIdentified,
  otherFormat,
  readStamp,
  stampOf,
} from '../installation.js'
import type { Rows } from '../rows.js'
import { DatabaseFile } from './database-file.js'
import { checkDiskSpace, DiskSpace, freeBytesOf } from './disk-space.js'
import { EmbeddedAccounts } from './embedded-accounts.js'
import { createKeyValueStore, WriteOutcomes } from './embedded-key-values.js'
import { openJournal } from './journal.js'
import { failureOf, LmdbRows } from './lmdb-rows.js'
import { DatabaseLock, type Lock, openLock } from './lock.js'
import { finishReplacement, isReplacing } from './replacement.js'

export type { RootDatabase }

/**
 * Opens an LMDB database. No process opens or closes it while another one writes, opens or closes it: LMDB of lmdb-js 3.5.6 may
 * lose a commit while it opens a file (OpenLDAP ITS#9496), and destroys the mutexes that a process opens at the same time.
 */
export function openDatabase<Value, Key extends string>(
  options: RootDatabaseOptions & { readonly path: string },
): RootDatabase<Value, Key> {
  const lock = DatabaseLock.of(join(options.path, dataFile), options.readOnly === true)
  try {
    // Without overlapping syncs, a transaction is on disk when it returns.
    const database = lock.alone(() => open<Value, Key>({ ...options, overlappingSync: false }))
    return withLock(database, lock)
  } catch (error) {
    lock.close()
    throw error
  }
}

/** Adds a lock to the methods that write or close a database. */
function withLock<Database extends RootDatabase>(database: Database, lock: DatabaseLock): Database {
  const { transactionSync, childTransaction, close } = database
  const { env } = database as unknown as { readonly env: { close(): void } }
  const closeFile = env.close
  Object.defineProperty(env, 'close', { value: () => lock.alone(() => closeFile.call(env)) })
  return Object.assign(database, {
    transactionSync(...words: Parameters<typeof transactionSync>) {
      lock.beginWrite()
      try {
        return transactionSync.apply(database, words)
      } finally {
        lock.endWrite()
      }
    },
    async childTransaction(...words: Parameters<typeof childTransaction>) {
      lock.beginWrite()
      try {
        return await childTransaction.apply(database, words)
      } finally {
        lock.endWrite()
      }
    },
    async close() {
      await close.call(database)
      lock.close()
    },
  })
}

/**
 * Maximum size of the file of accounts, in bytes: about 200,000 accounts. The size is fixed. If it grew in steps, each process
 * would have to notice the steps of the others.
 */
const accountsMapSize = 64 * 2 ** 20

/** Maximum size of the file of candles: about 1.3 thousand million candles. It reserves addresses, neither memory nor disk. */
const candlesMapSize = 64 * 2 ** 30

/** Maximum size of the file of alerts and their due deliveries. */
const alertsMapSize = 2 ** 30

/** Databases of a data directory, in the order in which they receive its id. */
export const databases = ['accounts', 'alerts', 'candles'] as const
export type DatabaseName = (typeof databases)[number]

export const mapSizes: Readonly<Record<DatabaseName, number>> = {
  accounts: accountsMapSize,
  alerts: alertsMapSize,
  candles: candlesMapSize,
}

interface OpenOptions {
  /** Takes the exclusive lock of the directory. Other processes can still open it without this option. */
  readonly exclusive?: boolean
  /** Databases that belong to this directory whatever id they have. If there are any, the other databases are not checked. */
  readonly anew?: readonly DatabaseName[]
  /** Monotonic clock of rate windows, in milliseconds. */
  readonly clock?: () => number
  /** The other processes of the service, if it runs several on this directory. */
  readonly peers?: AlertPeers
}

const processClock = () => performance.now()

/** File with the id of the data directory. Each of its databases has the id as well. */
export const installationFile = 'installation'
export const dataFile = 'data.mdb'

export interface EmbeddedStore extends Store {
  /** Rows of alerts, lists and usage, for a repair. */
  readonly alertRows: Rows
}

/**
 * Opens the stores in LMDB files below `directory`. Creates a missing directory for this user alone. Throws StoreFailure, also if
 * `exclusive` is set and another process holds the exclusive lock.
 */
export function openEmbedded(
  directory: string,
  { exclusive = false, anew = [], clock = processClock, peers }: OpenOptions = {},
): EmbeddedStore {
  const closers: (() => Promise<void>)[] = []
  let lock: Lock | undefined
  const close = async () => {
    for (const closeDatabase of closers) await closeDatabase()
    lock?.release()
  }
  /** Opens a database. Each has its own file, so that a write of candles never waits for accounts. */
  const openPart = <Value>(name: DatabaseName, encoding: 'string' | 'binary') => {
    const path = join(directory, name)
    mkdirSync(path, { recursive: true, mode: 0o700 })
    checkDatabase(path)
    const database = openDatabase<Value, string>({ path, encoding, mapSize: mapSizes[name] })
    closers.push(() => database.close())
    return database
  }
  try {
    // LMDB mistakes a process of another container with the same number for this process. Its data may change while it is read.
    if (exclusive) lock = lockDirectory(directory)
    settleReplacement(directory, lock)
    const accounts = openPart<string>('accounts', 'string')
    // The transaction ensures that processes that start together look at the lock one after the other.
    if (lock) accounts.transactionSync(lock.claim)
    const candles = openPart<Uint8Array>('candles', 'binary')
    checkFormat(candles)
    const alerts = openPart<string>('alerts', 'string')
    const parts = identifiedParts(directory, { accounts, alerts, candles })
    // The transactions ensure that only one of the processes that start together draws the id, and none reads it half written.
    if (!isIdentified(parts)) accounts.transactionSync(accounts.transactionSync(() => identify(parts, anew)))
    const journal = openJournal(join(directory, 'candles'))
    const writes = new WriteOutcomes()
    const spaceOf = (name: DatabaseName) => new DiskSpace(join(directory, name))
    return {
      accounts: new EmbeddedAccounts(new LmdbRows(accounts, spaceOf('accounts'), 'accounts')),
      ...rowStores(what => new LmdbRows(alerts, spaceOf('alerts'), what), peers),
      alertRows: new LmdbRows(alerts, spaceOf('alerts'), 'alerts'),
      rateWindows: new CountedWindows(new MemoryTable(clock)),
      subscriptions: new CountedSubscriptions(new MemoryTable(clock)),
      freeRetries: new CountedRetries(new MemoryTable(clock)),
      keyValues: createKeyValueStore(candles, writes, spaceOf('candles')),
      journal: { ...journal, append: record => writes.watch(() => journal.append(record), false) },
      writeFailure: () => writes.failure,
      freeBytes: () => freeBytesOf(directory),
      ready: async () => {},
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

/**
 * Opens the candles of a data directory for reading in another thread or process, while a service uses the directory. Writes are
 * visible after a turn of the reader's event loop, or after `refresh`. Throws StoreFailure.
 */
export function openCandles(directory: string): Pick<Store, 'keyValues' | 'close'> & { refresh(): void } {
  const path = join(directory, 'candles')
  const refuse = () => {
    throw new StoreFailure('Cannot write candles: they were opened to be read')
  }
  try {
    const database = openDatabase<Uint8Array, string>({
      ...{ path, encoding: 'binary', mapSize: candlesMapSize, readOnly: true },
    })
    const keyValues = createKeyValueStore(database, new WriteOutcomes(), new DiskSpace(path))
    return {
      keyValues: { ...keyValues, write: refuse },
      refresh: () => database.resetReadTxn(),
      close: () => database.close(),
    }
  } catch (cause) {
    throw failureOf(`open the candles in "${directory}"`, cause)
  }
}

type AnyDatabase = RootDatabase<string, string> | RootDatabase<Uint8Array, string>

/** Locks and claims a directory for a program that uses it alone. Throws if another process uses the directory. */
export function claimDirectory(directory: string): Lock {
  const lock = lockDirectory(directory)
  try {
    lock.claim()
    finishReplacement(directory)
    return lock
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Finishes a restore or repair whose process was killed. Throws while another process uses the directory. */
export function settleReplacement(directory: string, lock?: Lock): void {
  if (!isReplacing(directory)) return
  const held = lock ?? lockDirectory(directory)
  try {
    finishReplacement(directory)
  } finally {
    if (held !== lock) held.release()
  }
}

function lockDirectory(directory: string): Lock {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  return openLock(join(directory, 'service.lock'))
}

/** Parts of a data directory that have its id, in the order in which they receive it. */
const identifiedParts = (
  directory: string,
  opened: Readonly<Record<DatabaseName, AnyDatabase>>,
): readonly IdentifiedPart[] => [
  ...databases.map(name => identifiedDatabase(directory, name, opened[name])),
  identifiedFile(join(directory, installationFile)),
]

const stampIn = (database: AnyDatabase): string | undefined => database.getBinary(installationKey)?.toString()

const writeStamp = (database: AnyDatabase, id: string): unknown =>
  (database as RootDatabase).putSync(installationKey, asBinary(Buffer.from(stampOf(id))))

/** Throws an Error if the candles are stored in another format. A new database has no format. */
function checkFormat(candles: AnyDatabase): void {
  const { id, format } = readStamp(stampIn(candles))
  if (id !== undefined && !isCurrent(format))
    throw new Error(otherFormat(format, 'another DATA_DIR; "candela import" reads candles that it exports'))
}

const identifiedDatabase = (
  directory: string,
  name: DatabaseName,
  database: AnyDatabase,
): IdentifiedPart => ({
  name,
  readId() {
    // Another process may have written the id a moment ago.
    database.resetReadTxn()
    return readStamp(stampIn(database)).id
  },
  writeId(id) {
    new DiskSpace(join(directory, name)).check(0)
    writeStamp(database, id)
  },
})

/** Throws an Error if lmdb-js would crash the process: if the file is damaged, or a new file has no space. */
export function checkDatabase(directory: string): void {
  checkDiskSpace(directory)
  const path = join(directory, dataFile)
  if (!existsSync(path)) return
  const file = new DatabaseFile(path)
  try {
    file.check()
  } finally {
    file.close()
  }
}
