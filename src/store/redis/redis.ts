import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  type ClusterState,
  restoreStore,
  type StoreEvents,
  StoreFailure,
  StoreLost,
} from '../../contract/storage/stores.js'
import { pause } from '../../runtime/pause.js'
import { describeAddress, type RedisAddress } from '../address.js'
import { isCurrent, otherFormat, readId, readStamp, stampOf, writeId } from '../installation.js'
import { Channels } from './channels.js'
import { commandTimeoutMs, createRedisClient, type RedisClient } from './redis-client.js'
import { createScript, evaluate, RedisCommands, timeOfRedis, within } from './redis-commands.js'

/** Milliseconds without a heartbeat after which a node counts as dead. It is remembered as dead for `deadNodeMs` (an hour). */
export const nodeTtlMs = 5000
export const deadNodeMs = 3_600_000

/**
 * Registers a heartbeat of a node. Replies whether the node was known as alive, the dead nodes, and the number of living nodes. A
 * node that others treat as dead must not return under its name, because they drop its counts. If the time of a heartbeat is in the
 * future, Redis's clock was set back. Such a heartbeat gets the present time.
 */
const heartbeat = createScript(`${timeOfRedis}
for _, node in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. now, '+inf')) do
  redis.call('ZADD', KEYS[1], now, node)
end
local last = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or nil)
local ttl = tonumber(ARGV[2])
local isAlive = last and last >= now - ttl
if not last or isAlive then redis.call('ZADD', KEYS[1], now, ARGV[1]) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[3])
return { isAlive and 1 or 0, redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', '(' .. (now - ttl)), redis.call('ZCOUNT', KEYS[1], now - ttl, '+inf') }
`)

const nodesKey = 'nodes'

/** Registration of this node among all nodes that share Redis, with the known state of the other nodes. */
export class Registration {
  #nodeId = newNodeId()
  #isKnown = false
  #deadNodes: readonly string[] = []
  #living = 0

  /** Name under which this node counts. It changes after other nodes have treated this node as dead. */
  get nodeId(): string {
    return this.#nodeId
  }

  /** Nodes whose counts are void. */
  get deadNodes(): readonly string[] {
    return this.#deadNodes
  }

  /** Number of living nodes at the last heartbeat, including this node. A stopped node counts for another `nodeTtlMs`. */
  get living(): number {
    return this.#living
  }

  /** Sends a heartbeat. Returns whether this node is new, either after its start or because it got a new name. */
  async renew(client: RedisClient): Promise<boolean> {
    const args = [this.#nodeId, nodeTtlMs, deadNodeMs]
    const reply = await evaluate(client, heartbeat, [nodesKey], args)
    const [isAlive, dead, living] = reply as [number, string[], number]
    if (this.#isKnown && isAlive === 0) {
      // The other nodes drop the counts under the old name, or Redis has lost them.
      this.#nodeId = newNodeId()
      this.#isKnown = false
      return this.renew(client)
    }
    const isNew = !this.#isKnown
    this.#isKnown = true
    this.#deadNodes = dead
    this.#living = living
    return isNew
  }
}

const newNodeId = () => randomBytes(9).toString('base64url')

// In the slot of the accounts, so that a cluster that has lost the accounts has lost the id as well.
/** Fields: `id` with the format of the data, and `confirmed` if an operator has accepted the present data of Redis. */
const installationKey = '{accounts}:installation'
/** Set by nodes that miss the id, so that nodes without a known id do not treat Redis as new. */
const lostKey = '{accounts}:lost'

/** ARGV: the id for a Redis without an id. */
const confirmScript = createScript(`
redis.call('HSETNX', KEYS[1], 'id', ARGV[1])
redis.call('HSET', KEYS[1], 'confirmed', '1')
redis.call('DEL', KEYS[2])
return 0
`)

/** Writes the id only to a new Redis, in which no node misses an id. ARGV: the id. */
const openScript = createScript(`
if redis.call('EXISTS', KEYS[1]) == 0 and redis.call('EXISTS', KEYS[2]) == 0 then
  redis.call('HSET', KEYS[1], 'id', ARGV[1])
end
return 0
`)

export interface InstallationOptions {
  /** File with the installation id that this node expects in Redis. */
  readonly memory?: string
  /** Whether this node also writes that file. */
  readonly exclusive?: boolean
  /** Accepts the present data of Redis, even if it has lost its data. */
  readonly confirm?: boolean
}

/**
 * Id of the installation whose accounts Redis has. Without the id, a Redis that has lost its data would look new, and all keys
 * would be unknown.
 */
export class RedisInstallation {
  #known: string | undefined
  #isOpen = false

  constructor(private readonly options: InstallationOptions) {
    this.#known = options.memory === undefined ? undefined : recall(options.memory)
  }

  /** Rejects with StoreLost if Redis has no id, an unexpected id, or data in another format. */
  async check(client: RedisClient): Promise<void> {
    if (!this.#isOpen) await this.#open(client)
    const [stamp, confirmed] = await client.hmget(installationKey, 'id', 'confirmed')
    const { id, format } = readStamp(stamp ?? undefined)
    if (!id) {
      await client.set(lostKey, '1')
      throw new StoreLost(`it has lost its data; ${restoreStore}`)
    }
    if (!isCurrent(format)) throw new StoreLost(otherFormat(format, 'an empty Redis'))
    if (this.#known !== undefined && id !== this.#known && !confirmed)
      throw new StoreLost(`its data are those of another installation; ${restoreStore}`)
    if (id !== this.#known) this.#remember(id)
    this.#isOpen = true
  }

  async #open(client: RedisClient): Promise<void> {
    const keys = [installationKey, lostKey]
    if (this.options.confirm) await evaluate(client, confirmScript, keys, [stampOf(randomUUID())])
    else if (this.#known === undefined) await evaluate(client, openScript, keys, [stampOf(randomUUID())])
  }

  #remember(id: string): void {
    this.#known = id
    const { memory, exclusive } = this.options
    if (memory === undefined || !exclusive) return
    try {
      mkdirSync(dirname(memory), { recursive: true, mode: 0o700 })
      writeId(memory, id)
    } catch {
      // A node that cannot write to its disk knows the id only until it stops.
    }
  }
}

function recall(file: string): string | undefined {
  try {
    return readId(file)
  } catch {
    // A node that cannot read its disk does not know the id at its start.
    return undefined
  }
}

/** Maximum milliseconds that a start waits for Redis. */
const startMs = 5000
/** Pauses between two heartbeats in milliseconds, while Redis answers and while it does not. */
const heartbeatMs = 1000
const probeMs = 200
/** Number of consecutive answered heartbeats before Redis counts as back, and its maximum after relapses. */
const minAnswers = 2
const maxAnswers = 64
/** Milliseconds after a return during which a new failure counts as a relapse. */
const relapseMs = 10_000
/** Milliseconds without an answer after which connections are reopened. */
const stuckMs = 3000
/**
 * Milliseconds without an answered heartbeat after which other nodes may treat this node as dead. It is less than `nodeTtlMs`, for
 * which they wait.
 */
const forgottenMs = 4000

/** Error texts of Redis for wrong credentials. Such errors are final, because waiting does not help. */
const denied = /NOAUTH|WRONGPASS|NOPERM|invalid password|no password/i

type Listener = () => void

export interface RedisOptions extends StoreEvents, InstallationOptions {}

/**
 * The Redis (or Valkey) that nodes share. Redis counts as away after a command times out, a connection is lost, or its data are
 * lost. It counts as back after several consecutive answered heartbeats. While Redis is away, every command that is not persistent
 * fails immediately.
 */
export class Redis implements ClusterState {
  /** Messages between nodes. */
  readonly channels: Channels
  /** Commands for windows and bounds, with a short timeout, because requests wait for them. */
  readonly commands: RedisCommands
  /** Commands whose result is indispensable: they have a longer timeout and are also tried while Redis is away. */
  readonly persistent: RedisCommands
  /** Commands for candles, on a separate connection with a longer timeout, so that large values do not delay requests. */
  readonly transfers: RedisCommands
  readonly #client: RedisClient
  readonly #transferClient: RedisClient
  readonly #registration = new Registration()
  readonly #installation: RedisInstallation
  readonly #name: string
  readonly #timeoutMs: number
  readonly #longTimeoutMs: number
  readonly #events: StoreEvents
  readonly #awayListeners = new Set<Listener>()
  readonly #returnListeners = new Set<Listener>()
  readonly #beatListeners: Listener[] = []
  #isUp = false
  #isLost = false
  #isClosed = false
  #awaySince = 0
  #returnedAt = Number.NEGATIVE_INFINITY
  #stuckSince = 0
  #answers = 0
  #answersNeeded = minAnswers
  /** Send time of the last answered heartbeat. */
  #beatAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  /** Error of the connection; undefined while it is established. */
  #connectionError: Error | undefined
  #lastError: Error | undefined

  constructor(address: RedisAddress, options: RedisOptions = {}) {
    this.#installation = new RedisInstallation(options)
    this.channels = new Channels(address, options.onDropped)
    this.#name = describeAddress(address)
    this.#timeoutMs = address.timeoutMs
    this.#longTimeoutMs = commandTimeoutMs(address)
    this.#events = options
    this.#client = this.#createClient(address)
    this.#transferClient = this.#createClient(address)
    const { onCommand } = options
    const short = { timeoutMs: this.#timeoutMs, isAwayWhenRefused: true, isPersistent: false }
    const long = { ...short, timeoutMs: this.#longTimeoutMs }
    const create = (client: RedisClient, limits: typeof short) =>
      new RedisCommands(client, this, { ...limits, ...(onCommand && { onCommand }) })
    this.commands = create(this.#client, short)
    this.persistent = create(this.#client, { ...long, isPersistent: true })
    this.transfers = create(this.#transferClient, { ...long, isAwayWhenRefused: false })
  }

  #createClient(address: RedisAddress): RedisClient {
    const client = createRedisClient(address, {
      onError: error => {
        this.#connectionError = error
      },
    })
    client.on('ready', () => {
      this.#connectionError = undefined
    })
    client.on('close', () => this.fail(this.#connectionError ?? new Error('the connection was closed')))
    return client
  }

  get isUp(): boolean {
    return this.#isUp
  }

  get isLost(): boolean {
    return this.#isLost
  }

  /** Name under which this node counts. It changes after other nodes have treated this node as dead. */
  get nodeId(): string {
    return this.#registration.nodeId
  }

  /** Nodes whose counts are void, because they have sent no heartbeat for too long. */
  get deadNodes(): readonly string[] {
    return this.#registration.deadNodes
  }

  async otherNodes(): Promise<number> {
    // A node that has just stopped counts for another `nodeTtlMs`.
    for (let waitedMs = 0; this.#registration.living > 1 && waitedMs <= nodeTtlMs; waitedMs += heartbeatMs) {
      await pause(heartbeatMs)
      await this.persistent.call(client => this.#registration.renew(client))
    }
    return this.#registration.living - 1
  }

  /** Calls `listener` whenever Redis goes away. The returned function removes the listener. */
  onAway(listener: Listener): Listener {
    this.#awayListeners.add(listener)
    return () => this.#awayListeners.delete(listener)
  }

  /** Calls `listener` whenever Redis is back, or may have lost writes of this node. The returned function removes the listener. */
  onReturn(listener: Listener): Listener {
    this.#returnListeners.add(listener)
    return () => this.#returnListeners.delete(listener)
  }

  /** Calls `listener` after each answered heartbeat, about once a second. */
  onBeat(listener: Listener): void {
    this.#beatListeners.push(listener)
  }

  /** Resolves when Redis answers. Rejects with StoreFailure. */
  async open(): Promise<void> {
    if (this.#isUp) return
    for (const client of [this.#client, this.#transferClient])
      client.connect().catch(error => {
        this.#connectionError ??= error
      })
    const until = performance.now() + startMs
    while (!(await this.#beat())) {
      const reason = this.#connectionError ?? this.#lastError
      const isFinal = reason && (denied.test(reason.message) || reason instanceof StoreLost)
      if (performance.now() > until || this.#isClosed || isFinal)
        throw new StoreFailure(
          `Cannot use the shared store at ${this.#name}: ${reason?.message || 'it does not answer'}`,
          { cause: reason },
        )
      await pause(probeMs / 4)
    }
    await this.channels.connect()
    this.#isUp = true
    this.#schedule()
  }

  /**
   * Resolves if Redis has the data of this installation. A key that Redis lacks then does not exist. Rejects with StoreAway.
   */
  async verify(): Promise<void> {
    await this.persistent.call(client => this.#installation.check(client))
  }

  close(): void {
    this.#isClosed = true
    this.#isUp = false
    clearTimeout(this.#timer)
    this.#client.disconnect()
    this.#transferClient.disconnect()
    this.channels.close()
  }

  /** Reports a failed command or a lost connection. */
  fail(reason: Error): void {
    if (this.#isClosed) return
    if (reason instanceof StoreLost && !this.#isLost) {
      this.#isLost = true
      this.#events.onLost?.(reason)
    }
    if (!this.#isUp) return
    const now = performance.now()
    this.#isUp = false
    this.#answers = 0
    this.#awaySince = this.#stuckSince = now
    const isRelapse = now - this.#returnedAt < relapseMs
    this.#answersNeeded = isRelapse ? Math.min(maxAnswers, 2 * this.#answersNeeded) : minAnswers
    if (!this.#isLost) this.#events.onAway?.(this.#connectionError ?? reason)
    this.#schedule()
    for (const listener of [...this.#awayListeners]) listener()
  }

  #schedule(): void {
    clearTimeout(this.#timer)
    if (this.#isClosed) return
    this.#timer = setTimeout(() => void this.#check(), this.#isUp ? heartbeatMs : probeMs)
    this.#timer.unref()
  }

  async #check(): Promise<void> {
    const isAnswered = await this.#beat()
    if (this.#isClosed) return
    if (!isAnswered) {
      this.#answers = 0
      this.fail(this.#lastError as Error)
      this.#reconnectWhenStuck()
    } else if (!this.#isUp && ++this.#answers >= this.#answersNeeded) this.#comeBack()
    this.#schedule()
  }

  #comeBack(): void {
    const now = performance.now()
    this.#isUp = true
    this.#returnedAt = now
    this.#events.onReturn?.((now - this.#awaySince) / 1000)
    for (const listener of [...this.#returnListeners]) listener()
  }

  /** Sends a heartbeat, and returns whether it was answered in time. While Redis is away, both connections are tested. */
  async #beat(): Promise<boolean> {
    const sentAt = performance.now()
    try {
      const [isNew] = await Promise.all([
        within(this.#registration.renew(this.#client), this.#timeoutMs),
        this.#isUp || within(this.#transferClient.ping(), this.#longTimeoutMs),
        within(this.#installation.check(this.#client), this.#longTimeoutMs),
      ])
      this.#isLost = false
      // Other nodes may have treated this node as dead, even if Redis does not report that.
      const isForgotten = isNew || sentAt > this.#beatAt + forgottenMs
      this.#beatAt = sentAt
      if (isForgotten && this.#isUp) for (const listener of [...this.#returnListeners]) listener()
      for (const listener of this.#beatListeners) listener()
      return true
    } catch (error) {
      this.#lastError = error as Error
      return false
    }
  }

  #reconnectWhenStuck(): void {
    const now = performance.now()
    if (now - this.#stuckSince < stuckMs) return
    this.#stuckSince = now
    // If the server vanished without closing its connections, the system notices that only after many minutes.
    for (const client of [this.#client, this.#transferClient])
      if (client.status === 'ready') client.disconnect(true)
  }
}
