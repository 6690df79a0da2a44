export interface Row {
  readonly key: string
  readonly text: string
}

/** The keys from `from` up to, but not including, `to`. Keys are ordered by their bytes in UTF-8. */
export interface KeyRange {
  readonly from: string
  readonly to: string
}

interface PartOfRange extends KeyRange {
  readonly limit?: number | undefined
  readonly offset?: number
}

/** New text of a row, undefined to remove the row, or a number that is added to the number in the row. */
export type RowChanges = ReadonlyMap<string, string | number | undefined>

/** Condition of a write: the text of a row (undefined for a missing row), or the maximum number of rows of a range. */
export type Condition =
  | { readonly key: string; readonly text: string | undefined }
  | { readonly range: KeyRange; readonly atMost: number }

/** Table of texts in key order, which several processes may share. Members reject with a StoreFailure. */
export interface Rows {
  /** Texts of the rows with these keys. A missing row has undefined. */
  get(keys: readonly string[]): Promise<readonly (string | undefined)[]>
  /** Rows of a range in slices of some hundred. Rows that change between two slices may have either state. */
  slices(range: PartOfRange): AsyncIterable<readonly Row[]>
  count(range: KeyRange): Promise<number>
  /**
   * Makes all changes in one transaction if all conditions hold, and none otherwise. Resolves with the first condition that does not
   * hold. The changes survive a crash once the promise resolves.
   */
  write(changes: RowChanges, conditions?: readonly Condition[]): Promise<Condition | undefined>
}

export async function rowsIn(rows: Rows, range: PartOfRange): Promise<readonly Row[]> {
  const all: Row[] = []
  for await (const slice of rows.slices(range)) for (const row of slice) all.push(row)
  return all
}

/** Range of the keys with a prefix. The prefix ends with an ASCII character. */
export const under = (prefix: string): KeyRange => ({
  from: prefix,
  to: prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1),
})

/** Changes of rows that depend on texts that were read. */
export class RowTransaction {
  readonly #read = new Map<string, string | undefined>()
  readonly #changes = new Map<string, string | undefined>()

  constructor(private readonly rows: Rows) {}

  /** Reads rows for `get`. The transaction is repeated if another process changes one of them before the commit. */
  async read(keys: readonly string[]): Promise<void> {
    const texts = await this.rows.get(keys)
    for (const [at, key] of keys.entries()) this.#read.set(key, texts[at])
  }

  /** Text of a row that was read, with the changes of this transaction. */
  get(key: string): string | undefined {
    return this.#changes.has(key) ? this.#changes.get(key) : this.#read.get(key)
  }

  put(key: string, text: string): void {
    this.#changes.set(key, text)
  }

  remove(key: string): void {
    this.#changes.set(key, undefined)
  }

  /** Writes all changes unless a row has changed since it was read. Returns whether they were written. */
  async commit(further: RowChanges): Promise<boolean> {
    const conditions = [...this.#read].map(([key, text]) => ({ key, text }))
    return (await this.rows.write(new Map([...this.#changes, ...further]), conditions)) === undefined
  }
}

/**
 * Runs `work` and commits its changes, with `further` changes. If another process has changed a row that `work` has read, runs
 * `work` again. Resolves with its result.
 */
export async function changeRows<Result>(
  rows: Rows,
  work: (transaction: RowTransaction) => Promise<Result>,
  further: RowChanges = new Map(),
): Promise<Result> {
  for (;;) {
    const transaction = new RowTransaction(rows)
    const result = await work(transaction)
    if (await transaction.commit(further)) return result
  }
}
