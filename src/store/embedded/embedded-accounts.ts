import { type Account, idForm, idOf } from '../../contract/account.js'
import type { AccountList, Accounts, StoredAccount } from '../../contract/storage/stores.js'
import {
  movedKeys,
  pointedAt,
  readAccount,
  readAccounts,
  writeAccount,
  writePointer,
} from '../account-record.js'
import { installationKey } from '../installation.js'
import type { TextDatabase } from './text-database.js'
import { attempt } from './text-database.js'

/**
 * Hash → JSON of the account without its id, which is the beginning of the hash. Reads share a snapshot, which lmdb-js drops with
 * a timer of 0 ms. So commits of other processes are visible in the next turn of the event loop.
 */
export class EmbeddedAccounts implements Accounts {
  readonly #db: TextDatabase

  constructor(db: TextDatabase) {
    this.#db = db
  }

  find(hash: string): Account | undefined {
    const text = this.#recordText(hash)
    const first = text === undefined ? undefined : pointedAt(text)
    if (first === undefined) return text === undefined ? undefined : readAccount(hash, text)
    const pointed = this.#recordText(first)
    return pointed === undefined ? undefined : readAccount(first, pointed)
  }

  async findById(id: string): Promise<Account | undefined> {
    const hash = await this.#db.read('accounts', () => this.#hashWith(id))
    return hash === undefined ? undefined : this.find(hash)
  }

  add(hash: string, account: Account): Promise<boolean> {
    return this.#change(() => {
      if (this.#hashWith(account.id) !== undefined) return false
      this.#store(hash, account)
      return true
    })
  }

  addFirst(hash: string, account: Account): Promise<boolean> {
    return this.#change(() => {
      if (!this.#isEmpty()) return false
      this.#store(hash, account)
      return true
    })
  }

  change(id: string, change: (account: Account, hash: string) => Account): Promise<Account | undefined> {
    return this.#change(() => {
      const hash = this.#hashWith(id)
      if (hash === undefined) return undefined
      const before = readAccount(hash, this.#db.get(hash) ?? '')
      const changed = change(before, hash)
      const { added, removed } = movedKeys(hash, before, changed)
      for (const key of added) this.#db.put(key, writePointer(hash))
      for (const key of removed) this.#db.remove(key)
      this.#store(hash, changed)
      return changed
    })
  }

  async list(): Promise<AccountList> {
    return readAccounts(this.#slices())
  }

  async isEmpty(): Promise<boolean> {
    return this.#isEmpty()
  }

  check(): void {
    this.#isEmpty()
  }

  async entries(): Promise<readonly StoredAccount[]> {
    return [...this.#entries()]
  }

  async restore(entries: readonly StoredAccount[]): Promise<void> {
    const bytes = entries.reduce((sum, { text }) => sum + text.length, 0)
    await this.#change(() => {
      for (const { hash, text } of entries) this.#db.put(hash, text)
    }, bytes)
  }

  async *#slices(): AsyncIterable<readonly StoredAccount[]> {
    for await (const slice of this.#db.slices('accounts', { end: installationKey }))
      yield slice.map(({ key, value }) => ({ hash: key, text: value }))
  }

  *#entries(): Iterable<StoredAccount> {
    for (const { key, value } of this.#db.entries({ end: installationKey })) yield { hash: key, text: value }
  }

  #isEmpty(): boolean {
    return attempt('read accounts', () => this.#db.count({ end: installationKey, limit: 1 })) === 0
  }

  #change<Result>(work: () => Result, bytes = 0): Promise<Result> {
    return this.#db.write('accounts', work, bytes)
  }

  #recordText(hash: string): string | undefined {
    return attempt('read accounts', () => this.#db.get(hash))
  }

  /** Hash of the account with this id. Skips further keys of other accounts, whose hashes may begin with the same id. */
  #hashWith(id: string): string | undefined {
    if (!idForm.test(id)) return undefined
    for (const { key, value } of this.#db.entries({ start: id, end: `${id}~` }))
      if (idOf(key) === id && pointedAt(value) === undefined) return key
    return undefined
  }

  /** Within a transaction. */
  #store(hash: string, account: Account): void {
    this.#db.put(hash, writeAccount(account))
  }
}
