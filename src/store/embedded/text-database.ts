import { CorruptAccount, StoreFailure } from '../../contract/storage/stores.js'
import { scheduler } from '../../runtime/scheduler.js'
import type { DiskSpace } from './disk-space.js'

/** The result of `work`; what it throws as a StoreFailure that says what could not be done. A write names its `space`. */
export function attempt<Result>(action: string, work: () => Result, space?: DiskSpace): Result {
  try {
    return work()
  } catch (cause) {
    space?.probeNext()
    throw failureOf(action, cause)
  }
}

/** The same for work that ends later. */
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

/** LMDB's reason for a commit that failed, which lmdb-js adds as a promise that rejects; any other error itself. */
async function commitErrorOf(cause: unknown): Promise<unknown> {
  const { commitError } = cause as { readonly commitError?: Promise<never> }
  return commitError ? commitError.catch((reason: unknown) => reason) : cause
}

export const failureOf = (action: string, cause: unknown): unknown =>
  cause instanceof CorruptAccount
    ? cause
    : new StoreFailure(`Cannot ${action}: ${reasonOf(cause as Error)}`, { cause })

/** LMDB's reason in words; the map is the space that the file may grow to. */
const reasonOf = ({ message }: Error): string =>
  /MDB_MAP_FULL|mapsize/i.test(message) ? 'the file has reached its greatest size' : message

/** The entries under keys of a range, in their order. */
interface KeyRange {
  readonly start?: string
  readonly end: string
  readonly exclusiveStart?: boolean
  readonly limit?: number
  /** Number of entries that are skipped. */
  readonly offset?: number
}

/** A text under its key. */
export interface TextEntry {
  readonly key: string
  readonly value: string
}

/** Entries of one slice of a long range: a millisecond or two. */
const entriesOfSlice = 500

/** The part of an LMDB database of texts under texts that is used here. */
export interface LmdbTexts {
  get(key: string): string | undefined
  put(key: string, value: string): unknown
  remove(key: string): unknown
  getRange(range: KeyRange): Iterable<TextEntry>
  getKeysCount(range: KeyRange): number
  /** Resolves when the changes of `work` are on the disk; undoes them if `work` throws. */
  childTransaction<Result>(work: () => Result): Promise<Result>
}

/**
 * Texts under texts, in the order of their keys: accounts, alerts, lists and usage.
 *
 * A thread of LMDB commits and waits for the disk, so no write holds the event loop, however slow the disk is. Writes of
 * several callers that arrive during a commit share the next one. There is no other way to write: a synchronous transaction
 * would wait on the event loop for the commit of that thread as well.
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
   * The entries of a long range in slices, each in a turn of the event loop that has time for it: others write and are answered in
   * between. Throws a StoreFailure that names `what`.
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

  /** The result of `work`. Rejects with a StoreFailure that names `what`, such as `alerts`. */
  read<Result>(what: string, work: () => Result | Promise<Result>): Promise<Result> {
    return attemptLater(`read ${what}`, async () => work())
  }

  /**
   * Runs `work` while nothing else writes, and stores all of its changes or none; `bytes` is about their size. The changes have
   * survived a loss of power when the promise resolves. Rejects with a StoreFailure that names `what`.
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
