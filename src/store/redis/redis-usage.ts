import { usageDays } from '../../contract/accounts.js'
import { type RequestCounts, StoreFailure, type UsageStore } from '../../contract/storage/stores.js'
import { sortInSlices } from '../../runtime/resumable.js'
import { inSlices } from '../../runtime/scheduler.js'
import type { Redis } from './redis.js'
import { createScript } from './script.js'

/** Account → its requests of one day, as text. */
const dayKey = (day: string) => `usage:{${day}}`

/** ARGV: the seconds for which the day is kept, then accounts, each with what is added to its requests. */
const addScript = createScript(`
for at = 2, #ARGV, 2 do
  local text = redis.call('HGET', KEYS[1], ARGV[at])
  local sum = text and cjson.decode(text) or {}
  for kind, count in pairs(cjson.decode(ARGV[at + 1])) do
    local total = (sum[kind] or 0) + count
    if total == 0 then sum[kind] = nil else sum[kind] = total end
  end
  redis.call('HSET', KEYS[1], ARGV[at], cjson.encode(sum))
end
redis.call('EXPIRE', KEYS[1], ARGV[1])
return 1
`)

/** The requests of all accounts at all nodes. */
export class RedisUsage implements UsageStore {
  readonly #redis: Redis

  constructor(redis: Redis) {
    this.#redis = redis
  }

  async add(day: string, requests: ReadonlyMap<string, RequestCounts>): Promise<void> {
    const texts = [...requests].flatMap(([account, counts]) => [account, JSON.stringify(counts)])
    const args = [usageDays * 86_400, ...texts]
    await this.#ask('write', this.#redis.persistent.run(addScript, [dayKey(day)], args))
  }

  async countOfDay(day: string): Promise<number> {
    return (await this.#ask('read', this.#redis.persistent.command('HLEN', dayKey(day)))) as number
  }

  async ofDay(
    day: string,
    offset = 0,
    limit = Number.POSITIVE_INFINITY,
  ): Promise<ReadonlyMap<string, RequestCounts>> {
    const found = await this.#ask('read', this.#redis.persistent.fieldsOf(dayKey(day)))
    const sorted = await sortInSlices('usage', [...found], ([a], [b]) => (a < b ? -1 : 1))
    const rows = new Map<string, RequestCounts>()
    for await (const [account, text] of inSlices('usage', sorted.slice(offset, offset + limit)))
      rows.set(account, JSON.parse(text))
    return rows
  }

  async ofAccount(account: string, days: readonly string[]): Promise<ReadonlyMap<string, RequestCounts>> {
    const read = async (day: string) => {
      const text = await this.#ask('read', this.#redis.persistent.command('HGET', dayKey(day), account))
      return text === null ? [] : [[day, JSON.parse(text as string)] as const]
    }
    return new Map((await Promise.all(days.map(read))).flat())
  }

  async #ask<Result>(action: 'read' | 'write', reply: Promise<Result>): Promise<Result> {
    try {
      return await reply
    } catch (cause) {
      throw new StoreFailure(`Cannot ${action} the usage of keys: ${(cause as Error).message}`, { cause })
    }
  }
}
