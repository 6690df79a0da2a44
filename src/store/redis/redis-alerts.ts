import { usageDays } from '../../contract/accounts.js'
import {
  type AddFailure,
  type AlertBounds,
  type AlertCommit,
  type AlertHistory,
  type AlertLease,
  type AlertState,
  type AlertStore,
  alertLeaseMs,
  maxDeadLetters,
  type StoredAlert,
  type StoredDelivery,
} from '../../contract/storage/alerts.js'
import {
  type ListStore,
  type RequestCounts,
  type StoredList,
  StoreFailure,
  type UsageStore,
} from '../../contract/storage/stores.js'
import { inSlices, sortInSlices } from '../../runtime/scheduler.js'
import type { Redis } from './redis.js'
import { createScript, leaseOfRedis, releaseLease, type Script } from './redis-commands.js'

// All keys are in one slot, so that a script can use all of them in a cluster.
/** Id of an alert → id of its account. */
const ownersKey = '{alerts}:owners'
/** Id → text of the alerts of one account. */
const accountKey = (account: string) => `{alerts}:of:${account}`
const firedKey = '{alerts}:fired'
const checkpointsKey = '{alerts}:checkpoints'
/** Number of a delivery → its account, a slash and its text. */
const dueKey = '{alerts}:due'
/** Greatest number of a delivery. */
const lastKey = '{alerts}:last'
const versionKey = '{alerts}:version'
const leaseKey = '{alerts}:lease'
/** A list with the newest dead letter first. */
const deadKey = (account: string) => `{alerts}:dead:${account}`
const channel = 'alerts'

const addDeadLetter = (key: string, text: string) => `
redis.call('LPUSH', ${key}, ${text})
redis.call('LTRIM', ${key}, 0, ${maxDeadLetters - 1})`

/** ARGV: the two bounds, id and text of an alert that must exist (or empty), account, then alerts as id and text. */
const addScript = createScript(`
if ARGV[3] ~= '' and redis.call('HGET', KEYS[2], ARGV[3]) ~= ARGV[4] then return 'beside' end
local added = (#ARGV - 5) / 2
if redis.call('HLEN', KEYS[2]) + added > tonumber(ARGV[1]) then return 'account' end
if redis.call('HLEN', KEYS[1]) + added > tonumber(ARGV[2]) then return 'total' end
for at = 6, #ARGV, 2 do
  redis.call('HSET', KEYS[1], ARGV[at], ARGV[5])
  redis.call('HSET', KEYS[2], ARGV[at], ARGV[at + 1])
end
redis.call('INCR', KEYS[3])
return ''
`)

/** ARGV: alerts as id and text. */
const replaceScript = createScript(`
for at = 1, #ARGV, 2 do
  if redis.call('HEXISTS', KEYS[1], ARGV[at]) == 0 then return 0 end
end
for at = 1, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[at], ARGV[at + 1]) end
redis.call('INCR', KEYS[2])
return 1
`)

/** ARGV: ids. */
const removeScript = createScript(`
local removed = 0
for at = 1, #ARGV do
  if redis.call('HDEL', KEYS[2], ARGV[at]) == 1 then
    redis.call('HDEL', KEYS[1], ARGV[at])
    redis.call('HDEL', KEYS[4], ARGV[at])
    removed = 1
  end
end
if removed == 1 then redis.call('INCR', KEYS[3]) end
return removed
`)

/**
 * ARGV: the number of checkpoints, each as market and time, the number of void fires, each as alert, candle and the candle
 * after which it fires again, then fires as alert, account, candle, text and 1 for a dead one.
 */
const commitScript = createScript(`
local function raise(key, field, value)
  local present = redis.call('HGET', key, field)
  if present and tonumber(present) >= tonumber(value) then return false end
  redis.call('HSET', key, field, value)
  return true
end
local at = 2
for _ = 1, tonumber(ARGV[1]) do
  redis.call('HSET', KEYS[3], ARGV[at], ARGV[at + 1])
  at = at + 2
end
at = at + 1
for _ = 1, tonumber(ARGV[at - 1]) do
  if redis.call('HGET', KEYS[2], ARGV[at]) == ARGV[at + 1] then redis.call('HSET', KEYS[2], ARGV[at], ARGV[at + 2]) end
  at = at + 3
end
local numbers = {}
local fire = 0
while at <= #ARGV do
  fire = fire + 1
  numbers[fire] = 0
  local alert, account, candle, text = ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
  if redis.call('HGET', KEYS[1], alert) == account and raise(KEYS[2], alert, candle) then
    if ARGV[at + 4] == '1' then
      ${addDeadLetter('KEYS[5 + fire]', 'text')}
    else
      local number = redis.call('INCR', KEYS[5])
      redis.call('HSET', KEYS[4], number, account .. '/' .. text)
      numbers[fire] = number
    end
  end
  at = at + 5
end
return numbers
`)

/** ARGV: number of the delivery, text of the dead letter. */
const buryScript = createScript(`
if redis.call('HDEL', KEYS[1], ARGV[1]) == 1 then
  ${addDeadLetter('KEYS[2]', 'ARGV[2]')}
end
return 1
`)

/** ARGV: id, account, text, the candle of the last fire or nothing, the number of deliveries, these, then dead letters. */
const restoreScript = createScript(`
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
redis.call('INCR', KEYS[3])
local present = redis.call('HGET', KEYS[4], ARGV[1])
if ARGV[4] ~= '' and (not present or tonumber(present) < tonumber(ARGV[4])) then
  redis.call('HSET', KEYS[4], ARGV[1], ARGV[4])
end
local dead = 6 + tonumber(ARGV[5])
for at = 6, dead - 1 do
  redis.call('HSET', KEYS[5], redis.call('INCR', KEYS[6]), ARGV[2] .. '/' .. ARGV[at])
end
for at = dead, #ARGV do
  ${addDeadLetter('KEYS[7]', 'ARGV[at]')}
end
return 1
`)

/** ARGV: token, milliseconds of the lease. Takes or renews the lease for the process with the token. */
const leaseScript = createScript(`${leaseOfRedis}
if isHeld(KEYS[1], ARGV[2]) and redis.call('GET', KEYS[1]) ~= ARGV[1] then return { 0, 0 } end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return { 1, tonumber(redis.call('GET', KEYS[2]) or 0) }
`)

const accountOf = ([alert]: readonly StoredAlert[]): string => alert?.account ?? ''
const pairsOf = (alerts: readonly StoredAlert[]): string[] => alerts.flatMap(({ id, text }) => [id, text])

/** Pairs of names and values from a flat reply of Redis. */
const pairsIn = (fields: readonly string[]): (readonly [string, string])[] =>
  fields.flatMap((field, at) => (at % 2 === 0 ? [[field, fields[at + 1] as string] as const] : []))

/** Alerts that all nodes share. One node at a time runs them. */
export class RedisAlerts implements AlertStore {
  readonly #redis: Redis
  /** Value of the lease while this process has it. */
  readonly #token: string
  #listener: (text: string) => void = () => {}

  constructor(redis: Redis, token: string) {
    this.#redis = redis
    this.#token = token
    void redis.channels.listen(channel, text => this.#listener(text.toString()))
  }

  async add(
    alerts: readonly StoredAlert[],
    { perAccount, total }: AlertBounds,
    beside?: StoredAlert,
  ): Promise<AddFailure | undefined> {
    const account = accountOf(alerts)
    const keys = [ownersKey, accountKey(account), versionKey]
    const condition = [beside?.id ?? '', beside?.text ?? '']
    const args = [perAccount, total, ...condition, account, ...pairsOf(alerts)]
    const failure = await this.#run('write', addScript, keys, args)
    return failure === '' ? undefined : (failure as AddFailure)
  }

  async replace(alerts: readonly StoredAlert[]): Promise<boolean> {
    const keys = [accountKey(accountOf(alerts)), versionKey]
    return (await this.#run('write', replaceScript, keys, pairsOf(alerts))) === 1
  }

  async remove(account: string, ids: readonly string[]): Promise<boolean> {
    const keys = [ownersKey, accountKey(account), versionKey, firedKey]
    return (await this.#run('write', removeScript, keys, ids)) === 1
  }

  async find(account: string, id: string): Promise<StoredAlert | undefined> {
    const text = (await this.#read('HGET', accountKey(account), id)) as string | null
    return text === null ? undefined : { id, account, text }
  }

  async parts(account: string, id: string): Promise<readonly StoredAlert[]> {
    const single = await this.find(account, id)
    const pattern = `${id.replace(/[\\*?[\]]/g, '\\$&')}:*`
    const parts = await this.#guard('read', () =>
      this.#redis.persistent.fieldsOf(accountKey(account), pattern),
    )
    const found = [...parts].map(([part, text]) => ({ id: part, account, text }))
    return single ? [single, ...found] : found
  }

  async list(account?: string): Promise<readonly StoredAlert[]> {
    if (account !== undefined) return this.#listOf(account)
    const owners = new Set((await this.#read('HVALS', ownersKey)) as string[])
    return (await Promise.all([...owners].map(owner => this.#listOf(owner)))).flat()
  }

  async fired(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (ids.length === 0) return new Map()
    const values = (await this.#read('HMGET', firedKey, ...ids)) as (string | null)[]
    return new Map(
      ids.flatMap((id, at): [string, number][] => {
        const value = values[at] ?? null
        return value === null ? [] : [[id, Number(value)]]
      }),
    )
  }

  async state(): Promise<AlertState> {
    const [alerts, fired, checkpoints, due] = await Promise.all([
      this.list(),
      this.#pairs(firedKey),
      this.#pairs(checkpointsKey),
      this.#pairs(dueKey),
    ])
    const numbers = (pairs: readonly (readonly [string, string])[]) =>
      new Map(pairs.map(([name, value]) => [name, Number(value)]))
    return {
      alerts,
      fired: numbers(fired),
      checkpoints: numbers(checkpoints),
      due: due
        .map(([number, value]) => {
          const slash = value.indexOf('/')
          return { number: Number(number), account: value.slice(0, slash), text: value.slice(slash + 1) }
        })
        .sort((a, b) => a.number - b.number),
    }
  }

  async commit({
    checkpoints,
    voidFires = [],
    fires,
  }: AlertCommit): Promise<readonly (number | undefined)[]> {
    const keys = [
      ownersKey,
      firedKey,
      checkpointsKey,
      dueKey,
      lastKey,
      ...fires.map(fire => deadKey(fire.account)),
    ]
    const args = [
      checkpoints.size,
      ...[...checkpoints].flat(),
      voidFires.length,
      ...voidFires.flatMap(({ alert, candle, after }) => [alert, candle, after]),
      ...fires.flatMap(fire => [fire.alert, fire.account, fire.candle, fire.text, fire.isDead ? 1 : 0]),
    ]
    const numbers = (await this.#run('write', commitScript, keys, args)) as number[]
    return numbers.map(number => (number === 0 ? undefined : number))
  }

  async forget(markets: readonly string[]): Promise<void> {
    if (markets.length > 0) await this.#read('HDEL', checkpointsKey, ...markets)
  }

  async acknowledge(deliveries: readonly StoredDelivery[]): Promise<void> {
    const numbers = deliveries.map(({ number }) => number)
    if (numbers.length > 0)
      await this.#guard('write', () => this.#redis.persistent.command('HDEL', dueKey, ...numbers))
  }

  async deadLetter({ number, account }: StoredDelivery, deadText: string): Promise<void> {
    await this.#run('write', buryScript, [dueKey, deadKey(account)], [number, deadText])
  }

  async deadLetters(account: string): Promise<readonly string[]> {
    return (await this.#read('LRANGE', deadKey(account), 0, -1)) as string[]
  }

  async restore({ id, account, text }: StoredAlert, { fired, due, dead }: AlertHistory): Promise<void> {
    const keys = [ownersKey, accountKey(account), versionKey, firedKey, dueKey, lastKey, deadKey(account)]
    await this.#run('write', restoreScript, keys, [
      id,
      account,
      text,
      fired ?? '',
      due.length,
      ...due,
      ...dead,
    ])
  }

  async lease(): Promise<AlertLease> {
    const [isHeld, version] = (await this.#run(
      'lease',
      leaseScript,
      [leaseKey, versionKey],
      [this.#token, alertLeaseMs],
    )) as [number, number]
    return { isHeld: isHeld === 1, version }
  }

  async release(): Promise<void> {
    await this.#run('release', releaseLease, [leaseKey], [this.#token]).catch(() => {})
  }

  send(text: string): void {
    this.#redis.commands.command('PUBLISH', this.#redis.channels.nameOf(channel), text).catch(() => {})
  }

  listen(listener: (text: string) => void): void {
    this.#listener = listener
  }

  async #listOf(account: string): Promise<StoredAlert[]> {
    return (await this.#pairs(accountKey(account))).map(([id, text]) => ({ id, account, text }))
  }

  async #pairs(key: string): Promise<(readonly [string, string])[]> {
    return pairsIn((await this.#read('HGETALL', key)) as string[])
  }

  async #read(command: string, ...args: readonly (string | number)[]): Promise<unknown> {
    return this.#guard('read', () => this.#redis.persistent.command(command, ...args))
  }

  #run(
    action: string,
    script: Script,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<unknown> {
    return this.#guard(action, () => this.#redis.persistent.run(script, keys, args))
  }

  async #guard<Result>(action: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (cause) {
      throw new StoreFailure(`Cannot ${action} alerts: ${(cause as Error).message}`, { cause })
    }
  }
}

// All keys are in one slot, so that a script can use all of them in a cluster.
/** Name → text of the lists of one account. */
const listsKey = (account: string) => `{lists}:of:${account}`
/** Account → 1, for each account that has ever had a list. */
const accountsKey = '{lists}:accounts'

/** ARGV: name, text, maximum number of lists, account. */
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
    const keys = [listsKey(account), accountsKey]
    const args = [name, text, most === Number.POSITIVE_INFINITY ? '1e9' : String(most), account]
    return (await this.#ask('write lists', this.#redis.persistent.run(putScript, keys, args))) === 1
  }

  async find(account: string, name: string): Promise<string | undefined> {
    const found = this.#redis.persistent.command('HGET', listsKey(account), name)
    const text = (await this.#ask('read lists', found)) as string | null
    return text ?? undefined
  }

  async remove(account: string, name: string): Promise<boolean> {
    return (
      (await this.#ask('write lists', this.#redis.persistent.command('HDEL', listsKey(account), name))) === 1
    )
  }

  async list(account?: string): Promise<readonly StoredList[]> {
    const accounts =
      account === undefined ? [...(await this.#fieldsOf(accountsKey)).keys()].sort() : [account]
    const lists: StoredList[] = []
    for (const each of accounts)
      for (const [name, text] of [...(await this.#fieldsOf(listsKey(each)))].sort())
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

/** Account → JSON of its requests on one day. */
const dayKey = (day: string) => `usage:{${day}}`

/** ARGV: TTL of the day in seconds, then accounts, each with the requests to add. */
const addUsageScript = createScript(`
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

/** Requests of all accounts at all nodes. */
export class RedisUsage implements UsageStore {
  readonly #redis: Redis

  constructor(redis: Redis) {
    this.#redis = redis
  }

  async add(day: string, requests: ReadonlyMap<string, RequestCounts>): Promise<void> {
    const texts = [...requests].flatMap(([account, counts]) => [account, JSON.stringify(counts)])
    const args = [usageDays * 86_400, ...texts]
    await this.#ask('write', this.#redis.persistent.run(addUsageScript, [dayKey(day)], args))
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
