import type { Account } from '../../contract/account.js'
import { rateWindowMs } from '../../contract/limits.js'
import type { SubscriptionBounds, SubscriptionLimit } from '../../contract/storage/stores.js'
import { afterTurn } from '../../runtime/scheduler.js'
import { NewSubscriptions } from '../new-subscriptions.js'
import type { Redis } from './redis.js'
import { deadNodeMs } from './registration.js'
import { createScript, timeOfRedis } from './script.js'

/** Milliseconds after which a count that no node repeats is forgotten: before its node is forgotten to be dead. */
const countTtlMs = deadNodeMs / 2
/** In so many heartbeats (seconds) each node repeats all its counts. */
const beatsPerRepetition = 600

/**
 * Sets what a node holds of an account, and counts further topics: 0 for each that is counted, -1 for one more than the
 * plan holds, otherwise the milliseconds until the window ends. The first key has the count of each node, the second
 * one the topics of the window, and its end under an empty name. The last arguments are the topics, after the dead nodes.
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

/** What this node holds of one account. */
interface Holding {
  held: number
  /** The count that Redis has got last; undefined where that is not certain. */
  sent: number | undefined
  waiting: Reservation[]
  isRunning: boolean
}

/**
 * Counts that all nodes share: each node writes how many subscriptions it holds of an account, and one more is counted
 * where all of them together have room. The counts of a dead node are dropped. While Redis is away, this node counts
 * for itself; it sends Redis what it holds when that is back.
 */
export class RedisSubscriptionBounds implements SubscriptionBounds {
  readonly #redis: Redis
  readonly #alone: NewSubscriptions
  readonly #onCountedAlone: () => void
  readonly #holdings = new Map<string, Holding>()
  /** The accounts whose counts the next heartbeats repeat. */
  #toRepeat: MapIterator<string>

  /** `clock` counts milliseconds from any time and never goes back. */
  constructor(redis: Redis, clock: () => number, onCountedAlone: () => void = () => {}) {
    this.#redis = redis
    this.#alone = new NewSubscriptions(clock)
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

  /** Sends Redis what has changed of an account, one command at a time, until nothing has. */
  #update(id: string, holding: Holding): void {
    if (holding.isRunning || !this.#redis.isUp) return
    holding.isRunning = true
    // What is asked for in the same turn of the event loop goes along.
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

  /** Sends Redis again what this node holds of so many accounts; answers how many there were. */
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
