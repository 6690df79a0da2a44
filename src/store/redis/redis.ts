import {
  type ClusterState,
  type StoreEvents,
  StoreFailure,
  StoreLost,
} from '../../contract/storage/stores.js'
import { pause } from '../../runtime/pause.js'
import { describeAddress, type RedisAddress } from './address.js'
import { Channels } from './channels.js'
import { commandTimeoutMs, createRedisClient, type RedisClient } from './redis-client.js'
import { RedisCommands, within } from './redis-commands.js'
import { type InstallationOptions, RedisInstallation } from './redis-installation.js'
import { nodeTtlMs, Registration } from './registration.js'

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
