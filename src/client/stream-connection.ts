import { CandelaError } from './errors.js'
import { MessageSocket, type SocketClass } from './message-socket.js'
import type { Subscription, Update } from './types.js'

export type { SocketClass }

export interface ConnectionOptions {
  readonly url: string
  readonly key: string
  readonly Socket: SocketClass
  readonly subscriptions: readonly Subscription[]
  readonly onUpdate: (update: Update) => void
  /** The key was accepted and all subscriptions were sent. */
  readonly onOpen: () => void
}

/** How a connection ended. */
export interface ConnectionEnd {
  /** What the service said, or that it does not answer; undefined where a connection that was accepted broke. */
  readonly error?: CandelaError
  /** The subscription that was refused. */
  readonly id?: string
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

/** After so much silence the service is asked for a reply, and after so much more the connection is given up. */
const silenceMs = 30_000
const replyMs = 15_000

/** Names what is computed: the market, the indicator and all its parameters in any order. */
const topicOf = (market: string, indicator: string, params: Readonly<Record<string, unknown>>): string =>
  JSON.stringify([market, indicator, Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1))])

/**
 * One connection: it authenticates, subscribes, and asks for the list of its subscriptions, because updates name all
 * parameters of an indicator and a caller gives only some.
 */
export class StreamConnection {
  readonly ended: Promise<ConnectionEnd>
  readonly #socket: MessageSocket
  readonly #options: ConnectionOptions
  /** The subscriptions of each topic. */
  #followers: Map<string, Subscription[]> | undefined
  /** Updates that arrived before the list. */
  #early: UpdateMessage[] = []
  #isEnded = false
  #resolve: (end: ConnectionEnd) => void = () => {}
  #silence: ReturnType<typeof setTimeout> | undefined

  constructor(options: ConnectionOptions) {
    const { url, key, Socket } = options
    this.#options = options
    this.ended = new Promise(resolve => {
      this.#resolve = resolve
    })
    this.#socket = new MessageSocket(url, Socket, text => this.#read(text))
    let wasOpen = false
    void this.#socket.opened.then(isOpen => {
      wasOpen = isOpen
      if (isOpen && !this.#isEnded) this.#socket.authenticate(key)
    })
    void this.#socket.closed.then(() =>
      this.#end(wasOpen ? {} : { error: new CandelaError(`Candela does not answer at ${url}`, 0) }),
    )
    this.#listen(silenceMs)
  }

  close(): void {
    this.#end({})
  }

  /** A connection whose other side is gone may not close by itself for minutes, so that nobody waits for that. */
  #end(end: ConnectionEnd): void {
    if (this.#isEnded) return
    this.#isEnded = true
    clearTimeout(this.#silence)
    this.#resolve(end)
    this.#socket.close()
  }

  /** Gives the service so many milliseconds to say something. */
  #listen(ms: number): void {
    clearTimeout(this.#silence)
    this.#silence = setTimeout(() => {
      if (ms === replyMs || !this.#followers) return this.#end({})
      this.#socket.send({ type: 'list' })
      this.#listen(replyMs)
    }, ms)
  }

  #read(text: string): void {
    if (this.#isEnded) return
    this.#listen(silenceMs)
    try {
      this.#receive(JSON.parse(text))
    } catch (cause) {
      const { url } = this.#options
      const reason = `A message of ${url} is not as expected: is this the address of Candela?`
      this.#end({ error: new CandelaError(reason, 0, undefined, { cause }) })
    }
  }

  #receive(message: ServerMessage): void {
    switch (message.type) {
      case 'auth_ok':
        this.#subscribe()
        break
      case 'auth_error':
        this.#end({ error: new CandelaError(message.error, 401) })
        break
      case 'error': {
        const { id, error } = message
        if (id === null) this.#end({ error: new CandelaError(error, 400) })
        else this.#end({ error: new CandelaError(`${id}: ${error}`, 400), id })
        break
      }
      case 'subscriptions':
        if (!this.#followers) this.#list(message.data)
        break
      case 'update':
        if (this.#followers) this.#emit(message, this.#followers)
        else this.#early.push(message)
    }
  }

  #subscribe(): void {
    const { subscriptions, onOpen } = this.#options
    for (const { id, exchange, symbol, timeframe, indicator, params, candleClose } of subscriptions) {
      const market = { exchange, symbol, interval: timeframe }
      this.#socket.send({ type: 'subscribe', id, ...market, indicator, params, candleClose })
    }
    this.#socket.send({ type: 'list' })
    onOpen()
  }

  #list(listed: readonly Listed[]): void {
    const followers = new Map<string, Subscription[]>()
    for (const { id, exchange, symbol, interval, indicator, params } of listed) {
      const prefix = `${exchange}_${symbol}_${interval}_`.length
      const own = this.#options.subscriptions.find(each => each.id.toLowerCase() === id.slice(prefix))
      if (!own) continue
      const topic = topicOf(`${exchange}:${symbol}:${interval}`.toLowerCase(), indicator, params)
      followers.set(topic, [...(followers.get(topic) ?? []), own])
    }
    this.#followers = followers
    for (const message of this.#early) this.#emit(message, followers)
    this.#early = []
  }

  #emit(
    { subscription, indicator, params, closed, data }: UpdateMessage,
    followers: ReadonlyMap<string, readonly Subscription[]>,
  ): void {
    for (const own of followers.get(topicOf(subscription, indicator, params)) ?? []) {
      if (!closed && own.candleClose) continue
      this.#options.onUpdate({ id: own.id, indicator: own.indicator, data, closed })
    }
  }
}
