import { randomBytes } from 'node:crypto'
import { NotShared } from '../sharing.js'
import type { RedisAddress } from './address.js'
import { createRedisClient, type RedisClient } from './connection.js'

/** Milliseconds between two attempts to reach an engine that is away. */
const probeMs = 250

/** Answers of a server that cannot do its work at present. */
const unavailable =
  /^(LOADING|READONLY|CLUSTERDOWN|MASTERDOWN|TRYAGAIN|NOREPLICAS|UNBLOCKED|NOAUTH|WRONGPASS)/

type Argument = string | number | Uint8Array
/** Runs a script on keys, which all lie in one slot of a cluster. Texts in its reply are bytes. */
export type Script = (keys: readonly string[], args: readonly Argument[]) => Promise<unknown>

type Listener = (isAway: boolean) => void

/**
 * Redis or Valkey as the engine that nodes share. It is away from the first command that it does not answer in time, or
 * from the loss of the connection, until it answers again: then commands fail at once, with NotShared, and nobody waits.
 */
export class EngineLink {
  readonly client: RedisClient
  /** What every key and every channel begins with. */
  readonly prefix: string
  /** Names this process among the nodes. */
  readonly nodeId = randomBytes(6).toString('hex')
  readonly #listeners = new Set<Listener>()
  #isAway = true
  #isClosed = false
  #probing: NodeJS.Timeout | undefined
  #scripts = 0

  constructor(address: RedisAddress) {
    this.prefix = address.prefix
    this.client = createRedisClient(address)
    this.client.on('close', () => this.#leave())
  }

  get isAway(): boolean {
    return this.#isAway
  }

  /** Connects. Rejects with NotShared where that fails; it is tried again for as long as the engine is open. */
  async connect(): Promise<void> {
    try {
      await this.client.connect()
      await this.client.ping()
      this.#return()
    } catch (cause) {
      this.#probe()
      throw new NotShared((cause as Error).message, { cause })
    }
  }

  /** Calls `listener` when the engine goes away and when it is back; the function returned ends that. */
  onChange(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The result of commands. Rejects with NotShared where the engine is away. */
  async call<Result>(work: (client: RedisClient) => Promise<Result>): Promise<Result> {
    if (this.#isAway) throw new NotShared()
    try {
      return await work(this.client)
    } catch (cause) {
      const { name, message } = cause as Error
      if (name === 'ReplyError' && !unavailable.test(message)) throw cause
      this.#leave()
      throw new NotShared(`the shared store does not answer: ${message}`, { cause })
    }
  }

  script(lua: string): Script {
    const name = `candela${this.#scripts++}`
    this.client.defineCommand(name, { lua })
    const commands = this.client as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>
    return (keys, args) =>
      this.call(() => {
        const all = [keys.length, ...keys, ...args.map(asArgument)]
        return (commands[`${name}Buffer`] as (...args: unknown[]) => Promise<unknown>).apply(this.client, all)
      })
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#probing)
    this.client.disconnect()
  }

  #leave(): void {
    if (this.#isClosed) return
    this.#probe()
    if (this.#isAway) return
    this.#isAway = true
    for (const listener of this.#listeners) listener(true)
  }

  #return(): void {
    if (!this.#isAway || this.#isClosed) return
    this.#isAway = false
    for (const listener of this.#listeners) listener(false)
  }

  #probe(): void {
    if (this.#probing || this.#isClosed) return
    this.#probing = setTimeout(async () => {
      try {
        await this.client.ping()
        this.#probing = undefined
        this.#return()
      } catch {
        this.#probing = undefined
        this.#probe()
      }
    }, probeMs).unref()
  }
}

/** ioredis takes bytes as a Buffer only. */
const asArgument = (argument: Argument): string | number | Buffer =>
  argument instanceof Uint8Array && !Buffer.isBuffer(argument)
    ? Buffer.from(argument.buffer, argument.byteOffset, argument.byteLength)
    : (argument as string | number | Buffer)
