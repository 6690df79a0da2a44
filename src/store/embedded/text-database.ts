/** What is used of a database of LMDB with texts under texts, in their order. */
export interface TextDatabase {
  get(key: string): string | undefined
  put(key: string, value: string): unknown
  remove(key: string): unknown
  getRange(range: {
    readonly start: string
    readonly end: string
    readonly exclusiveStart?: boolean
    readonly limit?: number
  }): Iterable<{ key: string; value: string }>
  getKeysCount(range: { start: string; end: string }): number
  /** Resolves when all that `work` has changed is on the disk. */
  transaction<Result>(work: () => Result): Promise<Result>
}
