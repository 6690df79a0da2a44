import type { ListStore, StoredList } from '../lists.js'
import { attempt } from './attempt.js'
import type { DiskSpace } from './disk-space.js'

/** What is used of a database of LMDB with texts under texts, in their order. */
interface TextDatabase {
  get(key: string): string | undefined
  put(key: string, value: string): unknown
  remove(key: string): unknown
  getRange(range: { readonly start: string; readonly end: string }): Iterable<{ key: string; value: string }>
  getKeysCount(range: { readonly start: string; readonly end: string }): number
  transactionSync<Result>(work: () => Result): Result
}

/** Behind all names and accounts, which are of ASCII letters, digits and underscores. */
const end = '~'
export const listKind = 'list'
const keyOf = (account: string, name: string) => `${listKind}/${account}/${name}`

/** The list of an entry of the database. */
export function listOf(key: string, text: string): StoredList {
  const [, account = '', name = ''] = key.split('/')
  return { account, name, text }
}

/** Lists beside the alerts in their database. */
export class EmbeddedLists implements ListStore {
  readonly #db: TextDatabase
  readonly #space: DiskSpace

  constructor(db: TextDatabase, space: DiskSpace) {
    this.#db = db
    this.#space = space
  }

  async put({ account, name, text }: StoredList, most: number): Promise<boolean> {
    return this.#write(text.length, () => {
      const key = keyOf(account, name)
      const isNew = this.#db.get(key) === undefined
      if (isNew && this.#db.getKeysCount(under(account)) >= most) return false
      this.#db.put(key, text)
      return true
    })
  }

  async find(account: string, name: string): Promise<string | undefined> {
    return attempt('read lists', () => this.#db.get(keyOf(account, name)))
  }

  async remove(account: string, name: string): Promise<boolean> {
    return this.#write(0, () => {
      const key = keyOf(account, name)
      const isThere = this.#db.get(key) !== undefined
      if (isThere) this.#db.remove(key)
      return isThere
    })
  }

  async list(account?: string): Promise<readonly StoredList[]> {
    return attempt('read lists', () =>
      [...this.#db.getRange(under(account))].map(({ key, value }) => listOf(key, value)),
    )
  }

  #write<Result>(bytes: number, work: () => Result): Result {
    const change = () => {
      this.#space.check(bytes)
      return this.#db.transactionSync(work)
    }
    return attempt('write lists', change, this.#space)
  }
}

const under = (account?: string) => {
  const start = account === undefined ? `${listKind}/` : keyOf(account, '')
  return { start, end: `${start}${end}` }
}
