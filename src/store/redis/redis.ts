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
import { isCurrent, otherFormat, readId, readStamp, stampOf, writeId } from '../installation.js'
import { describeAddress, type RedisAddress } from './address.js'
import { Channels } from './channels.js'
import { commandTimeoutMs, createRedisClient, type RedisClient } from './redis-client.js'
import { createScript, evaluate, RedisCommands, timeOfRedis, within } from './redis-commands.js'

/** A node without a heartbeat for so many milliseconds is dead, and stays known as such for an hour. */
export const nodeTtlMs = 5000
export const deadNodeMs = 3_600_000

/**
 * Registers that a node lives. Answers whether it was known and not taken for dead, the dead nodes, and how many live. A node
 * that is dead for the others must not come back under its name, because they drop what it counts. A heartbeat that is
 * still to come was given before Redis's clock was set back, and counts as one of now.
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

/** The name of this node among all that share Redis, and what is known of the others. */
export class Registration {
  #nodeId = newNodeId()
  #isKnown = false
  #deadNodes: readonly string[] = []
  #living = 0

  /** Under which this node counts. It changes when others have taken the node for dead. */
  get nodeId(): string {
    return this.#nodeId
  }

  /** Nodes whose counts are void. */
  get deadNodes(): readonly string[] {
    return this.#deadNodes
  }

  /** The nodes that lived at the last heartbeat, this one included. One that has ended counts as long as `nodeTtlMs`. */
  get living(): number {
    return this.#living
  }

  /** Registers once more. Answers whether this node is new, for itself or for the others. */
  async renew(client: RedisClient): Promise<boolean> {
    const args = [this.#nodeId, nodeTtlMs, deadNodeMs]
    const reply = await evaluate(client, heartbeat, [nodesKey], args)
    const [isAlive, dead, living] = reply as [number, string[], number]
    if (this.#isKnown && isAlive === 0) {
      // The others drop what this node has counted under its name, or Redis has lost it.
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

// In the slot of the accounts, so that a cluster that has lost these has lost the id as well.
/** Fields: `id` with the format of the data, and `confirmed` where an operator has said that Redis is meant to be as it is. */
const installationKey = '{accounts}:installation'
/** Set by nodes that miss the id, so that nodes that know of none do not take Redis for a new one. */
const lostKey = '{accounts}:lost'

/** ARGV: the id that is given to a Redis without one. */
const confirmScript = createScript(`
redis.call('HSETNX', KEYS[1], 'id', ARGV[1])
redis.call('HSET', KEYS[1], 'confirmed', '1')
redis.call('DEL', KEYS[2])
return 0
`)

/** The same where Redis is new: no node misses an id there. */
const openScript = createScript(`
if redis.call('EXISTS', KEYS[1]) == 0 and redis.call('EXISTS', KEYS[2]) == 0 then
  redis.call('HSET', KEYS[1], 'id', ARGV[1])
end
return 0
`)

export interface InstallationOptions {
  /** The file in which this node finds which installation Redis is of. */
  readonly memory?: string
  /** Whether it writes that file as well. */
  readonly exclusive?: boolean
  /** Takes Redis as it is, also where it has lost its data. */
  readonly confirm?: boolean
}

/**
 * The id of the installation whose accounts Redis has. Without it, a Redis that has lost its data would look like a
 * new one, and all keys like unknown ones.
 */
export class RedisInstallation {
  readonly #options: InstallationOptions
  #known: string | undefined
  #isOpen = false

  constructor(options: InstallationOptions) {
    this.#options = options
    this.#known = options.memory === undefined ? undefined : recall(options.memory)
  }

  /** Rejects with StoreLost where Redis has no id, another one than before, or data in another format. */
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
    if (this.#options.confirm) await evaluate(client, confirmScript, keys, [stampOf(randomUUID())])
    else if (this.#known === undefined) await evaluate(client, openScript, keys, [stampOf(randomUUID())])
  }

  #remember(id: string): void {
    this.#known = id
    const { memory, exclusive } = this.#options
    if (memory === undefined || !exclusive) return
    try {
      mkdirSync(dirname(memory), { recursive: true, mode: 0o700 })
      writeId(memory, id)
    } catch {
      // A node whose disk cannot be written knows it as long as it runs.
    }
  }
}

function recall(file: string): string | undefined {
  try {
    return readId(file)
  } catch {
    // So does one whose disk cannot be read.
    return undefined
  }
}

/** How long a start waits for Redis. */
const startMs = 5000
/** Pauses between two heartbeats while Redis answers and while it does not. */
const heartbeatMs = 1000
const probeMs = 200
/** So many heartbeats in a row must be answered before Redis counts as back, and at most so many after relapses. */
const minAnswers = 2
const maxAnswers = 64
/** A return that lasts shorter than this is followed by a relapse. */
const relapseMs = 10_000
/** Connections on which nothing was answered for so long are opened anew. */
const stuckMs = 3000
/**
 * After so many milliseconds without an answered heartbeat, others may take this node for dead: less than `nodeTtlMs`, which
 * they wait for.
 */
const forgottenMs = 4000

/** What Redis says when credentials are wrong: waiting does not help then. */
const denied = /NOAUTH|WRONGPASS|NOPERM|invalid password|no password/i

type Listener = () => void

export interface RedisOptions extends StoreEvents, InstallationOptions {}

/**
 * The Redis (or Valkey) that nodes share. It is away from the first command that it does not answer in time, from
 * the loss of a connection or of its data, until some heartbeats in a row are answered. While it is, every command fails
 * at once.
 */
export class Redis implements ClusterState {
  /** Messages of nodes to each other. */
  readonly channels: Channels
  /** For windows and bounds, which requests wait for. */
  readonly commands: RedisCommands
  /** For what nothing can be done without: it is waited for longer, and also tried while Redis is away. */
  readonly persistent: RedisCommands
  /** For candles: their large values do not delay requests, and may take longer. */
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
  /** When the last heartbeat was sent that was answered. */
  #beatAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  /** Why there is no connection; undefined while there is one. */
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

  /** Under which this node counts. It changes when others have taken the node for dead. */
  get nodeId(): string {
    return this.#registration.nodeId
  }

  /** The nodes whose counts are void, because others have not heard of them for too long. */
  get deadNodes(): readonly string[] {
    return this.#registration.deadNodes
  }

  async otherNodes(): Promise<number> {
    // A node that has just ended counts as long as that.
    const end = performance.now() + nodeTtlMs + 2 * heartbeatMs
    while (this.#registration.living > 1 && performance.now() < end) await pause(probeMs)
    return this.#registration.living - 1
  }

  /** Calls `listener` whenever Redis goes away; the function returned ends that. */
  onAway(listener: Listener): Listener {
    this.#awayListeners.add(listener)
    return () => this.#awayListeners.delete(listener)
  }

  /** Calls `listener` whenever Redis is back, or has lost what this node had written; the function returned ends that. */
  onReturn(listener: Listener): Listener {
    this.#returnListeners.add(listener)
    return () => this.#returnListeners.delete(listener)
  }

  /** Calls `listener` after each answered heartbeat: about once a second. */
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
   * Resolves where Redis has the data of this installation, so that what it does not have does not exist. Rejects
   * with StoreAway.
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

  /** A command has failed, or a connection was lost. */
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

  /** Whether a heartbeat was answered in time; one to a Redis that is away goes over both connections. */
  async #beat(): Promise<boolean> {
    const sentAt = performance.now()
    try {
      const [isNew] = await Promise.all([
        within(this.#registration.renew(this.#client), this.#timeoutMs),
        this.#isUp || within(this.#transferClient.ping(), this.#longTimeoutMs),
        within(this.#installation.check(this.#client), this.#longTimeoutMs),
      ])
      this.#isLost = false
      // Others may have taken this node for dead, also where Redis does not say so any more.
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
    // A peer that vanished without closing its connections is noticed by the system after many minutes only.
    for (const client of [this.#client, this.#transferClient])
      if (client.status === 'ready') client.disconnect(true)
  }
}
