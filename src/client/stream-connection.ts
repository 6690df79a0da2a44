import { authenticationError, CandelaError } from './errors.js'
import type { FollowedMessage, ServiceMessage } from './stream-messages.js'

/** A WebSocket, of a browser, of Node or of the package `ws`. */
interface Socket {
  send(text: string): void
  close(): void
  // biome-ignore lint/suspicious/noExplicitAny: each platform has event types of its own
  addEventListener(type: 'open' | 'message' | 'close' | 'error', listener: (event: any) => void): void
}
export type SocketClass = new (url: string) => Socket

interface Options {
  readonly url: string
  readonly key: string
  readonly Socket: SocketClass
  /** The messages that are sent once the key was accepted. */
  readonly requests: readonly object[]
  /** Whether the caller has chosen the ids of the requests, so that errors name them. */
  readonly hasIds: boolean | undefined
  readonly onMessage: (message: FollowedMessage) => void
  /** The key was accepted and all requests were sent. */
  readonly onOpen: () => void
}

/** How a connection ended. */
export interface ConnectionEnd {
  /** The error of the service, or that it does not answer; undefined where a connection that was accepted broke. */
  readonly error?: CandelaError
  /** The id of the request that was refused. */
  readonly id?: string | undefined
}

/** After this time without a message a reply is requested. Without a message in the next `replyMs` the connection is closed. */
const silenceMs = 30_000
const replyMs = 15_000

/**
 * The address of a connection. It names the market of the first request for one, so that a balancer can choose a node that follows
 * it; the service does not read it.
 */
function addressOf({ url, requests }: Pick<Options, 'url' | 'requests'>): string {
  const markets = requests as readonly { readonly exchange?: unknown; readonly symbol?: unknown }[]
  const { exchange, symbol } = markets.find(each => each.exchange && each.symbol) ?? {}
  const market = { exchange: String(exchange), symbol: String(symbol) }
  const query = symbol ? `?${new URLSearchParams(market)}` : ''
  return `${url.replace(/^http/, 'ws')}/streaming${query}`
}

/** One connection: it authenticates, sends the requests, and notices when the service is gone. */
export class StreamConnection {
  readonly ended: Promise<ConnectionEnd>
  readonly #socket: Socket
  /** Whether the key was accepted. */
  #isOpen = false
  #isEnded = false
  #resolve: (end: ConnectionEnd) => void = () => {}
  #silence: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly options: Options) {
    const { url, key, Socket } = options
    this.ended = new Promise(resolve => {
      this.#resolve = resolve
    })
    const socket = new Socket(addressOf(options))
    this.#socket = socket
    let wasOpen = false
    socket.addEventListener('open', () => {
      wasOpen = true
      if (!this.#isEnded) this.#send({ type: 'auth', token: `Bearer ${key}` })
    })
    socket.addEventListener('message', ({ data }: { readonly data: unknown }) => this.#read(String(data)))
    // The event of the close follows.
    socket.addEventListener('error', () => {})
    socket.addEventListener('close', () =>
      this.#end(wasOpen ? {} : { error: new CandelaError(`Candela does not answer at ${url}`, 0) }),
    )
    this.#listen(silenceMs)
  }

  close(): void {
    this.#end({})
  }

  /** Sends a message, unless the connection has ended. */
  send(message: object): void {
    if (!this.#isEnded) this.#send(message)
  }

  #send(message: object): void {
    this.#socket.send(JSON.stringify(message))
  }

  /** Does not wait for the close of the socket: where the service is gone it may take minutes. */
  #end(end: ConnectionEnd): void {
    if (this.#isEnded) return
    this.#isEnded = true
    clearTimeout(this.#silence)
    this.#resolve(end)
    this.#socket.close()
  }

  /** Waits `ms` milliseconds for the next message. */
  #listen(ms: number): void {
    clearTimeout(this.#silence)
    this.#silence = setTimeout(() => {
      if (ms === replyMs || !this.#isOpen) return this.#end({})
      // The service answers this message on every connection.
      this.#send({ type: 'list' })
      this.#listen(replyMs)
    }, ms)
  }

  #read(text: string): void {
    if (this.#isEnded) return
    this.#listen(silenceMs)
    try {
      this.#receive(JSON.parse(text))
    } catch (cause) {
      const { url } = this.options
      const reason = `A message of ${url} is not as expected: is this the address of Candela?`
      this.#end({ error: new CandelaError(reason, 0, undefined, { cause }) })
    }
  }

  #receive(message: ServiceMessage): void {
    const { requests, hasIds, onOpen, onMessage } = this.options
    switch (message.type) {
      case 'auth_ok':
        this.#isOpen = true
        for (const request of requests) this.#send(request)
        onOpen()
        break
      case 'auth_error':
        this.#end({ error: authenticationError(message.error) })
        break
      case 'error': {
        const { id, error } = message
        const text = hasIds && id !== null ? `${id}: ${error}` : error
        this.#end({ error: new CandelaError(text, 400), id: id ?? undefined })
        break
      }
      default:
        onMessage(message)
    }
  }
}
