import { CandelaError } from './errors.js'
import type { Subscription, Update } from './types.js'

/** A WebSocket, of a browser, of Node or of the package `ws`. */
export interface Socket {
  send(text: string): void
  close(): void
  // biome-ignore lint/suspicious/noExplicitAny: each platform has event types of its own
  addEventListener(type: 'open' | 'message' | 'close' | 'error', listener: (event: any) => void): void
}
export type SocketClass = new (url: string) => Socket

interface Listeners {
  readonly onUpdate: (update: Update) => void
  /** The key was accepted and all subscriptions were sent. */
  readonly onOpen: () => void
}

/** A subscription as the service lists it, with all its parameters. */
interface Listed {
  readonly id: string
  readonly exchange: string
  readonly symbol: string
  readonly interval: string
  readonly indicator: string
  readonly params: Readonly<Record<string, unknown>>
}

interface UpdateMessage {
  readonly type: 'update'
  readonly subscription: string
  readonly indicator: string
  readonly params: Readonly<Record<string, unknown>>
  readonly closed: boolean
  readonly data: Update['data']
}

type ServerMessage =
  | UpdateMessage
  | { readonly type: 'auth_ok' }
  | { readonly type: 'auth_error'; readonly error: string }
  | { readonly type: 'error'; readonly id: string | null; readonly error: string }
  | { readonly type: 'subscriptions'; readonly data: readonly Listed[] }

/** What the client knows of one of its subscriptions. */
interface Follower {
  readonly id: string
  readonly candleClose: boolean
}

/** Names what is computed: the market, the indicator and all its parameters in any order. */
const topicOf = (market: string, indicator: string, params: Readonly<Record<string, unknown>>): string =>
  JSON.stringify([market, indicator, Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1))])

/**
 * One connection: it signs in, subscribes, and asks for the list of its subscriptions, because updates name all
 * parameters of an indicator and a caller gives only some.
 */
export class StreamConnection {
  /** Resolves when the connection is closed: with the reason where another one would have the same end. */
  readonly ended: Promise<CandelaError | undefined>
  readonly #socket: Socket
  readonly #subscriptions: readonly Subscription[]
  readonly #listeners: Listeners
  #followers: Map<string, Follower[]> | undefined
  /** Updates that arrived before the list. */
  #early: UpdateMessage[] = []
  #failure: CandelaError | undefined

  constructor(socket: Socket, key: string, subscriptions: readonly Subscription[], listeners: Listeners) {
    this.#socket = socket
    this.#subscriptions = subscriptions
    this.#listeners = listeners
    this.ended = new Promise(resolve => socket.addEventListener('close', () => resolve(this.#failure)))
    socket.addEventListener('error', () => {})
    socket.addEventListener('open', () => this.#send({ type: 'auth', token: `Bearer ${key}` }))
    socket.addEventListener('message', ({ data }) => this.#receive(JSON.parse(String(data))))
  }

  close(): void {
    this.#socket.close()
  }

  #send(message: unknown): void {
    this.#socket.send(JSON.stringify(message))
  }

  #fail(message: string, status: number): void {
    this.#failure ??= new CandelaError(message, status)
    this.close()
  }

  #receive(message: ServerMessage): void {
    switch (message.type) {
      case 'auth_ok':
        this.#subscribe()
        break
      case 'auth_error':
        this.#fail(message.error, 401)
        break
      case 'error':
        this.#fail(message.id === null ? message.error : `${message.id}: ${message.error}`, 400)
        break
      case 'subscriptions':
        this.#list(message.data)
        break
      case 'update':
        if (this.#followers) this.#emit(message, this.#followers)
        else this.#early.push(message)
    }
  }

  #subscribe(): void {
    for (const { id, exchange, symbol, timeframe, indicator, params, candleClose } of this.#subscriptions) {
      const market = { exchange, symbol, interval: timeframe }
      this.#send({ type: 'subscribe', id, ...market, indicator, params, candleClose })
    }
    this.#send({ type: 'list' })
    this.#listeners.onOpen()
  }

  #list(listed: readonly Listed[]): void {
    const followers = new Map<string, Follower[]>()
    for (const { id, exchange, symbol, interval, indicator, params } of listed) {
      const prefix = `${exchange}_${symbol}_${interval}_`.length
      const own = this.#subscriptions.find(each => each.id.toLowerCase() === id.slice(prefix))
      if (!own) continue
      const topic = topicOf(`${exchange}:${symbol}:${interval}`.toLowerCase(), indicator, params)
      const list = followers.get(topic) ?? []
      list.push({ id: own.id, candleClose: own.candleClose ?? false })
      followers.set(topic, list)
    }
    this.#followers = followers
    for (const message of this.#early) this.#emit(message, followers)
    this.#early = []
  }

  #emit(
    { subscription, indicator, params, closed, data }: UpdateMessage,
    followers: ReadonlyMap<string, readonly Follower[]>,
  ): void {
    for (const { id, candleClose } of followers.get(topicOf(subscription, indicator, params)) ?? []) {
      if (closed || !candleClose) this.#listeners.onUpdate({ id, data, closed })
    }
  }
}
