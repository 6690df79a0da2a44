import {
  type ClusterStreams,
  type FollowedStream,
  type HeldStream,
  NotShared,
  type StreamListener,
} from '../../contract/storage/cluster.js'
import type { Channels } from './channels.js'
import { fenceOf, keysOf, type Lease, type Leases } from './leases.js'
import type { Redis } from './redis.js'
import { createScript, leaseOfRedis } from './redis-commands.js'

/** Position of an event: the fence of the node that sent it, and its number under that fence. */
interface Position {
  readonly fence: number
  readonly number: number
}

/** An event, or the end of the stream if it has no bytes. */
export interface Message extends Position {
  readonly bytes: Buffer | undefined
}

/** Reads the events of a reply to XRANGE or XREVRANGE. Throws if an event has another form. */
export const readEvents = (reply: readonly [id: Buffer, fields: readonly Buffer[]][]): readonly Message[] =>
  reply.map(([id, [field, bytes, ...others]]) => {
    if (field?.toString() !== 'e' || bytes === undefined || others.length > 0)
      throw new Error('a stored event of another form')
    return { ...positionOf(id.toString()), bytes }
  })

function positionOf(id: string): Position {
  const [, fence, number] = /^(\d+)-(\d+)$/.exec(id) ?? []
  if (fence === undefined) throw new Error('an event without its number')
  return { fence: Number(fence), number: Number(number) }
}

function readMessage(message: Buffer): Message {
  const at = message.indexOf(0x20)
  const id = message.toString('latin1', 0, Math.max(0, at))
  if (/^\d+-end$/.test(id)) return { fence: Number.parseInt(id, 10), number: 0, bytes: undefined }
  return { ...positionOf(id), bytes: message.subarray(at + 1) }
}

interface Options {
  readonly name: string
  readonly listener: StreamListener
  readonly channels: Channels
  readonly leases: Leases
  readonly read: (after: Position) => Promise<readonly Message[]>
  readonly onEnd: () => void
}

/**
 * Follows a stream that another node has opened. Delivers every event once, in the order of the numbers. An event is stored
 * before its message is sent. So missed and early events are read from the store. If the store has dropped a missed event, the
 * stream is lost.
 */
export class StreamReader {
  /** Resolves once all further messages are received. */
  readonly listening: Promise<void>
  readonly #lease: ReturnType<Leases['watch']>
  /** Last delivered event; undefined until the fence of the stream is known. */
  #position: Position | undefined
  #isReading = false
  /** Whether stored events must be read. */
  #isBehind = false
  /** End of the stream, if it arrived before all earlier events were delivered. */
  #end: Message | undefined
  #isEnded = false

  constructor(private readonly options: Options) {
    const { name, channels, leases } = options
    this.#lease = leases.watch(name, () => this.lose('the node that had opened the stream is gone'))
    this.listening = channels.listen(`events:${name}`, message => this.#receive(readMessage(message)))
  }

  /** Begins with the last stored event, which is delivered as well. */
  begin(fence: number, last: Message | undefined): void {
    this.#position = { fence, number: last?.fence === fence ? last.number - 1 : 0 }
    this.#lease.expect(fence)
    if (last?.fence === fence) this.#take(last)
    if (this.#isBehind) void this.reread()
  }

  /** Reads events that were missed because the connection or a message was lost. */
  async reread(): Promise<void> {
    this.#isBehind = true
    if (this.#isReading) return
    this.#isReading = true
    try {
      while (this.#isBehind && !this.#isEnded && this.#position) {
        this.#isBehind = false
        for (const event of await this.options.read(this.#position)) this.#take(event)
      }
      if (this.#end && this.#end.fence === this.#position?.fence) this.#take(this.#end)
    } catch {
      this.lose('missed events cannot be read')
    } finally {
      this.#isReading = false
    }
  }

  lose(reason: string): void {
    if (this.#isEnded) return
    this.end()
    this.options.listener.onLost(reason)
  }

  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#lease.end()
    this.options.channels.leave(`events:${this.options.name}`)
    this.options.onEnd()
  }

  #receive(message: Message): void {
    if (this.#isEnded) return
    this.#lease.hear()
    const { fence, number } = this.#position ?? message
    const isMissing = message.fence === fence && message.number > number + 1
    if (this.#position && !this.#isReading && !isMissing) this.#take(message)
    else {
      if (!message.bytes) this.#end = message
      void this.reread()
    }
  }

  /** Delivers an event if it is the next one. Skips events that were already delivered. */
  #take({ fence, number, bytes }: Message): void {
    const position = this.#position
    if (this.#isEnded || !position) return
    // The fence is lower if Redis has lost its data.
    if (fence !== position.fence) this.lose('another node has opened the stream')
    else if (!bytes) this.lose('the node that had opened the stream has ended it')
    else if (number > position.number + 1) this.lose('events were missed that are not stored any more')
    else if (number === position.number + 1) {
      this.#position = { fence, number }
      this.#deliver(bytes)
    }
  }

  /** Delivers the bytes of an event. If they cannot be read, the stream is lost, because its content has a gap. */
  #deliver(bytes: Buffer): void {
    try {
      this.options.listener.onEvent(bytes)
    } catch (error) {
      this.lose('an event cannot be read')
      throw error
    }
  }
}

/** Milliseconds for which the events of a stream are kept after its last event. */
const keepMs = 600_000
/** TTL in milliseconds of the note that an exchange does not have a stream. */
const noStreamMs = 3_600_000
/** Pause before a node retries to join a stream while Redis is up, in multiples of the TTL of a lease. */
const leasesAlone = 10

/**
 * KEYS: lease, no stream, fence, events. ARGV: prefix of the token, milliseconds of the lease. If the lease is held, the reply
 * has its token and the last event.
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

/** KEYS: lease, no stream. ARGV: token, channel, fence, outcome, noStreamMs. A failed stream keeps its lease until it expires. */
const endStream = createScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[4] == 'no stream' then redis.call('SET', KEYS[2], 1, 'PX', ARGV[5]) end
if ARGV[4] ~= 'failed' then redis.call('DEL', KEYS[1]) end
redis.call('PUBLISH', ARGV[2], ARGV[3] .. '-end ')
return 1`)

/** Number of stored events per stream, for nodes that have missed events. */
const storedEvents = 200

/**
 * Streams, each opened by one node at a time. That node has a lease and numbers the events under its fence. A single script
 * stores and publishes an event. The script refuses the event if the node has lost the lease.
 */
export class RedisStreams implements ClusterStreams {
  readonly #followers = new Set<StreamReader>()
  readonly #held = new Set<HeldStream>()
  /** Ends of streams that are being sent to Redis. */
  readonly #ending = new Set<Promise<unknown>>()
  #losing: NodeJS.Timeout | undefined

  constructor(
    private readonly redis: Redis,
    private readonly leases: Leases,
  ) {
    redis.channels.onReconnected(() => this.#reread())
    redis.onAway(() => this.#loseLater())
    redis.onReturn(() => {
      clearTimeout(this.#losing)
      this.#reread()
    })
  }

  onBack(listener: () => void): () => void {
    const [redis, leases] = [this.redis, this.leases]
    const ends = [redis.onReturn(listener), redis.channels.onReconnected(listener)]
    // Redis reports no return if it only refused a command, or if it was back before the listeners were added.
    const retry = setInterval(() => redis.isUp && listener(), leasesAlone * leases.ttlMs).unref()
    return () => {
      clearInterval(retry)
      for (const end of ends) end()
    }
  }

  async join(name: string, listener: StreamListener): Promise<HeldStream | FollowedStream | 'no stream'> {
    const [redis, leases] = [this.redis, this.leases]
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

  /** Releases all streams of this node. Resolves when the other nodes are informed or cannot be reached. */
  async endAll(): Promise<void> {
    for (const held of this.#held) held.end('released')
    await Promise.all(this.#ending)
  }

  close(): void {
    clearTimeout(this.#losing)
  }

  #follow(name: string, listener: StreamListener): StreamReader {
    const [redis, leases] = [this.redis, this.leases]
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
    const [redis, leases] = [this.redis, this.leases]
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
        // A number is used once, even if the result of its write is unknown: readers notice a gap, but not a repetition.
        const args = [lease.token, leases.ttlMs, fence, ++number, bytes, storedEvents, keepMs, channel]
        try {
          const isHeld = await redis.transfers.runForBytes(appendEvent, [keys.lease, keys.of('events')], args)
          if (isHeld !== 1) leases.lose(lease)
        } catch {
          // Redis is away. The other nodes notice that as well, or notice a missing number.
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

  /** Reads stored events for all followed streams, because messages may have been missed. */
  #reread(): void {
    for (const follower of this.#followers) void follower.reread()
  }

  /** Loses all followed streams if Redis is away for longer than the TTL of a lease. Each node then opens its own streams. */
  #loseLater(): void {
    clearTimeout(this.#losing)
    this.#losing = setTimeout(() => {
      for (const follower of [...this.#followers]) follower.lose('the shared store is away')
    }, this.leases.ttlMs).unref()
  }
}
