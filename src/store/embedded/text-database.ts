import { CorruptAccount, StoreFailure } from '../../contract/storage/stores.js'
import { scheduler } from '../../runtime/scheduler.js'
import type { DiskSpace } from './disk-space.js'

/** Returns the result of `work`. Turns its error into a StoreFailure that names the action. A write passes its `space`. */
export function attempt<Result>(action: string, work: () => Result, space?: DiskSpace): Result {
  try {
    return work()
  } catch (cause) {
    space?.probeNext()
    throw failureOf(action, cause)
  }
}

/** Asynchronous form of `attempt`. */
export async function attemptLater<Result>(
  action: string,
  work: () => Promise<Result>,
  space?: DiskSpace,
): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    space?.probeNext()
    throw failureOf(action, await commitErrorOf(cause))
  }
}

/** LMDB's reason for a failed commit, which lmdb-js attaches as a rejecting promise; any other error itself. */
async function commitErrorOf(cause: unknown): Promise<unknown> {
  const { commitError } = cause as { readonly commitError?: Promise<never> }
  return commitError ? commitError.catch((reason: unknown) => reason) : cause
}

export const failureOf = (action: string, cause: unknown): unknown =>
  cause instanceof CorruptAccount
    ? cause
    : new StoreFailure(`Cannot ${action}: ${reasonOf(cause as Error)}`, { cause })

/** LMDB's reason in words. The map size is the maximum size of the file. */
const reasonOf = ({ message }: Error): string =>
  /MDB_MAP_FULL|mapsize/i.test(message) ? 'the file has reached its greatest size' : message

/** A range of keys, in key order. */
interface KeyRange {
  readonly start?: string
  readonly end: string
  readonly exclusiveStart?: boolean
  readonly limit?: number
  /** Number of skipped entries. */
  readonly offset?: number
}

/** A text under its key. */
export interface TextEntry {
  readonly key: string
  readonly value: string
}

/** Maximum number of entries per slice of a long range: one or two milliseconds of work. */
const entriesOfSlice = 500

/** The part of an LMDB database with text keys and text values that is used here. */
export interface LmdbTexts {
  get(key: string): string | undefined
  put(key: string, value: string): unknown
  remove(key: string): unknown
  getRange(range: KeyRange): Iterable<TextEntry>
  getKeysCount(range: KeyRange): number
  /** Resolves when the changes of `work` are on disk. Undoes them if `work` throws. */
  childTransaction<Result>(work: () => Result): Promise<Result>
}

/**
 * Database with text keys and text values, in key order: accounts, alerts, lists and usage.
 *
 * A thread of LMDB commits and waits for the disk, so no write blocks the event loop, however slow the disk is. Writes that arrive
 * during a commit share the next commit. Synchronous transactions are not offered, because they would block the event loop until
 * the commit of that thread ends.
 */
export class TextDatabase {
  readonly #db: LmdbTexts
  readonly #space: DiskSpace

  constructor(db: LmdbTexts, space: DiskSpace) {
    this.#db = db
    this.#space = space
  }

  get(key: string): string | undefined {
    return this.#db.get(key)
  }

  entries(range: KeyRange): Iterable<TextEntry> {
    return this.#db.getRange(range)
  }

  /**
   * Reads a long range in slices, each in a turn of the event loop that has time for it. Other requests run between the slices.
   * Throws a StoreFailure that names `what`.
   */
  async *slices(
    what: string,
    { limit = Number.POSITIVE_INFINITY, ...range }: KeyRange,
  ): AsyncGenerator<readonly TextEntry[]> {
    let next = range
    for (let left = limit; left > 0; ) {
      await scheduler.slice(what)
      const most = Math.min(left, entriesOfSlice)
      const slice = await this.read(what, () => [...this.#db.getRange({ ...next, limit: most })])
      if (slice.length > 0) yield slice
      const last = slice.at(-1)
      if (!last || slice.length < most) return
      left -= slice.length
      next = { ...range, start: last.key, exclusiveStart: true, offset: 0 }
    }
  }

  count(range: KeyRange): number {
    return this.#db.getKeysCount(range)
  }

  /** Only within the `work` of `write`. */
  put(key: string, value: string): void {
    this.#db.put(key, value)
  }

  /** Only within the `work` of `write`. */
  remove(key: string): void {
    this.#db.remove(key)
  }

  /** Returns the result of `work`. Rejects with a StoreFailure that names `what`, such as `alerts`. */
  read<Result>(what: string, work: () => Result | Promise<Result>): Promise<Result> {
    return attemptLater(`read ${what}`, async () => work())
  }

  /**
   * Runs `work` in a transaction, which stores all of its changes or none. `bytes` is their approximate size. When the promise
   * resolves, the changes survive a power loss. Rejects with a StoreFailure that names `what`.
   */
  write<Result>(what: string, work: () => Result, bytes = 0): Promise<Result> {
    return attemptLater(
      `write ${what}`,
      () => {
        this.#space.check(bytes)
        return this.#db.childTransaction(work)
      },
      this.#space,
    )
  }
}
