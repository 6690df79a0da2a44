import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type SharedState, StoreAway, type StoreEvents, StoreFailure } from '../store.js'
import { describeAddress, type RedisAddress } from './address.js'
import { commandTimeoutMs, createRedisClient, type RedisClient } from './connection.js'
import { createScript, type Script } from './script.js'

/** How long a start waits for the engine. */
const startMs = 5000
/** Pauses between two heartbeats while the engine answers and while it does not. */
const heartbeatMs = 1000
const probeMs = 200
/** So many heartbeats in a row must be answered before the engine counts as back, and at most so many after relapses. */
const minAnswers = 2
const maxAnswers = 64
/** A return that lasts shorter than this is followed by a relapse. */
const relapseMs = 10_000
/** A connection on which nothing was answered for so long is opened anew. */
const stuckMs = 3000
/** A node without a heartbeat for so long is dead, and stays known as such for an hour. */
export const nodeTtlMs = 5000
export const deadNodeMs = 3_600_000

/** What the engine says when credentials are wrong: waiting does not help then. */
const denied = /NOAUTH|WRONGPASS|NOPERM|invalid password|no password/i

/**
 * Registers that a node lives. Answers whether it was known and not taken for dead, and the dead nodes. A node that is
 * dead for the others must not come back under its name, because they drop what it counts.
 */
const heartbeat = createScript(`
local last = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or nil)
local ttl = tonumber(ARGV[2])
local isAlive = last and last >= now - ttl
if not last or isAlive then redis.call('ZADD', KEYS[1], now, ARGV[1]) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[3])
return { isAlive and 1 or 0, redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', '(' .. (now - ttl)) }
`)

/**
 * The engine that nodes share: runs commands while it answers in time, and knows when it does not. Then every command
 * fails at once, until heartbeats are answered again.
 */
export class Engine implements SharedState {
  /** Whether keys of different slots cannot be used in one script. */
  readonly isCluster: boolean
  /** What the names of channels begin with in a script; elsewhere it is added to them. */
  readonly channelPrefix: string
  readonly #timeoutMs: number
  readonly #commandTimeoutMs: number
  readonly #client: RedisClient
  /** A connection of its own for messages: one that listens takes no commands. */
  readonly #listener: RedisClient
  readonly #channels = new Map<string, (message: string) => void>()
  readonly #name: string
  readonly #events: StoreEvents
  readonly #returnListeners: (() => void)[] = []
  readonly #beatListeners: (() => void)[] = []
  #nodeId = newNodeId()
  #isRegistered = false
  #deadNodes: readonly string[] = []
  #isUp = false
  #isClosed = false
  #awaySince = 0
  #returnedAt = Number.NEGATIVE_INFINITY
  #stuckSince = 0
  #answers = 0
  #answersNeeded = minAnswers
  #timer: NodeJS.Timeout | undefined
  /** Why there is no connection; undefined while there is one. */
  #connectionError: Error | undefined
  #lastError: Error | undefined

  constructor(address: RedisAddress, events: StoreEvents = {}) {
    this.isCluster = address.kind === 'cluster'
    this.#name = describeAddress(address)
    this.#timeoutMs = address.timeoutMs
    this.#commandTimeoutMs = commandTimeoutMs(address)
    this.#events = events
    this.#client = createRedisClient(address, {
      onError: error => {
        this.#connectionError = error
      },
    })
    this.#client.on('ready', () => {
      this.#connectionError = undefined
    })
    this.channelPrefix = address.prefix
    this.#listener = createRedisClient(address)
    this.#listener.on('ready', () => this.#listen())
    this.#listener.on('message', (channel: string, message: string) =>
      this.#channels.get(channel.slice(this.channelPrefix.length))?.(message),
    )
    this.#client.on('close', () => this.#goAway(new Error('the connection was closed')))
  }

  get isUp(): boolean {
    return this.#isUp
  }

  /** Under which this node counts. It changes when others have taken the node for dead. */
  get nodeId(): string {
    return this.#nodeId
  }

  /** Nodes whose counts are void. */
  get deadNodes(): readonly string[] {
    return this.#deadNodes
  }

  /** Calls `listener` whenever the engine is back, or has lost what this node had written. */
  onReturn(listener: () => void): void {
    this.#returnListeners.push(listener)
  }

  /** Calls `listener` after each answered heartbeat: about once a second. */
  onBeat(listener: () => void): void {
    this.#beatListeners.push(listener)
  }

  /** Calls `listener` with each message on a channel, from `open` on. Messages may be lost. */
  subscribe(channel: string, listener: (message: string) => void): void {
    this.#channels.set(channel, listener)
  }

  async #listen(): Promise<void> {
    const names = [...this.#channels.keys()].map(channel => this.channelPrefix + channel)
    // It connects again when this fails, and listens then.
    if (names.length > 0) await this.#listener.subscribe(...names).catch(() => {})
  }

  /** Resolves when the engine answers. Rejects with StoreFailure. */
  async open(): Promise<void> {
    if (this.#isUp) return
    this.#client.connect().catch(error => {
      this.#connectionError ??= error
    })
    const until = performance.now() + startMs
    while (!(await this.#beat())) {
      const reason = this.#connectionError ?? this.#lastError
      if (performance.now() > until || this.#isClosed || (reason && denied.test(reason.message)))
        throw new StoreFailure(
          `Cannot use the shared store at ${this.#name}: ${reason?.message || 'it does not answer'}`,
          { cause: reason },
        )
      await sleep(probeMs / 4)
    }
    await this.#listener.connect().catch(() => {})
    await this.#listen()
    this.#isUp = true
    this.#schedule()
  }

  /** Runs a script. Rejects with StoreAway at once while the engine is away, and after its timeout when it is slow. */
  async run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    if (!this.#isUp) throw away()
    return this.#bounded(() => evaluate(this.#client, script, keys, args), this.#timeoutMs)
  }

  /** Runs one command, in the same way. */
  async command(name: string, ...args: readonly (string | number)[]): Promise<unknown> {
    if (!this.#isUp) throw away()
    return this.#bounded(() => this.#call(name, args), this.#timeoutMs)
  }

  /** Runs one command that nothing can be done without: it is waited for longer, and also tried while the engine is away. */
  insist(name: string, ...args: readonly (string | number)[]): Promise<unknown> {
    return this.#bounded(() => this.#call(name, args), this.#commandTimeoutMs)
  }

  /** Runs a script, in the same way. */
  insistOn(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    return this.#bounded(() => evaluate(this.#client, script, keys, args), this.#commandTimeoutMs)
  }

  close(): void {
    this.#isClosed = true
    this.#isUp = false
    clearTimeout(this.#timer)
    this.#client.disconnect()
    this.#listener.disconnect()
  }

  #call(name: string, args: readonly (string | number)[]): Promise<unknown> {
    return this.#client.call(name, ...args.map(String))
  }

  async #bounded(work: () => Promise<unknown>, ms: number): Promise<unknown> {
    const began = performance.now()
    try {
      const result = await within(work(), ms)
      this.#events.onCommand?.('ok', (performance.now() - began) / 1000)
      return result
    } catch (cause) {
      this.#events.onCommand?.('failed', (performance.now() - began) / 1000)
      this.#goAway(cause as Error)
      throw away(cause)
    }
  }

  #goAway(reason: Error): void {
    if (!this.#isUp || this.#isClosed) return
    const now = performance.now()
    this.#isUp = false
    this.#answers = 0
    this.#awaySince = this.#stuckSince = now
    const isRelapse = now - this.#returnedAt < relapseMs
    this.#answersNeeded = isRelapse ? Math.min(maxAnswers, 2 * this.#answersNeeded) : minAnswers
    this.#events.onAway?.(this.#connectionError ?? reason)
    this.#schedule()
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
    for (const listener of this.#returnListeners) listener()
  }

  /** Whether a heartbeat was answered in time. */
  async #beat(): Promise<boolean> {
    try {
      const args = [this.#nodeId, nodeTtlMs, deadNodeMs]
      const sent = evaluate(this.#client, heartbeat, ['nodes'], args)
      const [isKnown, dead] = (await within(sent, this.#timeoutMs)) as [number, string[]]
      if (this.#isRegistered && isKnown === 0) {
        // The others drop what this node has counted under its name, or the engine has lost it.
        this.#nodeId = newNodeId()
        this.#isRegistered = false
        return await this.#beat()
      }
      const isNew = !this.#isRegistered
      this.#isRegistered = true
      this.#deadNodes = dead
      if (isNew && this.#isUp) for (const listener of this.#returnListeners) listener()
      for (const listener of this.#beatListeners) listener()
      return true
    } catch (error) {
      this.#lastError = error as Error
      return false
    }
  }

  /** A peer that vanished without closing its connections is noticed by the system after many minutes only. */
  #reconnectWhenStuck(): void {
    const now = performance.now()
    if (now - this.#stuckSince < stuckMs || this.#client.status !== 'ready') return
    this.#stuckSince = now
    this.#client.disconnect(true)
  }
}

const away = (cause?: unknown) => new StoreAway('the shared store does not answer', { cause })

const newNodeId = () => randomBytes(9).toString('base64url')

/** Runs a script that the engine may not know yet, or not any more since it was started anew. */
async function evaluate(
  client: RedisClient,
  { lua, sha }: Script,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  try {
    return await client.evalsha(sha, keys.length, ...keys, ...args)
  } catch (error) {
    if (!(error as Error).message.startsWith('NOSCRIPT')) throw error
    return client.eval(lua, keys.length, ...keys, ...args)
  }
}

/** The result of a promise, or an Error when it takes longer. What arrives while this process is busy is in time. */
function within<Result>(promise: Promise<Result>, ms: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    // Timers run before the replies that arrived meanwhile are read, and these before `setImmediate`.
    const timer = setTimeout(
      () => setImmediate(() => reject(new Error(`it did not answer within ${ms} ms`))),
      ms,
    )
    promise.then(
      result => {
        clearTimeout(timer)
        resolve(result)
      },
      error => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
