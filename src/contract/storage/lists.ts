/** A named list of one account in the form in which it is stored. */
export interface StoredList {
  /** The id of the account. */
  readonly account: string
  /** Lower case. */
  readonly name: string
  readonly text: string
}

/**
 * The named lists of all accounts. Each write is one transaction: it has survived the end of the process when its promise resolves.
 * Rejects with a StoreFailure.
 */
export interface ListStore {
  /** Stores a list in the place of the one with its name; does nothing and answers false where the account has `most` others. */
  put(list: StoredList, most: number): Promise<boolean>
  find(account: string, name: string): Promise<string | undefined>
  /** Answers whether there was one. */
  remove(account: string, name: string): Promise<boolean>
  /** The lists of one account, or of all, in the order of their names. */
  list(account?: string): Promise<readonly StoredList[]>
}
