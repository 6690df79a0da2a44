import type { Account } from '../../contract/account.js'
import type { Accounts } from '../../contract/storage/stores.js'
import { recentEntries } from '../../runtime/caches.js'
import { AccountRows, pointedAt, readAccount } from '../account-rows.js'
import type { Redis } from './redis.js'
import { RedisRows, tableKeys } from './redis-rows.js'

/** Maximum number of accounts that are known while Redis is away. */
const maxKnown = 50_000

/** Accounts that all nodes share. An account that was read is used while Redis is away. */
export class RedisAccounts extends AccountRows implements Accounts {
  readonly #redis: Redis
  readonly #known = recentEntries<Account>(maxKnown)
  readonly #lookups = new Map<string, Promise<Account | undefined>>()

  constructor(redis: Redis) {
    super(new RedisRows(redis, 'accounts', 'accounts'))
    this.#redis = redis
  }

  find(hash: string): Account | undefined | Promise<Account | undefined> {
    const known = this.#known.get(hash)
    if (known !== undefined && !this.#redis.isUp) return known
    let lookup = this.#lookups.get(hash)
    if (lookup === undefined) {
      lookup = this.#lookUp(hash, known).finally(() => this.#lookups.delete(hash))
      this.#lookups.set(hash, lookup)
    }
    return lookup
  }

  override async change(
    id: string,
    change: (account: Account, hash: string) => Account,
  ): Promise<Account | undefined> {
    const changed = await super.change(id, change)
    this.#known.clear()
    return changed
  }

  /** Does nothing, because known accounts work without Redis. */
  check(): void {}

  /** Reads an account from Redis. If the read fails, returns its known state if there is one. */
  async #lookUp(hash: string, known: Account | undefined): Promise<Account | undefined> {
    const read = (key: string) =>
      this.#redis[known ? 'commands' : 'persistent'].command(
        'HGET',
        tableKeys('accounts')[0],
        key,
      ) as Promise<string | null>
    let first = hash
    let text: string | null
    try {
      text = await read(hash)
      const pointed = text === null ? undefined : pointedAt(text)
      if (pointed !== undefined) {
        first = pointed
        text = await read(pointed)
      }
      // A missing key counts as unknown only if Redis has lost no accounts.
      if (text === null) await this.#redis.verify()
    } catch (error) {
      if (known !== undefined) return known
      throw error
    }
    if (text === null) {
      this.#known.delete(hash)
      return undefined
    }
    const account = readAccount(first, text)
    this.#known.set(hash, account)
    return account
  }
}
