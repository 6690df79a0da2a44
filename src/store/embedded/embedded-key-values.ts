import type { KeyValueStore } from '../../contract/storage/stores.js'
import type { DiskSpace } from './disk-space.js'
import { attempt } from './lmdb-rows.js'

/** Records whether candles can be written, by the outcome of the last writes. */
export class WriteOutcomes {
  failure: Error | undefined

  /** Runs a write and records its failure. With `isProof`, its success clears an earlier failure. */
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

/** The part of an LMDB database that is used here. */
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

/** Store of candles in LMDB. lmdb-js copies the bytes that it reads, so readers never hold a part of the mapped file. */
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
              // All changes are computed before the first one is written, because they depend on the stored values.
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
