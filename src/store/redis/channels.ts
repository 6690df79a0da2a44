import type { RedisAddress } from '../address.js'
import { createRedisClient, type RedisClient } from './redis-client.js'

/**
 * Version of the protocol between nodes: messages on channels, and the keys that only nodes on these channels use (leases, events,
 * answers, windows). Raise the number when one of these formats changes. Nodes with different numbers share the stored accounts,
 * alerts and candles, and nothing else.
 */
const messageFormat = 4

/** Adds the protocol version to the name of a channel or key. The prefix of the installation is added elsewhere. */
export const numbered = (name: string): string => `v${messageFormat}:${name}`

/** Throws if the bytes are no message of the channel. */
type OnMessage = (message: Buffer) => void
type OnDropped = (channel: string, error: Error) => void

/**
 * Messages between nodes, on a separate connection. Unreadable messages are dropped, so that no message of a node or another
 * program ends a node.
 */
export class Channels {
  readonly #client: RedisClient
  readonly #prefix: string
  readonly #onDropped: OnDropped
  readonly #listeners = new Map<string, OnMessage>()
  readonly #onReconnected = new Set<() => void>()
  #isOpen = false
  #wasReady = false

  /** `onDropped` is called with the kind of the channel, which is its name up to the first colon. */
  constructor(address: RedisAddress, onDropped: OnDropped = () => {}) {
    this.#prefix = address.prefix
    this.#onDropped = onDropped
    this.#client = createRedisClient(address)
    this.#client.on('messageBuffer', (name: Buffer, message: Buffer) =>
      this.#receive(name.toString(), message),
    )
    this.#client.on('ready', () => void this.#resume())
  }

  /** Connects and joins the channels that have listeners. After a failure, both happen once the connection is established. */
  async connect(): Promise<void> {
    this.#isOpen = true
    await this.#client.connect().catch(() => {})
    await this.#join().catch(() => {})
  }

  /** Full name of a channel, for scripts that publish. */
  nameOf(channel: string): string {
    return `${this.#prefix}${numbered(channel)}`
  }

  /**
   * Calls `onMessage` with every message of a channel, which has at most one listener. Resolves once all further messages are
   * received. Rejects while the connection is down; the channel is then joined after the reconnect. Before `connect`, resolves
   * immediately, and `connect` joins the channel.
   */
  async listen(channel: string, onMessage: OnMessage): Promise<void> {
    const name = this.nameOf(channel)
    this.#listeners.set(name, onMessage)
    if (this.#isOpen) await this.#client.subscribe(name)
  }

  leave(channel: string): void {
    const name = this.nameOf(channel)
    if (!this.#listeners.delete(name)) return
    this.#client.unsubscribe(name).catch(() => {})
  }

  /**
   * Calls `listener` after each reconnect, because messages may have been missed. The returned function removes the listener.
   */
  onReconnected(listener: () => void): () => void {
    this.#onReconnected.add(listener)
    return () => this.#onReconnected.delete(listener)
  }

  close(): void {
    this.#listeners.clear()
    this.#client.disconnect()
  }

  #receive(name: string, message: Buffer): void {
    try {
      this.#listeners.get(name)?.(message)
    } catch (error) {
      const [kind] = name.slice(this.nameOf('').length).split(':', 1)
      this.#onDropped(kind as string, error as Error)
    }
  }

  async #resume(): Promise<void> {
    const isFirst = !this.#wasReady
    this.#wasReady = true
    try {
      await this.#join()
    } catch {
      // The connection is lost again. The channels are joined after the next reconnect.
      return
    }
    if (!isFirst) for (const listener of this.#onReconnected) listener()
  }

  async #join(): Promise<void> {
    const names = [...this.#listeners.keys()]
    if (names.length > 0) await this.#client.subscribe(...names)
  }
}
