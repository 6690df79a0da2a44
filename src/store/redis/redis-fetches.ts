import { EventEmitter, once } from 'node:events'
import {
  type ClusterAnswer,
  type ClusterFetches,
  type FetchOutcome,
  NotShared,
  type Question,
} from '../../contract/storage/cluster.js'
import { pause } from '../../runtime/pause.js'
import { keysOf, type Lease, type Leases } from './leases.js'
import type { Redis } from './redis.js'
import { createScript, leaseOfRedis, timeOfRedis } from './redis-commands.js'

/** Channel on which nodes announce finished fetches. */
const finished = 'fetched'

/** Milliseconds for which a failure also answers later requests, so that nodes do not query a dead exchange one after the other. */
const failureMs = 2000

/**
 * KEYS: lease, answer, fence. ARGV: prefix of the token, milliseconds of the lease, earliest request time of the answer (by Redis's
 * clock; empty at first), maximum age of the answer, minimum depth of the answer, failureMs.
 *
 * The reply repeats the earliest request time, so that waiting does not change it. If an answer was requested later than now,
 * Redis's clock was set back, and the age of the answer is unknown.
 */
const ask = createScript(`${timeOfRedis}${leaseOfRedis}
local since = math.min(tonumber(ARGV[3]) or now - ARGV[4], now)
local answer = redis.call('HMGET', KEYS[2], 'at', 'depth', 'failed')
if answer[1] and tonumber(answer[1]) <= now then
  local at = tonumber(answer[1])
  local isFailure = answer[3] == '1'
  local isDeep = isFailure or tonumber(answer[2]) >= tonumber(ARGV[5])
  if isDeep and (at >= since or (isFailure and now - tonumber(redis.call('HGET', KEYS[2], 'end')) < tonumber(ARGV[6]))) then
    return {'answer', since, now - at, answer[3], redis.call('HGET', KEYS[2], 'bytes')}
  end
end
if isHeld(KEYS[1], ARGV[2]) then return {'wait', since} end
local fence = redis.call('INCR', KEYS[3])
redis.call('SET', KEYS[1], ARGV[1] .. fence, 'PX', ARGV[2])
return {'lead', fence, now}`)

/** KEYS: lease, answer. ARGV: token, requested at, depth, failed, bytes, milliseconds to keep it, channel, name. */
const leaveAnswer = createScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
${timeOfRedis}redis.call('HSET', KEYS[2], 'at', ARGV[2], 'depth', ARGV[3], 'failed', ARGV[4], 'bytes', ARGV[5], 'end', now)
redis.call('PEXPIRE', KEYS[2], ARGV[6])
redis.call('DEL', KEYS[1])
redis.call('PUBLISH', ARGV[7], ARGV[8])
return 1`)

interface Options {
  readonly redis: Redis
  readonly leases: Leases
  /** Maximum milliseconds that a node waits for another node before it fetches by itself. */
  readonly maxWaitMs: number
}

type FetchReply =
  | { readonly kind: 'answer'; readonly answer: ClusterAnswer }
  | { readonly kind: 'lead'; readonly lease: Lease; readonly requestedAt: number }
  | { readonly kind: 'wait'; readonly since: number }

/** Fetches that one node at a time performs. That node has a lease and stores the outcome in Redis for the other nodes. */
export class RedisFetches implements ClusterFetches {
  /** Emits the name of each fetch that another node has finished. */
  readonly #finished = new EventEmitter().setMaxListeners(0)

  constructor(private readonly options: Options) {
    void options.redis.channels.listen(finished, message => {
      this.#finished.emit(`fetch ${message}`)
    })
  }

  async fetch(
    what: string,
    question: Question,
    work: () => Promise<FetchOutcome>,
  ): Promise<ClusterAnswer | undefined> {
    // The prefix separates the lease from that of a stream with the same name.
    const name = `fetch:${what}`
    const end = performance.now() + this.options.maxWaitMs
    let since: number | undefined
    for (;;) {
      const waiting = new AbortController()
      const { signal } = waiting
      // Listens before the question, so that an answer that is stored during the question is not missed.
      const isFinished = once(this.#finished, `fetch ${name}`, { signal }).catch(() => {})
      try {
        const reply = await this.#askFor(name, question, since)
        if (reply.kind === 'answer') return reply.answer
        if (reply.kind === 'lead') {
          await this.#lead(reply.lease, reply.requestedAt, question, work)
          return undefined
        }
        since = reply.since
        const leftMs = end - performance.now()
        if (leftMs <= 0) throw new NotShared('another node takes too long to fetch it')
        // Asks again after a while, because a message may be lost and the fetching node may die.
        const lookMs = Math.min(leftMs, this.options.leases.ttlMs / 3)
        await Promise.race([isFinished, pause(lookMs, signal)])
      } finally {
        waiting.abort()
      }
    }
  }

  /** Runs `work` unless another node has begun it in the last `everyMs` milliseconds, or nodes cannot reach each other. */
  async onLeader(name: string, everyMs: number, work: () => Promise<void>): Promise<void> {
    try {
      await this.fetch(name, { maxAgeMs: everyMs, depth: 0, keepMs: everyMs }, async () => {
        await work()
        return { bytes: new Uint8Array(), isFailure: false }
      })
    } catch (error) {
      if (!(error instanceof NotShared)) throw error
    }
  }

  async #askFor(name: string, question: Question, since: number | undefined): Promise<FetchReply> {
    const { redis, leases } = this.options
    const keys = keysOf(name)
    const reply = (await redis.transfers.runForBytes(
      ask,
      [keys.lease, keys.of('answer'), keys.fence],
      [
        leases.tokenPrefix,
        leases.ttlMs,
        since ?? '',
        Math.round(question.maxAgeMs),
        question.depth,
        failureMs,
      ],
    )) as [Buffer, number, number, Buffer, Buffer]
    const [kind, first, second, failed, bytes] = reply
    if (kind.toString() === 'answer')
      return { kind: 'answer', answer: { bytes, ageMs: second, isFailure: failed.toString() === '1' } }
    if (kind.toString() === 'wait') return { kind: 'wait', since: first }
    return { kind: 'lead', lease: leases.keep(name, first, () => {}), requestedAt: second }
  }

  async #lead(
    lease: Lease,
    requestedAt: number,
    question: Question,
    work: () => Promise<FetchOutcome>,
  ): Promise<void> {
    let outcome: FetchOutcome
    try {
      outcome = await work()
    } catch (error) {
      void this.options.leases.release(lease).catch(() => {})
      throw error
    }
    // The caller on this node does not wait until the other nodes can read the answer.
    void this.#store(lease, requestedAt, question, outcome)
  }

  async #store(
    lease: Lease,
    requestedAt: number,
    { depth, keepMs }: Question,
    { isFailure, bytes }: FetchOutcome,
  ): Promise<void> {
    const { redis, leases } = this.options
    const keys = keysOf(lease.name)
    try {
      const args = [lease.token, requestedAt, depth, isFailure ? 1 : 0, bytes, Math.round(keepMs)]
      await redis.transfers.runForBytes(
        leaveAnswer,
        [keys.lease, keys.of('answer')],
        [...args, redis.channels.nameOf(finished), lease.name],
      )
      await leases.release(lease, false)
    } catch {
      // The other nodes find the lease free and fetch.
      await leases.release(lease).catch(() => {})
    }
  }
}
