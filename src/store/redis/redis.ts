import { setTimeout as sleep } from 'node:timers/promises'
import { type SharedState, StoreAway, type StoreEvents, StoreFailure, StoreLost } from '../store.js'
import { describeAddress, type RedisAddress } from './address.js'
import { Channels } from './channels.js'
import { commandTimeoutMs } from './redis-client.js'
import { RedisConnection, within } from './redis-connection.js'
import { type InstallationOptions, RedisInstallation } from './redis-installation.js'
import { countOthers, Registration } from './registration.js'
import type { Script } from './script.js'

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
export class Redis implements SharedState {
  /** Whether keys of different slots cannot be used in one script. */
  readonly isCluster: boolean
  /** What the names of all keys and channels begin with. */
  readonly prefix: string
  /** Messages of nodes to each other. */
  readonly channels: Channels
  /** For accounts, windows and bounds, which requests wait for. */
  readonly #commands: RedisConnection
  /** For candles: their large values do not delay requests, and may take longer. */
  readonly transfers: RedisConnection
  readonly #registration = new Registration()
  readonly #installation: RedisInstallation
  readonly #name: string
  readonly #timeoutMs: number
  readonly #insistMs: number
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
  #lastError: Error | undefined

  constructor(address: RedisAddress, options: RedisOptions = {}) {
    this.#installation = new RedisInstallation(options)
    this.isCluster = address.kind === 'cluster'
    this.prefix = address.prefix
    this.channels = new Channels(address, options.onDropped)
    this.#name = describeAddress(address)
    this.#timeoutMs = address.timeoutMs
    this.#insistMs = commandTimeoutMs(address)
    this.#events = options
    const { onCommand } = options
    const state = this.#stateForConnections()
    const common = { ...(onCommand && { onCommand }) }
    this.#commands = new RedisConnection(address, state, {
      ...common,
      timeoutMs: this.#timeoutMs,
      isAwayWhenRefused: true,
    })
    this.transfers = new RedisConnection(address, state, {
      ...common,
      timeoutMs: this.#insistMs,
      isAwayWhenRefused: false,
    })
  }

  #stateForConnections() {
    const isUp = () => this.#isUp
    return {
      get isUp() {
        return isUp()
      },
      fail: (reason: Error) => this.#goAway(reason),
    }
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

  otherNodes(): Promise<number> {
    return countOthers(this.nodeId, (name, ...args) => this.command(name as string, ...args))
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
    this.#commands.connect()
    this.transfers.connect()
    const until = performance.now() + startMs
    while (!(await this.#beat())) {
      const reason = this.#commands.error ?? this.transfers.error ?? this.#lastError
      const isFinal = reason && (denied.test(reason.message) || reason instanceof StoreLost)
      if (performance.now() > until || this.#isClosed || isFinal)
        throw new StoreFailure(
          `Cannot use the shared store at ${this.#name}: ${reason?.message || 'it does not answer'}`,
          { cause: reason },
        )
      await sleep(probeMs / 4)
    }
    await this.channels.connect()
    this.#isUp = true
    this.#schedule()
  }

  /** Runs a script. Rejects with StoreAway at once while Redis is away, and after its timeout when it is slow. */
  run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    return this.#commands.run(script, keys, args)
  }

  /** Runs one command, in the same way. */
  command(name: string, ...args: readonly (string | number)[]): Promise<unknown> {
    return this.#commands.call(client => client.call(name, ...args.map(String)))
  }

  /** Runs one command that nothing can be done without: it is waited for longer, and also tried while Redis is away. */
  async insist(name: string, ...args: readonly (string | number)[]): Promise<unknown> {
    this.#refuseLost()
    return this.#commands.insist(client => client.call(name, ...args.map(String)), this.#insistMs)
  }

  /** Runs a script, in the same way. */
  async insistOn(
    script: Script,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<unknown> {
    this.#refuseLost()
    return this.#commands.run(script, keys, args, this.#insistMs)
  }

  /**
   * Resolves where Redis has the data of this installation, so that what it does not have does not exist. Rejects
   * with StoreAway.
   */
  async verify(): Promise<void> {
    await this.#commands.insist(client => this.#installation.check(client), this.#insistMs)
  }

  close(): void {
    this.#isClosed = true
    this.#isUp = false
    clearTimeout(this.#timer)
    this.#commands.close()
    this.transfers.close()
    this.channels.close()
  }

  /** Nothing is asked of, or written to, a Redis that has lost its data. */
  #refuseLost(): void {
    if (this.#isLost) throw new StoreAway('the shared store has lost its data')
  }

  #goAway(reason: Error): void {
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
    if (!this.#isLost) this.#events.onAway?.(this.#commands.error ?? this.transfers.error ?? reason)
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
      this.#goAway(this.#lastError as Error)
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
        within(this.#registration.renew(this.#commands.client), this.#timeoutMs),
        this.#isUp || within(this.transfers.client.ping(), this.#insistMs),
        within(this.#installation.check(this.#commands.client), this.#insistMs),
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
    this.#commands.reconnect()
    this.transfers.reconnect()
  }
}
