import type { KeyValueStore } from '../../contract/storage/stores.js'
import type { DiskSpace } from './disk-space.js'
import { attempt } from './text-database.js'

/** Whether candles can be written, as the last attempts have shown. */
export class WriteOutcomes {
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

/** What is used of a database of LMDB. */
interface Database {
  getBinary(key: string): Buffer | undefined
  getKeys(range: {
    readonly start: string
    readonly end?: string
    readonly reverse?: boolean
  }): Iterable<string>
  transactionSync<Result>(work: () => Result): Result
  putSync(key: string, value: Uint8Array): unknown
  removeSync(key: string): unknown
}

/** lmdb-js copies what it reads out of the file, so that readers never hold a part of the mapped file. */
export function createKeyValueStore(db: Database, writes: WriteOutcomes, space: DiskSpace): KeyValueStore {
  function* backwards(from: string, to: string): Generator<string> {
    for (const key of db.getKeys({ start: to, reverse: true })) {
      if (key < from) return
      if (key < to) yield key
    }
  }
  return {
    get: key => attempt('read candles', () => db.getBinary(key)),

    keys: (from, to, isReverse = false) =>
      attempt('read candles', () => (isReverse ? backwards(from, to) : db.getKeys({ start: from, end: to }))),

    write: changes =>
      attempt(
        'write candles',
        () =>
          writes.watch(() => {
            db.transactionSync(() => {
              // All changes are made first, because they are made from what is stored before the first one is written.
              const entries = [...changes()]
              if (entries.length > 0)
                space.check(entries.reduce((sum, [, bytes]) => sum + (bytes?.byteLength ?? 0), 0))
              for (const [key, bytes] of entries) {
                if (bytes === undefined) db.removeSync(key)
                else db.putSync(key, bytes)
              }
            })
          }),
        space,
      ),
  }
}
