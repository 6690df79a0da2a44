import {
  type ClusterStreams,
  type FollowedStream,
  type HeldStream,
  NotShared,
  type StreamListener,
} from '../../contract/storage/cluster.js'
import { fenceOf, keysOf, type Lease, type Leases } from './leases.js'
import type { Redis } from './redis.js'
import { createScript, leaseOfRedis } from './script.js'
import { readEvents, StreamReader } from './stream-reader.js'

/** Milliseconds for which the events of a stream stay after the last one. */
const keepMs = 600_000
/** Milliseconds for which it is remembered that an exchange has no such stream. */
const noStreamMs = 3_600_000
/** A node that could not join although Redis is up tries again after so many times the duration of a lease. */
const leasesAlone = 10

/**
 * KEYS: lease, no stream, fence, events. ARGV: prefix of the token, milliseconds of the lease. A lease that is held is
 * answered with its token and the last event.
 */
const joinStream = createScript(`${leaseOfRedis}
if isHeld(KEYS[2], ${noStreamMs}) then return {'none'} end
if isHeld(KEYS[1], ARGV[2]) then
  return {'held', redis.call('GET', KEYS[1]), redis.call('XREVRANGE', KEYS[4], '+', '-', 'COUNT', 1)}
end
local fence = redis.call('INCR', KEYS[3])
redis.call('SET', KEYS[1], ARGV[1] .. fence, 'PX', ARGV[2])
redis.call('DEL', KEYS[4])
return {'taken', fence}`)

/**
 * KEYS: lease, events. ARGV: token, milliseconds of the lease, fence, number of the event, its bytes, events to keep,
 * keepMs, channel. Every event renews the lease as well.
 */
const appendEvent = createScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[6], ARGV[3] .. '-' .. ARGV[4], 'e', ARGV[5])
redis.call('PEXPIRE', KEYS[2], ARGV[7])
redis.call('PUBLISH', ARGV[8], ARGV[3] .. '-' .. ARGV[4] .. ' ' .. ARGV[5])
return 1`)

/** KEYS: lease, no stream. ARGV: token, channel, fence, outcome, noStreamMs. A failed one keeps its lease to its end. */
const endStream = createScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[4] == 'no stream' then redis.call('SET', KEYS[2], 1, 'PX', ARGV[5]) end
if ARGV[4] ~= 'failed' then redis.call('DEL', KEYS[1]) end
redis.call('PUBLISH', ARGV[2], ARGV[3] .. '-end ')
return 1`)

interface Options {
  readonly redis: Redis
  readonly leases: Leases
  /** Events of a stream that are kept for nodes that have missed some. */
  readonly storedEvents: number
}

/**
 * Streams that one node at a time opens: it has a lease, gives every event the next number under the number of its
 * fence, and stores and publishes both in one script that refuses it once it has lost the lease.
 */
export class RedisStreams implements ClusterStreams {
  readonly #options: Options
  readonly #followers = new Set<StreamReader>()
  readonly #held = new Set<HeldStream>()
  /** Ends that are on their way to Redis. */
  readonly #ending = new Set<Promise<unknown>>()
  #losing: NodeJS.Timeout | undefined

  constructor(options: Options) {
    const { redis } = options
    this.#options = options
    redis.channels.onReconnected(() => this.#reread())
    redis.onAway(() => this.#loseLater())
    redis.onReturn(() => {
      clearTimeout(this.#losing)
      this.#reread()
    })
  }

  onBack(listener: () => void): () => void {
    const { redis, leases } = this.#options
    const ends = [redis.onReturn(listener), redis.channels.onReconnected(listener)]
    // No return is reported where Redis has refused a command, or has come back in the meantime.
    const retry = setInterval(() => redis.isUp && listener(), leasesAlone * leases.ttlMs).unref()
    return () => {
      clearInterval(retry)
      for (const end of ends) end()
    }
  }

  async join(name: string, listener: StreamListener): Promise<HeldStream | FollowedStream | 'no stream'> {
    const { redis, leases } = this.#options
    if (!redis.isUp) throw new NotShared()
    const keys = keysOf(name)
    const follower = this.#follow(name, listener)
    try {
      await follower.listening
      const [kind, what, last] = (await redis.transfers.runForBytes(
        joinStream,
        [keys.lease, keys.of('none'), keys.fence, keys.of('events')],
        [leases.tokenPrefix, leases.ttlMs],
      )) as [Buffer, Buffer | number, [Buffer, Buffer[]][]]
      if (kind.toString() === 'held') {
        follower.begin(fenceOf((what as Buffer).toString()), readEvents(last).at(-1))
        return { kind: 'followed', end: () => follower.end() }
      }
      follower.end()
      if (kind.toString() === 'none') return 'no stream'
      return this.#hold(name, what as number, listener)
    } catch (error) {
      follower.end()
      throw error instanceof NotShared ? error : new NotShared((error as Error).message, { cause: error })
    }
  }

  /** Gives up all streams of this node. Resolves when the other nodes know it, or cannot be reached. */
  async endAll(): Promise<void> {
    for (const held of this.#held) held.end('released')
    await Promise.all(this.#ending)
  }

  close(): void {
    clearTimeout(this.#losing)
  }

  #follow(name: string, listener: StreamListener): StreamReader {
    const { redis, leases } = this.#options
    const follower = new StreamReader({
      name,
      listener,
      channels: redis.channels,
      leases,
      read: async after => {
        const last = `${after.fence}-${after.number}`
        const reply = await redis.transfers.call(client =>
          client.xrangeBuffer(keysOf(name).of('events'), `(${last}`, '+'),
        )
        return readEvents(reply as unknown as [Buffer, Buffer[]][])
      },
      onEnd: () => this.#followers.delete(follower),
    })
    this.#followers.add(follower)
    return follower
  }

  #hold(name: string, fence: number, { onLost }: StreamListener): HeldStream {
    const { redis, leases, storedEvents } = this.#options
    const keys = keysOf(name)
    const channel = redis.channels.nameOf(`events:${name}`)
    const lease: Lease = leases.keep(name, fence, () => {
      isEnded = true
      this.#held.delete(held)
      onLost('another node may have taken the stream over')
    })
    let number = 0
    let isEnded = false
    const held: HeldStream = {
      kind: 'held',
      append: async bytes => {
        if (isEnded) return
        // A number is used once, also where it is not known what became of it: a hole is noticed, a repetition is not.
        const args = [lease.token, leases.ttlMs, fence, ++number, bytes, storedEvents, keepMs, channel]
        try {
          const isHeld = await redis.transfers.runForBytes(appendEvent, [keys.lease, keys.of('events')], args)
          if (isHeld !== 1) leases.lose(lease)
        } catch {
          // Redis is away: the others notice it as well, or see that a number is missing.
        }
      },
      end: outcome => {
        if (isEnded) return
        isEnded = true
        this.#held.delete(held)
        void leases.release(lease, false)
        const args = [lease.token, channel, fence, outcome, noStreamMs]
        const ending = redis.transfers
          .run(endStream, [keys.lease, keys.of('none')], args)
          .catch(() => {})
          .finally(() => this.#ending.delete(ending))
        this.#ending.add(ending)
      },
    }
    this.#held.add(held)
    return held
  }

  /** Messages may have been missed. */
  #reread(): void {
    for (const follower of this.#followers) void follower.reread()
  }

  /** A Redis that is away for longer than a lease lasts: its streams are lost, and each node opens its own. */
  #loseLater(): void {
    clearTimeout(this.#losing)
    this.#losing = setTimeout(() => {
      for (const follower of [...this.#followers]) follower.lose('the shared store is away')
    }, this.#options.leases.ttlMs).unref()
  }
}
