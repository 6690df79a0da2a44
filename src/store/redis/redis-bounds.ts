import type { Account } from '../../contract/account.js'
import { rateWindowMs } from '../../contract/limits.js'
import type {
  FreeRetries,
  RateWindows,
  SubscriptionBounds,
  SubscriptionLimit,
  WindowUse,
} from '../../contract/storage/stores.js'
import { afterTurn } from '../../runtime/scheduler.js'
import {
  CountedRetries,
  type CountedWindows,
  MemoryTable,
  NewSubscriptions,
  repetitionMs,
} from '../bounds.js'
import { numbered } from './channels.js'
import { deadNodeMs, type Redis } from './redis.js'
import { createScript, timeOfRedis } from './redis-commands.js'

/** Channel on which nodes announce pending requests. */
const channel = 'pending'
const retryKey = (request: string) => `pending:${request}`

const addRequest = createScript(`
redis.call('SET', KEYS[1], 1, 'PX', ARGV[1])
return redis.call('PUBLISH', ARGV[2], ARGV[3])
`)

/**
 * Pending requests that may be retried for free at any node. All nodes receive them, so a node asks Redis only about a request that
 * may be a retry. Redis confirms the retry to one node only. While Redis is away, each node decides by itself.
 */
export class RedisFreeRetries implements FreeRetries {
  readonly #redis: Redis
  /** Pending requests that this node has received. */
  readonly #received: CountedRetries

  /** `clock` counts milliseconds from any time and never goes back. */
  constructor(redis: Redis, clock: () => number) {
    this.#redis = redis
    this.#received = new CountedRetries(new MemoryTable(clock))
    void redis.channels.listen(channel, request => this.#received.add(request.toString()))
  }

  isEmpty(): boolean {
    return this.#received.isEmpty()
  }

  take(request: string): boolean | Promise<boolean> {
    const isKnown = this.#received.take(request)
    if (!isKnown || !this.#redis.isUp) return isKnown
    return this.#redis.commands.command('DEL', retryKey(request)).then(
      removed => removed === 1,
      () => true,
    )
  }

  async add(request: string): Promise<void> {
    this.#received.add(request)
    const args = [repetitionMs, this.#redis.channels.nameOf(channel), request]
    await this.#redis.commands.run(addRequest, [retryKey(request)], args).catch(() => {})
  }
}

/**
 * KEYS: the window of an account, a hash of the `used` requests and the time at which it `ends`. ARGV: the limit, the length of a
 * window in milliseconds, the requests to take (-1 for a refund), and the end of the window of the refunded request.
 *
 * The reply has whether the requests are allowed, the number of requests left, the end of the window, and the milliseconds until
 * then. If a window ends later than a new one would, the clock of Redis was set back. Such a window restarts.
 */
const useWindow = createScript(`${timeOfRedis}
local limit, size, takes = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local used, ends = unpack(redis.call('HMGET', KEYS[1], 'used', 'ends'))
used, ends = tonumber(used or 0), tonumber(ends or 0)
local isOpen = ends > now and ends <= now + size
if not isOpen then used, ends = 0, now + size end
if takes < 0 and (used == 0 or ends ~= tonumber(ARGV[4])) then takes = 0 end
if takes > 0 and used + takes > limit then return {0, math.max(0, limit - used), ends, ends - now} end
if takes ~= 0 and isOpen then
  redis.call('HINCRBY', KEYS[1], 'used', takes)
elseif takes > 0 then
  redis.call('HSET', KEYS[1], 'used', takes, 'ends', ends)
  redis.call('PEXPIRE', KEYS[1], size)
end
return {1, math.max(0, limit - used - takes), ends, ends - now}`)

export const windowKeyOf = (id: string): string => numbered(`window:{${id}}`)

/** Use of a window in Redis. Other uses belong to windows of this process. */
class RedisUse implements WindowUse {
  constructor(
    readonly allowed: boolean,
    readonly remaining: number,
    readonly reset: number,
    /** End of the window by the clock of Redis. */
    readonly ends: number,
  ) {}
}

/**
 * Rate windows that all nodes share. Redis counts each request by its own clock. The requests of one turn of the event loop are
 * sent together. While Redis is away, the windows of this process count.
 */
export class RedisRateWindows implements RateWindows {
  readonly #redis: Redis
  readonly #alone: CountedWindows
  readonly #onCountedAlone: () => void

  /** `alone` are the windows of this process. */
  constructor(redis: Redis, alone: CountedWindows, onCountedAlone: () => void = () => {}) {
    this.#redis = redis
    this.#alone = alone
    this.#onCountedAlone = onCountedAlone
  }

  take(account: Account, requests = 1): WindowUse | Promise<WindowUse> {
    const takeAlone = () => {
      this.#onCountedAlone()
      return this.#alone.take(account, requests)
    }
    return this.#redis.isUp ? this.#use(account, requests).catch(takeAlone) : takeAlone()
  }

  peek(account: Account): WindowUse | Promise<WindowUse> {
    const peekAlone = () => this.#alone.peek(account)
    return this.#redis.isUp ? this.#use(account, 0).catch(peekAlone) : peekAlone()
  }

  /** Returns without waiting for Redis, because Redis handles later requests of this node after the refund. */
  refund(account: Account, use: WindowUse): WindowUse {
    if (!(use instanceof RedisUse)) return this.#alone.refund(account, use)
    if (!use.allowed) return use
    this.#use(account, -1, use.ends).catch(() => {})
    return new RedisUse(true, Math.min(account.requests, use.remaining + 1), use.reset, use.ends)
  }

  async #use({ id, requests }: Account, takes: number, windowEnds = 0): Promise<WindowUse> {
    const args = [requests, rateWindowMs, takes, windowEnds]
    const reply = await this.#redis.commands.run(useWindow, [windowKeyOf(id)], args)
    const [allowed, remaining, ends, leftMs] = reply as [number, number, number, number]
    return new RedisUse(allowed === 1, remaining, Math.max(1, Math.ceil(leftMs / 1000)), ends)
  }
}

/** TTL in milliseconds of a count that no node repeats. It is shorter than the time for which a dead node is remembered. */
const countTtlMs = deadNodeMs / 2
/** Number of heartbeats (seconds) in which each node repeats all its counts. */
const beatsPerRepetition = 600

/**
 * Sets the number of subscriptions that a node holds for an account, and counts further topics. The reply has a number per topic: 0
 * if it is counted, -1 if the plan is full, otherwise the milliseconds until the window ends.
 *
 * KEYS: the counts of the nodes; the topics of the window, with its end under an empty name. ARGV: node, its count, the limit, the
 * length of a window and the TTL of counts in milliseconds, the number of dead nodes, the dead nodes, the topics.
 */
const reserveTopics = createScript(`${timeOfRedis}
local node, held, limit, size = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local ttl, dead = ARGV[5], tonumber(ARGV[6])
for i = 7, 6 + dead do redis.call('HDEL', KEYS[1], ARGV[i]) end
redis.call('HDEL', KEYS[1], node)
local others = 0
for _, count in ipairs(redis.call('HVALS', KEYS[1])) do others = others + tonumber(count) end
local ends = tonumber(redis.call('HGET', KEYS[2], '') or 0)
local answer = {}
for i = 7 + dead, #ARGV do
  local topic = ARGV[i]
  if others + held >= limit then
    answer[#answer + 1] = -1
  else
    if ends <= now or ends > now + size then
      redis.call('DEL', KEYS[2])
      ends = now + size
      redis.call('HSET', KEYS[2], '', ends)
      redis.call('PEXPIRE', KEYS[2], size)
    end
    if redis.call('HEXISTS', KEYS[2], topic) == 0 and redis.call('HLEN', KEYS[2]) > limit then
      answer[#answer + 1] = ends - now
    else
      redis.call('HSET', KEYS[2], topic, 1)
      held = held + 1
      answer[#answer + 1] = 0
    end
  end
end
if held > 0 then
  redis.call('HSET', KEYS[1], node, held)
  redis.call('PEXPIRE', KEYS[1], ttl)
end
return answer
`)

interface Reservation {
  readonly account: Account
  readonly topic: string
  readonly answer: (limit: SubscriptionLimit) => void
}

/** Subscriptions of one account at this node. */
interface Holding {
  held: number
  /** Last count that Redis has received; undefined if that is uncertain. */
  sent: number | undefined
  waiting: Reservation[]
  isRunning: boolean
}

/**
 * Bounds of subscriptions that all nodes share. Each node writes its number of subscriptions per account. A new subscription is
 * allowed if the sum over all nodes is below the limit. The counts of dead nodes are dropped. While Redis is away, this node counts
 * alone. When Redis is back, the node sends its counts.
 */
export class RedisSubscriptionBounds implements SubscriptionBounds {
  readonly #redis: Redis
  readonly #alone: NewSubscriptions
  readonly #onCountedAlone: () => void
  readonly #holdings = new Map<string, Holding>()
  /** Accounts whose counts the next heartbeats repeat. */
  #toRepeat: MapIterator<string>

  /** `clock` counts milliseconds from any time and never goes back. */
  constructor(redis: Redis, clock: () => number, onCountedAlone: () => void = () => {}) {
    this.#redis = redis
    this.#alone = new NewSubscriptions(new MemoryTable(clock))
    this.#onCountedAlone = onCountedAlone
    this.#toRepeat = this.#holdings.keys()
    redis.onReturn(() => this.#repeat(this.#holdings.keys(), Number.POSITIVE_INFINITY))
    redis.onBeat(() => this.#repeatSome())
  }

  reserve(account: Account, topic: string): SubscriptionLimit | Promise<SubscriptionLimit> {
    const holding = this.#holdings.get(account.id) ?? this.#open(account.id)
    if (!this.#redis.isUp) return this.#reserveAlone(holding, account, topic)
    return new Promise(answer => {
      holding.waiting.push({ account, topic, answer })
      this.#update(account.id, holding)
    })
  }

  release({ id }: Account): void {
    const holding = this.#holdings.get(id)
    if (holding === undefined) return
    holding.held--
    this.#update(id, holding)
  }

  #open(id: string): Holding {
    const holding: Holding = { held: 0, sent: 0, waiting: [], isRunning: false }
    this.#holdings.set(id, holding)
    return holding
  }

  #reserveAlone(holding: Holding, account: Account, topic: string): SubscriptionLimit {
    this.#onCountedAlone()
    if (holding.held >= account.subscriptions) return 'plan'
    const seconds = this.#alone.take(account, topic)
    if (seconds !== undefined) return { seconds }
    holding.held++
    holding.sent = undefined
    return undefined
  }

  /** Sends the changes of an account to Redis, one command at a time, until all are sent. */
  #update(id: string, holding: Holding): void {
    if (holding.isRunning || !this.#redis.isUp) return
    holding.isRunning = true
    // Requests of the same turn of the event loop are sent together.
    afterTurn(async () => {
      while (this.#redis.isUp && (holding.waiting.length > 0 || holding.sent !== holding.held))
        await this.#send(id, holding)
      holding.isRunning = false
      if (holding.held === 0 && holding.sent === 0 && holding.waiting.length === 0) this.#holdings.delete(id)
    })
  }

  async #send(id: string, holding: Holding): Promise<void> {
    const { waiting: reservations, held } = holding
    holding.waiting = []
    const { nodeId, deadNodes } = this.#redis
    const limit = reservations[0]?.account.subscriptions ?? 0
    const args = [nodeId, held, limit, rateWindowMs, countTtlMs, deadNodes.length, ...deadNodes]
    for (const { topic } of reservations) args.push(topic)
    try {
      const keys = [`subscriptions:{${id}}`, `new-subscriptions:{${id}}`]
      const answers = (await this.#redis.commands.run(reserveTopics, keys, args)) as readonly number[]
      const counted = answers.filter(answer => answer === 0).length
      holding.held += counted
      holding.sent = held + counted
      for (const [at, { answer }] of reservations.entries()) answer(limitOf(answers[at] as number))
    } catch {
      holding.sent = undefined
      for (const { account, topic, answer } of reservations)
        answer(this.#reserveAlone(holding, account, topic))
    }
  }

  #repeatSome(): void {
    const count = Math.ceil(this.#holdings.size / beatsPerRepetition)
    if (this.#repeat(this.#toRepeat, count) < count) this.#toRepeat = this.#holdings.keys()
  }

  /** Sends the counts of the next `count` accounts to Redis again. Returns a smaller number if fewer accounts are left. */
  #repeat(ids: MapIterator<string>, count: number): number {
    for (let repeated = 0; repeated < count; repeated++) {
      const { value: id, done } = ids.next()
      if (done) return repeated
      const holding = this.#holdings.get(id)
      if (holding === undefined) continue
      holding.sent = undefined
      this.#update(id, holding)
    }
    return count
  }
}

const limitOf = (answer: number): SubscriptionLimit =>
  answer === 0 ? undefined : answer === -1 ? 'plan' : { seconds: Math.ceil(answer / 1000) }
