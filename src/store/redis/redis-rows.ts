import { StoreFailure } from '../../contract/storage/stores.js'
import type { Condition, KeyRange, Row, RowChanges, Rows } from '../rows.js'
import type { Redis } from './redis.js'
import { createScript } from './redis-commands.js'

const rowsOfSlice = 500

/** KEYS: texts by key, sorted keys. ARGV: bounds of the range, offset, limit. The reply has keys, each with its text. */
const readRange = createScript(`
local rows = {}
for _, key in ipairs(redis.call('ZRANGEBYLEX', KEYS[2], ARGV[1], ARGV[2], 'LIMIT', ARGV[3], ARGV[4])) do
  rows[#rows + 1] = key
  rows[#rows + 1] = redis.call('HGET', KEYS[1], key)
end
return rows`)

/**
 * KEYS: texts by key, sorted keys. ARGV: the number of conditions, the conditions, then changes as key and change. A condition is
 * `text`, key and text, or `count`, bounds of a range and the maximum number of rows. A text follows `+`, a missing or removed row is
 * `-`, and an added number follows `#`. The reply is the number of the first condition that does not hold, or 0.
 */
const writeRows = createScript(`
local at = 2
for number = 1, tonumber(ARGV[1]) do
  if ARGV[at] == 'text' then
    local text = redis.call('HGET', KEYS[1], ARGV[at + 1])
    if (text and '+' .. text or '-') ~= ARGV[at + 2] then return number end
    at = at + 3
  else
    if redis.call('ZLEXCOUNT', KEYS[2], ARGV[at + 1], ARGV[at + 2]) > tonumber(ARGV[at + 3]) then return number end
    at = at + 4
  end
end
for each = at, #ARGV, 2 do
  local key, kind, value = ARGV[each], string.sub(ARGV[each + 1], 1, 1), string.sub(ARGV[each + 1], 2)
  if kind == '-' then
    redis.call('HDEL', KEYS[1], key)
    redis.call('ZREM', KEYS[2], key)
  else
    if kind == '#' then redis.call('HINCRBY', KEYS[1], key, value) else redis.call('HSET', KEYS[1], key, value) end
    redis.call('ZADD', KEYS[2], 0, key)
  end
end
return 0`)

/** Keys of a table in Redis. Both are in one slot, so that a script can use them in a cluster. */
export const tableKeys = (table: string) => [`{${table}}`, `{${table}}:keys`] as const

/** Rows that all nodes share: a hash of texts, and a sorted set of their keys. */
export class RedisRows implements Rows {
  readonly #keys: readonly [texts: string, sorted: string]

  /** `table` names the keys in Redis, `what` the rows in error texts. */
  constructor(
    private readonly redis: Redis,
    table: string,
    private readonly what: string,
  ) {
    this.#keys = tableKeys(table)
  }

  async get(keys: readonly string[]): Promise<readonly (string | undefined)[]> {
    if (keys.length === 0) return []
    const texts = await this.#read(this.redis.persistent.command('HMGET', this.#keys[0], ...keys))
    return (texts as (string | null)[]).map(text => text ?? undefined)
  }

  async *slices({
    limit = Number.POSITIVE_INFINITY,
    offset = 0,
    ...range
  }: Parameters<Rows['slices']>[0]): AsyncGenerator<readonly Row[]> {
    let [from, to] = boundsOf(range)
    let skipped = offset
    for (let left = limit; left > 0; ) {
      const most = Math.min(left, rowsOfSlice)
      const reply = this.redis.persistent.run(readRange, this.#keys, [from, to, skipped, most])
      const found = (await this.#read(reply)) as string[]
      const slice = found.flatMap((key, at) => (at % 2 === 0 ? [{ key, text: found[at + 1] as string }] : []))
      if (slice.length > 0) yield slice
      if (slice.length < most) return
      left -= slice.length
      from = `(${slice.at(-1)?.key}`
      skipped = 0
    }
  }

  async count(range: KeyRange): Promise<number> {
    const count = this.redis.persistent.command('ZLEXCOUNT', this.#keys[1], ...boundsOf(range))
    return (await this.#read(count)) as number
  }

  async write(changes: RowChanges, conditions: readonly Condition[] = []): Promise<Condition | undefined> {
    const args = [conditions.length, ...conditions.flatMap(conditionArguments), ...changeArguments(changes)]
    const failed = await failing(`write ${this.what}`, this.redis.persistent.run(writeRows, this.#keys, args))
    return conditions[(failed as number) - 1]
  }

  #read(reply: Promise<unknown>): Promise<unknown> {
    return failing(`read ${this.what}`, reply)
  }
}

/** Returns a reply of Redis. Turns its failure into a StoreFailure that names the action. */
export async function failing<Reply>(action: string, reply: Promise<Reply>): Promise<Reply> {
  try {
    return await reply
  } catch (cause) {
    throw new StoreFailure(`Cannot ${action}: ${(cause as Error).message}`, { cause })
  }
}

const boundsOf = ({ from, to }: KeyRange): [from: string, to: string] => [`[${from}`, `(${to}`]

const textArgument = (text: string | undefined): string => (text === undefined ? '-' : `+${text}`)

const conditionArguments = (condition: Condition): readonly (string | number)[] =>
  'key' in condition
    ? ['text', condition.key, textArgument(condition.text)]
    : ['count', ...boundsOf(condition.range), condition.atMost]

const changeArguments = (changes: RowChanges): readonly string[] =>
  [...changes].flatMap(([key, change]) => [
    key,
    typeof change === 'number' ? `#${change}` : textArgument(change),
  ])
