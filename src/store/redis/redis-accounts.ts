import { type Account, idForm, idOf } from '../../contract/account.js'
import {
  type AccountList,
  type Accounts,
  type StoredAccount,
  StoreFailure,
} from '../../contract/storage/stores.js'
import { recentEntries } from '../../runtime/caches.js'
import {
  movedKeys,
  pointedAt,
  readAccount,
  readAccounts,
  writeAccount,
  writePointer,
} from '../account-record.js'
import type { Redis } from './redis.js'
import { createScript, type Script } from './redis-commands.js'

// All keys are in one slot, so that a script can use all of them in a cluster.
/** Hash of a key → account as text. */
const accountsKey = '{accounts}'
/** Id → hash of the key. */
const idsKey = '{accounts}:ids'

/** Maximum number of cached accounts, and the milliseconds after which a cached account is read again. */
const maxKnown = 50_000
const trustMs = 500
/** Number of accounts written concurrently. */
const perCommand = 1000

/** Adds an account unless its id is taken. With `first`, adds it only if there are no accounts. */
const addAccount = createScript(`
if ARGV[4] == 'first' and redis.call('HLEN', KEYS[1]) > 0 then return 0 end
if redis.call('HEXISTS', KEYS[2], ARGV[2]) == 1 or redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('HSET', KEYS[2], ARGV[2], ARGV[1])
return 1
`)

/**
 * Replaces the text of an account if it is still `ARGV[2]`. ARGV: hash, old text, new text, text of a pointer to the account, then
 * hashes of further keys, with `+` before an added key and `-` before a removed one.
 */
const replaceAccount = createScript(`
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
for at = 5, #ARGV do
  local hash = string.sub(ARGV[at], 2)
  if string.sub(ARGV[at], 1, 1) == '+' then redis.call('HSET', KEYS[1], hash, ARGV[4])
  else redis.call('HDEL', KEYS[1], hash) end
end
return 1
`)

/** Writes the text of an account or of a pointer unchanged. The id of a pointer is empty. */
const restoreAccount = createScript(`
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
if ARGV[2] ~= '' then redis.call('HSET', KEYS[2], ARGV[2], ARGV[1]) end
return 1
`)

const keys = [accountsKey, idsKey]

interface Known {
  readonly account: Account
  /** Time until which the cached account is used without a read, by the clock of this process. */
  readonly until: number
}

/**
 * Accounts that all nodes share. A cached account is used for half a second without another read, and as long as Redis is away.
 */
export class RedisAccounts implements Accounts {
  readonly #redis: Redis
  readonly #clock: () => number
  readonly #known = recentEntries<Known>(maxKnown)
  readonly #lookups = new Map<string, Promise<Account | undefined>>()

  /** `clock` counts milliseconds from any time and never goes back. */
  constructor(redis: Redis, clock: () => number) {
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

  async findById(id: string): Promise<Account | undefined> {
    const stored = await this.#findStored(id)
    return stored && readAccount(stored.hash, stored.text)
  }

  /** Stored text of the account with an id, and the hash under which it is stored. */
  async #findStored(id: string): Promise<{ readonly hash: string; readonly text: string } | undefined> {
    if (!idForm.test(id)) return undefined
    const hash = (await this.#read('HGET', idsKey, id)) as string | null
    const text = hash === null ? null : ((await this.#read('HGET', accountsKey, hash)) as string | null)
    return hash === null || text === null ? undefined : { hash, text }
  }

  async add(hash: string, account: Account): Promise<boolean> {
    return this.#change(addAccount, [hash, account.id, writeAccount(account), 'any'])
  }

  async addFirst(hash: string, account: Account): Promise<boolean> {
    return this.#change(addAccount, [hash, account.id, writeAccount(account), 'first'])
  }

  async change(
    id: string,
    change: (account: Account, hash: string) => Account,
  ): Promise<Account | undefined> {
    for (;;) {
      const stored = await this.#findStored(id)
      if (!stored) return undefined
      const { hash, text } = stored
      const before = readAccount(hash, text)
      const changed = change(before, hash)
      const { added, removed } = movedKeys(hash, before, changed)
      const moved = [...added.map(key => `+${key}`), ...removed.map(key => `-${key}`)]
      const args = [hash, text, writeAccount(changed), writePointer(hash), ...moved]
      if (await this.#change(replaceAccount, args)) {
        for (const { hash: further } of before.keys ?? []) this.#known.delete(further)
        return changed
      }
    }
  }

  async list(): Promise<AccountList> {
    return readAccounts([await this.entries()])
  }

  async isEmpty(): Promise<boolean> {
    return (await this.#read('HLEN', accountsKey)) === 0
  }

  /** Does nothing, because cached accounts work without Redis. */
  check(): void {}

  async entries(): Promise<readonly StoredAccount[]> {
    const found = await this.#reading(this.#redis.persistent.fieldsOf(accountsKey))
    return [...found].map(([hash, text]) => ({ hash, text }))
  }

  async restore(entries: readonly StoredAccount[]): Promise<void> {
    for (let from = 0; from < entries.length; from += perCommand) {
      const some = entries.slice(from, from + perCommand)
      await Promise.all(
        some.map(({ hash, text }) =>
          this.#change(restoreAccount, [hash, pointedAt(text) === undefined ? idOf(hash) : '', text]),
        ),
      )
    }
  }

  #read(command: string, ...args: readonly (string | number)[]): Promise<unknown> {
    return this.#reading(this.#redis.persistent.command(command, ...args))
  }

  async #reading<Result>(reply: Promise<Result>): Promise<Result> {
    try {
      return await reply
    } catch (cause) {
      throw failure('read accounts', cause as Error)
    }
  }

  /** Runs a script that changes the account of a hash. The hash is the first argument of the script. */
  async #change(script: Script, args: readonly string[]): Promise<boolean> {
    try {
      const isDone = (await this.#redis.persistent.run(script, keys, args)) === 1
      if (isDone) this.#known.delete(args[0] as string)
      return isDone
    } catch (cause) {
      throw failure('write accounts', cause as Error)
    }
  }

  /** Reads an account from Redis. If the read fails, returns its cached state if there is one. */
  async #lookUp(hash: string, known: Account | undefined): Promise<Account | undefined> {
    const until = this.#clock() + trustMs
    const read = (key: string) =>
      this.#redis[known ? 'commands' : 'persistent'].command('HGET', accountsKey, key) as Promise<
        string | null
      >
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

const failure = (action: string, cause: Error): StoreFailure =>
  new StoreFailure(`Cannot ${action}: ${cause.message}`, { cause })
