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

/** The channel on which every node says which fetches it has finished. */
const finished = 'fetched'

/** Milliseconds for which a failure answers those who ask later, so that nodes do not ask a dead exchange in turn. */
const failureMs = 2000

/**
 * KEYS: lease, answer, fence. ARGV: prefix of the token, milliseconds of the lease, when the answer may have been
 * requested at the earliest (by Redis's clock; empty at first), its greatest age, its least depth, failureMs.
 * The reply names that time, so that waiting does not change it. An answer that was requested later than now dates from
 * before Redis's clock was set back: its age is not known.
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
  /** The longest that a node waits for another one before it fetches by itself. */
  readonly maxWaitMs: number
}

type FetchReply =
  | { readonly kind: 'answer'; readonly answer: ClusterAnswer }
  | { readonly kind: 'lead'; readonly lease: Lease; readonly requestedAt: number }
  | { readonly kind: 'wait'; readonly since: number }

/** Fetches that one node at a time does: it has a lease, and leaves the outcome where the others find it. */
export class RedisFetches implements ClusterFetches {
  readonly #options: Options
  /** Emits the name of each fetch that another node has finished. */
  readonly #finished = new EventEmitter().setMaxListeners(0)

  constructor(options: Options) {
    this.#options = options
    void options.redis.channels.listen(finished, message => {
      this.#finished.emit(`fetch ${message}`)
    })
  }

  async fetch(
    what: string,
    question: Question,
    work: () => Promise<FetchOutcome>,
  ): Promise<ClusterAnswer | undefined> {
    // A stream of the same name has a lease of its own.
    const name = `fetch:${what}`
    const end = performance.now() + this.#options.maxWaitMs
    let since: number | undefined
    for (;;) {
      const waiting = new AbortController()
      const { signal } = waiting
      // An answer that is given while this asks is not missed.
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
        // A message may be lost, and the node that fetches may die.
        const lookMs = Math.min(leftMs, this.#options.leases.ttlMs / 3)
        await Promise.race([isFinished, pause(lookMs, signal)])
      } finally {
        waiting.abort()
      }
    }
  }

  /** Runs work unless another node has begun with it in the last `everyMs`, or nodes cannot reach each other. */
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
    const { redis, leases } = this.#options
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
      void this.#options.leases.release(lease).catch(() => {})
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
    const { redis, leases } = this.#options
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
      // The others find the lease free, and fetch.
      await leases.release(lease).catch(() => {})
    }
  }
}
