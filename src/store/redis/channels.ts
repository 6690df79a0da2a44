import type { RedisAddress } from './address.js'
import { createRedisClient, type RedisClient } from './connection.js'

type OnMessage = (message: Buffer) => void

/** Messages of nodes to each other, on a connection of their own. */
export class Channels {
  readonly #client: RedisClient
  readonly #prefix: string
  readonly #listeners = new Map<string, OnMessage>()
  readonly #onReconnected = new Set<() => void>()
  #wasReady = false

  constructor(address: RedisAddress) {
    this.#prefix = address.prefix
    this.#client = createRedisClient(address)
    this.#client.on('messageBuffer', (channel: Buffer, message: Buffer) =>
      this.#listeners.get(channel.toString())?.(message),
    )
    this.#client.on('ready', () => void this.#resume())
  }

  async connect(): Promise<void> {
    await this.#client.connect()
  }

  /** The full name of a channel, as a script that publishes needs it. */
  nameOf(channel: string): string {
    return `${this.#prefix}${channel}`
  }

  /**
   * Calls `onMessage` with every message of a channel, which has one listener at most. Resolves when none is missed any
   * more; rejects where the connection is down (the channel is joined when it is back).
   */
  async listen(channel: string, onMessage: OnMessage): Promise<void> {
    const name = this.nameOf(channel)
    this.#listeners.set(name, onMessage)
    await this.#client.subscribe(name)
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

  async #resume(): Promise<void> {
    const isFirst = !this.#wasReady
    this.#wasReady = true
    const names = [...this.#listeners.keys()]
    try {
      if (names.length > 0) await this.#client.subscribe(...names)
    } catch {
      // The connection is lost again, and this is done when it is back.
      return
    }
    if (!isFirst) for (const listener of this.#onReconnected) listener()
  }
}
