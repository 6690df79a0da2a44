import type { Account } from '../../contract/account.js'
import type { Accounts, StoredAccount } from '../../contract/storage/stores.js'
import { recentEntries } from '../../runtime/caches.js'
import { AccountRows, pointedAt, readAccount } from '../account-rows.js'
import type { Redis } from './redis.js'
import { RedisRows, tableKeys } from './redis-rows.js'

/** Maximum number of cached accounts, and the milliseconds after which a cached account is read again. */
const maxKnown = 50_000
const trustMs = 500
interface Known {
  readonly account: Account
  /** Time until which the cached account is used without a read, by the clock of this process. */
  readonly until: number
}

/**
 * Accounts that all nodes share. A cached account is used for half a second without another read, and as long as Redis is away.
 */
export class RedisAccounts extends AccountRows implements Accounts {
  readonly #redis: Redis
  readonly #clock: () => number
  readonly #known = recentEntries<Known>(maxKnown)
  readonly #lookups = new Map<string, Promise<Account | undefined>>()

  /** `clock` counts milliseconds from any time and never goes back. */
  constructor(redis: Redis, clock: () => number) {
    super(new RedisRows(redis, 'accounts', 'accounts'))
    this.#redis = redis
    this.#clock = clock
  }

  find(hash: string): Account | undefined | Promise<Account | undefined> {
    const known = this.#known.get(hash)
    if (known !== undefined && (this.#clock() < known.until || !this.#redis.isUp)) return known.account
    let lookup = this.#lookups.get(hash)
    if (lookup === undefined) {
      lookup = this.#lookUp(hash, known?.account).finally(() => this.#lookups.delete(hash))
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

  override async restore(entries: readonly StoredAccount[]): Promise<void> {
    await super.restore(entries)
    this.#known.clear()
  }

  /** Does nothing, because cached accounts work without Redis. */
  check(): void {}

  /** Reads an account from Redis. If the read fails, returns its cached state if there is one. */
  async #lookUp(hash: string, known: Account | undefined): Promise<Account | undefined> {
    const until = this.#clock() + trustMs
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
    this.#known.set(hash, { account, until })
    return account
  }
}
