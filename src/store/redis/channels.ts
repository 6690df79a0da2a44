import type { RedisAddress } from './address.js'
import { createRedisClient, type RedisClient } from './redis-client.js'

/**
 * The number of the form in which nodes talk to each other: of messages on channels, and of the keys that are of use only
 * to nodes that hear these messages (leases, events, answers, windows). To be raised when one of them changes its form:
 * nodes of two numbers then share the stored accounts, alerts and candles, and nothing else.
 */
const messageFormat = 4

/** The name of a channel, or of such a key, without the prefix of the installation. */
export const numbered = (name: string): string => `v${messageFormat}:${name}`

/** Throws where the bytes are no message of the channel. */
type OnMessage = (message: Buffer) => void
type OnDropped = (channel: string, error: Error) => void

/**
 * Messages of nodes to each other, on a connection of their own. One that cannot be read is dropped: whatever nodes or
 * other programs send, no node ends by it.
 */
export class Channels {
  readonly #client: RedisClient
  readonly #prefix: string
  readonly #onDropped: OnDropped
  readonly #listeners = new Map<string, OnMessage>()
  readonly #onReconnected = new Set<() => void>()
  #isOpen = false
  #wasReady = false

  /** `onDropped` is called with the kind of the channel: its name up to the first colon. */
  constructor(address: RedisAddress, onDropped: OnDropped = () => {}) {
    this.#prefix = address.prefix
    this.#onDropped = onDropped
    this.#client = createRedisClient(address)
    this.#client.on('messageBuffer', (name: Buffer, message: Buffer) =>
      this.#receive(name.toString(), message),
    )
    this.#client.on('ready', () => void this.#resume())
  }

  /** Connects, and joins the channels that have listeners. Where that fails, it is done when the connection is there. */
  async connect(): Promise<void> {
    this.#isOpen = true
    await this.#client.connect().catch(() => {})
    await this.#join().catch(() => {})
  }

  /** The full name of a channel, as a script that publishes needs it. */
  nameOf(channel: string): string {
    return `${this.#prefix}${numbered(channel)}`
  }

  /**
   * Calls `onMessage` with every message of a channel, which has one listener at most. Resolves when none is missed any
   * more; rejects where the connection is down (the channel is joined when it is back). Before `connect` it resolves at
   * once, and the channel is joined then.
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
   * Calls `listener` when the connection was lost and is back: messages may have been missed. The function returned ends
   * that.
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
      // The connection is lost again, and this is done when it is back.
      return
    }
    if (!isFirst) for (const listener of this.#onReconnected) listener()
  }

  async #join(): Promise<void> {
    const names = [...this.#listeners.keys()]
    if (names.length > 0) await this.#client.subscribe(...names)
  }
}
