import { StoreFailure } from '../../contract/storage/stores.js'
import { inSlices, scheduler } from '../../runtime/scheduler.js'
import type { Condition, KeyRange, Row, RowChanges, Rows } from '../rows.js'
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

/** LMDB's reason for a failed commit, which lmdb-js attaches as a rejecting promise; any other error itself. */
async function commitErrorOf(cause: unknown): Promise<unknown> {
  const { commitError } = cause as { readonly commitError?: Promise<never> }
  return commitError ? commitError.catch((reason: unknown) => reason) : cause
}

export const failureOf = (action: string, cause: unknown): StoreFailure =>
  new StoreFailure(`Cannot ${action}: ${reasonOf(cause as Error)}`, { cause })

/** LMDB's reason in words. The map size is the maximum size of the file. */
const reasonOf = ({ message }: Error): string =>
  /MDB_MAP_FULL|mapsize/i.test(message) ? 'the file has reached its greatest size' : message

interface LmdbRange {
  readonly start: string
  readonly end: string
  readonly exclusiveStart?: boolean
  readonly limit?: number
  readonly offset?: number
}

/** Maximum number of rows per slice of a range: one or two milliseconds of work. */
const rowsOfSlice = 500

/** The part of an LMDB database with text keys and text values that is used here. */
interface LmdbTexts {
  get(key: string): string | undefined
  put(key: string, value: string): unknown
  remove(key: string): unknown
  getRange(range: LmdbRange): Iterable<{ readonly key: string; readonly value: string }>
  getKeysCount(range: LmdbRange): number
  resetReadTxn(): void
  /** Resolves when the changes of `work` are on disk. Undoes them if `work` throws. */
  childTransaction<Result>(work: () => Result): Promise<Result>
}

/**
 * Rows of an LMDB database with text keys and text values.
 *
 * A thread of LMDB commits and waits for the disk, so no write blocks the event loop, however slow the disk is. Writes that arrive
 * during a commit share the next commit. Synchronous transactions are not offered, because they would block the event loop until
 * the commit of that thread ends.
 */
export class LmdbRows implements Rows {
  /** `what` names the rows in error texts, such as `alerts`. */
  constructor(
    private readonly db: LmdbTexts,
    private readonly space: DiskSpace,
    private readonly what: string,
  ) {}

  /** Makes reads see the commits of other processes. lmdb-js does this by a timer, which may be late. */
  refresh(): void {
    this.db.resetReadTxn()
  }

  /** Text of a row, returned synchronously. Throws a StoreFailure. */
  getNow(key: string): string | undefined {
    return attempt(`read ${this.what}`, () => this.db.get(key))
  }

  async get(keys: readonly string[]): Promise<readonly (string | undefined)[]> {
    const texts: (string | undefined)[] = []
    for await (const key of inSlices(this.what, keys)) texts.push(this.getNow(key))
    return texts
  }

  /** Reads each slice in a turn of the event loop that has time for it. Other requests run between the slices. */
  async *slices({
    from,
    to,
    limit = Number.POSITIVE_INFINITY,
    offset = 0,
  }: Parameters<Rows['slices']>[0]): AsyncGenerator<readonly Row[]> {
    let next: LmdbRange = { start: from, end: to, offset }
    for (let left = limit; left > 0; ) {
      await scheduler.slice(this.what)
      const most = Math.min(left, rowsOfSlice)
      const range = { ...next, limit: most }
      const slice = attempt(`read ${this.what}`, () =>
        Array.from(this.db.getRange(range), ({ key, value }) => ({ key, text: value })),
      )
      if (slice.length > 0) yield slice
      if (slice.length < most) return
      left -= slice.length
      next = { start: (slice.at(-1) as Row).key, exclusiveStart: true, end: to }
    }
  }

  async count(range: KeyRange): Promise<number> {
    return attempt(`read ${this.what}`, () => this.#count(range))
  }

  async write(changes: RowChanges, conditions: readonly Condition[] = []): Promise<Condition | undefined> {
    try {
      const sizes = Array.from(changes.values(), change => String(change).length)
      this.space.check(sizes.reduce((sum, size) => sum + size, 0))
      return await this.db.childTransaction(() => {
        const failed = conditions.find(condition => !this.#holds(condition))
        if (failed === undefined) for (const change of changes) this.#change(...change)
        return failed
      })
    } catch (cause) {
      this.space.probeNext()
      throw failureOf(`write ${this.what}`, await commitErrorOf(cause))
    }
  }

  #holds(condition: Condition): boolean {
    if ('key' in condition) return this.db.get(condition.key) === condition.text
    return this.#count(condition.range) <= condition.atMost
  }

  #change(key: string, change: string | number | undefined): void {
    if (change === undefined) this.db.remove(key)
    else
      this.db.put(key, typeof change === 'string' ? change : String(Number(this.db.get(key) ?? 0) + change))
  }

  #count({ from, to }: KeyRange): number {
    return this.db.getKeysCount({ start: from, end: to })
  }
}
