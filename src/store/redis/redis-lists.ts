import { type ListStore, type StoredList, StoreFailure } from '../../contract/storage/stores.js'
import type { Redis } from './redis.js'
import { createScript } from './script.js'

// Keys of one slot, so that a script may use all of them in a cluster.
/** Name → text of the lists of one account. */
const accountKey = (account: string) => `{lists}:of:${account}`
/** Account → 1, of those that have had a list. */
const accountsKey = '{lists}:accounts'

/** ARGV: name, text, the most lists, account. */
const putScript = createScript(`
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('HSET', KEYS[2], ARGV[4], 1)
return 1
`)

/** Lists that all nodes share. */
export class RedisLists implements ListStore {
  readonly #redis: Redis

  constructor(redis: Redis) {
    this.#redis = redis
  }

  async put({ account, name, text }: StoredList, most: number): Promise<boolean> {
    const keys = [accountKey(account), accountsKey]
    const args = [name, text, most === Number.POSITIVE_INFINITY ? '1e9' : String(most), account]
    return (await this.#ask('write lists', this.#redis.persistent.run(putScript, keys, args))) === 1
  }

  async find(account: string, name: string): Promise<string | undefined> {
    const found = this.#redis.persistent.command('HGET', accountKey(account), name)
    const text = (await this.#ask('read lists', found)) as string | null
    return text ?? undefined
  }

  async remove(account: string, name: string): Promise<boolean> {
    return (
      (await this.#ask('write lists', this.#redis.persistent.command('HDEL', accountKey(account), name))) ===
      1
    )
  }

  async list(account?: string): Promise<readonly StoredList[]> {
    const accounts =
      account === undefined ? [...(await this.#fieldsOf(accountsKey)).keys()].sort() : [account]
    const lists: StoredList[] = []
    for (const each of accounts)
      for (const [name, text] of [...(await this.#fieldsOf(accountKey(each)))].sort())
        lists.push({ account: each, name, text })
    return lists
  }

  #fieldsOf(key: string): Promise<ReadonlyMap<string, string>> {
    return this.#ask('read lists', this.#redis.persistent.fieldsOf(key))
  }

  async #ask<Result>(action: string, reply: Promise<Result>): Promise<Result> {
    try {
      return await reply
    } catch (cause) {
      throw new StoreFailure(`Cannot ${action}: ${(cause as Error).message}`, { cause })
    }
  }
}
