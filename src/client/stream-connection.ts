import { authenticationError, CandelaError } from './errors.js'
import type { FollowedMessage, ServiceMessage } from './stream-messages.js'

/** A WebSocket of a browser, of Node.js or of the package `ws`. */
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
  /** Messages to send when the key is accepted. */
  readonly requests: readonly object[]
  /** Whether the caller has chosen the ids of the requests. Errors then name these ids. */
  readonly hasIds: boolean | undefined
  readonly onMessage: (message: FollowedMessage) => void
  /** Called when the key is accepted and all requests are sent. */
  readonly onOpen: () => void
}

export interface ConnectionEnd {
  /** Error of the service, or the error that it does not answer. Undefined if an open connection broke. */
  readonly error?: CandelaError
  /** Id of the refused request. */
  readonly id?: string | undefined
}

/** Time without a message after which a reply is requested. The connection is closed if `replyMs` pass without a message. */
const silenceMs = 30_000
const replyMs = 15_000

/**
 * Address of a connection. It names the first requested market, so that a load balancer can choose a node that follows
 * this market. The service ignores it.
 */
function addressOf({ url, requests }: Pick<Options, 'url' | 'requests'>): string {
  const markets = requests as readonly { readonly exchange?: unknown; readonly symbol?: unknown }[]
  const { exchange, symbol } = markets.find(each => each.exchange && each.symbol) ?? {}
  const market = { exchange: String(exchange), symbol: String(symbol) }
  const query = symbol ? `?${new URLSearchParams(market)}` : ''
  return `${url.replace(/^http/, 'ws')}/streaming${query}`
}

/** One connection. Authenticates, sends the requests and detects when the service stops answering. */
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
    // A close event follows.
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

  /** Ends the connection. Does not wait for the socket to close, because that may take minutes if the service is gone. */
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
