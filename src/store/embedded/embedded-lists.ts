import type { ListStore, StoredList } from '../../contract/storage/stores.js'
import type { TextDatabase } from './text-database.js'

/** Behind all names and accounts, which are of ASCII letters, digits and underscores. */
const end = '~'
export const listKind = 'list'
const listKey = (account: string, name: string) => `${listKind}/${account}/${name}`

/** The list of an entry of the database. */
export function listOf(key: string, text: string): StoredList {
  const [, account = '', name = ''] = key.split('/')
  return { account, name, text }
}

/** Lists beside the alerts in their database. */
export class EmbeddedLists implements ListStore {
  readonly #db: TextDatabase

  constructor(db: TextDatabase) {
    this.#db = db
  }

  put({ account, name, text }: StoredList, most: number): Promise<boolean> {
    const put = () => {
      const key = listKey(account, name)
      const isNew = this.#db.get(key) === undefined
      if (isNew && this.#db.count(under(account)) >= most) return false
      this.#db.put(key, text)
      return true
    }
    return this.#db.write('lists', put, text.length)
  }

  find(account: string, name: string): Promise<string | undefined> {
    return this.#db.read('lists', () => this.#db.get(listKey(account, name)))
  }

  remove(account: string, name: string): Promise<boolean> {
    return this.#db.write('lists', () => {
      const key = listKey(account, name)
      const isThere = this.#db.get(key) !== undefined
      if (isThere) this.#db.remove(key)
      return isThere
    })
  }

  list(account?: string): Promise<readonly StoredList[]> {
    return this.#db.read('lists', () =>
      [...this.#db.entries(under(account))].map(({ key, value }) => listOf(key, value)),
    )
  }
}

const under = (account?: string) => {
  const start = account === undefined ? `${listKind}/` : listKey(account, '')
  return { start, end: `${start}${end}` }
}
