import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { asBinary, open, type RootDatabase } from 'lmdb'
import { type Store, StoreFailure } from '../../contract/storage/stores.js'
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
import { DatabaseFile } from './database-file.js'
import { checkDiskSpace, DiskSpace, freeBytesOf } from './disk-space.js'
import { EmbeddedAccounts } from './embedded-accounts.js'
import { type AlertPeers, EmbeddedAlerts, EmbeddedLists, EmbeddedUsage } from './embedded-alerts.js'
import { createKeyValueStore, WriteOutcomes } from './embedded-key-values.js'
import { openJournal } from './journal.js'
import { type Lock, openLock } from './lock.js'
import { createMemoryRateWindows, MemoryFreeRetries, MemorySubscriptionBounds } from './memory-bounds.js'
import { finishReplacement, isReplacing } from './replacement.js'
import { failureOf, TextDatabase } from './text-database.js'

/** For the numbers that processes share, which are no database of the directory, and for copies. */
export { open as openDatabase, type RootDatabase }

/**
 * The most that the file may grow to, in bytes: about 200,000 accounts. It is fixed, because processes that let it grow
 * step by step would each have to notice the steps of the others.
 */
const accountsMapSize = 64 * 2 ** 20

/** The same for candles: some 1.3 thousand million of them. It takes up addresses, neither memory nor disk. */
const candlesMapSize = 64 * 2 ** 30

/** The same for alerts and what they have yet to deliver. */
const alertsMapSize = 2 ** 30

/** The databases of a data directory, in the order in which they get its id. */
export const databases = ['accounts', 'alerts', 'candles'] as const
export type DatabaseName = (typeof databases)[number]

export const mapSizes: Readonly<Record<DatabaseName, number>> = {
  accounts: accountsMapSize,
  alerts: alertsMapSize,
  candles: candlesMapSize,
}

interface OpenOptions {
  /** Makes this process the only one that opens the directory exclusively; others may still open it without this. */
  readonly exclusive?: boolean
  /** Databases that are those of this directory whatever id they have; the others are not checked then. */
  readonly anew?: readonly DatabaseName[]
  /** Milliseconds of a clock that never goes back, for windows. */
  readonly clock?: () => number
  /** The other processes of a service that uses the directory by several ones. */
  readonly peers?: AlertPeers
}

/** The clock of windows where none is given. */
const processClock = () => performance.now()

/** The id of the data directory, which is in each of its databases as well. */
export const installationFile = 'installation'
/** LMDB's file in the directory of a database. */
export const dataFile = 'data.mdb'

/**
 * Opens the stores in LMDB files below `directory`, which is created for this user alone when missing. Throws
 * StoreFailure, also where another process has opened it exclusively and this one is to do so as well.
 */
export function openEmbedded(
  directory: string,
  { exclusive = false, anew = [], clock = processClock, peers }: OpenOptions = {},
): Store {
  const closers: (() => Promise<void>)[] = []
  let lock: Lock | undefined
  const close = async () => {
    for (const closeDatabase of closers) await closeDatabase()
    lock?.release()
  }
  /** A file each, so that a write of candles never waits for accounts. */
  const openDatabase = <Value>(name: DatabaseName, encoding: 'string' | 'binary') => {
    const path = join(directory, name)
    mkdirSync(path, { recursive: true, mode: 0o700 })
    checkDatabase(path)
    // Without overlapping syncs a transaction is on the disk when it returns.
    const database = open<Value, string>({ path, encoding, mapSize: mapSizes[name], overlappingSync: false })
    closers.push(() => database.close())
    return database
  }
  try {
    // LMDB takes a process of another container that has the same number for this one: what it reads may change meanwhile.
    if (exclusive) lock = lockDirectory(directory)
    settleReplacement(directory, lock)
    const accounts = openDatabase<string>('accounts', 'string')
    // Of processes that start together, one at a time is in a transaction, and so looks at the lock.
    if (lock) accounts.transactionSync(lock.claim)
    const candles = openDatabase<Uint8Array>('candles', 'binary')
    checkFormat(candles)
    const alerts = openDatabase<string>('alerts', 'string')
    const parts = identifiedParts(directory, { accounts, alerts, candles })
    // Of processes that start together, one draws the id.
    if (!isIdentified(parts)) accounts.transactionSync(() => identify(parts, anew))()
    const journal = openJournal(join(directory, 'candles'))
    const writes = new WriteOutcomes()
    const spaceOf = (name: DatabaseName) => new DiskSpace(join(directory, name))
    return {
      accounts: new EmbeddedAccounts(new TextDatabase(accounts, spaceOf('accounts'))),
      ...createAlerts(new TextDatabase(alerts, spaceOf('alerts')), peers),
      rateWindows: createMemoryRateWindows(clock),
      subscriptions: new MemorySubscriptionBounds(clock),
      freeRetries: new MemoryFreeRetries(clock),
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
 * The candles of a data directory that a service has opened, to be read in another thread or process: what is written is seen
 * within a turn of its event loop, or after `refresh`. Throws StoreFailure.
 */
export function openCandles(directory: string): Pick<Store, 'keyValues' | 'close'> & { refresh(): void } {
  const path = join(directory, 'candles')
  const refuse = () => {
    throw new StoreFailure('Cannot write candles: they were opened to be read')
  }
  try {
    const database = open<Uint8Array, string>({
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

const createAlerts = (
  database: TextDatabase,
  peers: AlertPeers | undefined,
): Pick<Store, 'alerts' | 'lists' | 'usage'> => ({
  alerts: new EmbeddedAlerts(database, peers),
  lists: new EmbeddedLists(database),
  usage: new EmbeddedUsage(database),
})

/** The lock of a program that alone uses a directory, and has claimed it. Throws where another process uses the directory. */
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

/** Finishes the restore or the repair of a directory whose process was killed. Throws while another process uses the directory. */
export function settleReplacement(directory: string, lock?: Lock): void {
  if (!isReplacing(directory)) return
  const held = lock ?? lockDirectory(directory)
  try {
    finishReplacement(directory)
  } finally {
    if (held !== lock) held.release()
  }
}

/** The lock of the process that opens a directory exclusively. */
function lockDirectory(directory: string): Lock {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  return openLock(join(directory, 'service.lock'))
}

/** Everything in a data directory that has its id, in the order in which it is given. */
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

/** Throws an Error where the candles are stored in another format. A database without candles has none. */
function checkFormat(candles: RootDatabase<Uint8Array, string>): void {
  const { id, format } = readStamp(stampIn(candles))
  if (isCurrent(format)) return
  const [first] = candles.getKeys({ end: installationKey, limit: 1 })
  if (format !== undefined || first !== undefined)
    throw new Error(otherFormat(format, 'another DATA_DIR; "candela import" reads candles that it exports'))
  if (id !== undefined) writeStamp(candles, id)
}

const identifiedDatabase = (
  directory: string,
  name: DatabaseName,
  database: AnyDatabase,
): IdentifiedPart => ({
  name,
  readId() {
    // Another process may have written it a moment ago.
    database.resetReadTxn()
    return readStamp(stampIn(database)).id
  },
  writeId(id) {
    new DiskSpace(join(directory, name)).check(0)
    writeStamp(database, id)
  },
})

/** Throws an Error where lmdb-js would crash the process: with a file that is damaged, and without space for a new one. */
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
