import { once } from 'node:events'
import WebSocket from 'ws'
import type { SocketClass } from '../../src/client/index.js'

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the service sent
type Message = any

/** The code and the reason with which a connection was closed. */
interface Close {
  readonly code: number
  readonly reason: string
}

/** A client of the streaming service that sends any message, and records the received ones. */
export class StreamingClient {
  readonly closed: Promise<Close>
  /** All messages in order of arrival. */
  readonly texts: string[] = []
  /** The conversation: sent messages, and the messages that `next` returned. */
  readonly transcript: string[] = []
  readonly socket: InstanceType<SocketClass>
  /** Resolves with whether the connection was accepted. */
  readonly #opened: Promise<boolean>
  #read = 0
  #wake = () => {}
  #close: Close | undefined

  private constructor(url: string, Class: SocketClass) {
    this.socket = new Class(`${url.replace(/^http/, 'ws')}/streaming`)
    this.socket.addEventListener('message', ({ data }: { readonly data: unknown }) => {
      this.texts.push(String(data))
      this.#wake()
    })
    // The close event follows, which has the reason.
    this.socket.addEventListener('error', () => {})
    this.closed = new Promise(resolve =>
      this.socket.addEventListener('close', ({ code, reason }: Close) => {
        this.#close = { code, reason }
        this.#wake()
        resolve(this.#close)
      }),
    )
    this.#opened = new Promise(resolve => {
      this.socket.addEventListener('open', () => resolve(true))
      void this.closed.then(() => resolve(false))
    })
  }

  /** Connects to the service at `url` (http), by the `ws` package unless another class is given. */
  static async open(url: string, Class: SocketClass = WebSocket): Promise<StreamingClient> {
    const client = new StreamingClient(url, Class)
    if (await client.#opened) return client
    const { code, reason } = await client.closed
    throw new Error(`the service did not accept the connection: ${code} ${reason}`)
  }

  /** Connects and authenticates. */
  static async connect(url: string, key: string): Promise<StreamingClient> {
    const client = await StreamingClient.open(url)
    client.send({ type: 'auth', token: `Bearer ${key}` })
    await client.next()
    return client
  }

  /** Sends a message, as JSON unless it is a string. */
  send(message: unknown): void {
    const text = typeof message === 'string' ? message : JSON.stringify(message)
    this.transcript.push(`→ ${text}`)
    this.socket.send(text)
  }

  /** The next message that passes; earlier ones are skipped. Rejects when the connection closes. */
  async next(passes: (message: Message) => boolean = () => true): Promise<Message> {
    for (;;) {
      while (this.#read < this.texts.length) {
        const text = this.texts[this.#read++] as string
        const message = JSON.parse(text)
        if (!passes(message)) continue
        this.transcript.push(`← ${text}`)
        return message
      }
      if (this.#close) throw new Error(`the connection closed: ${this.#close.code} ${this.#close.reason}`)
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }

  /** The messages that have arrived and that `next` has not returned. */
  unread(): Message[] {
    const messages = this.texts.slice(this.#read).map(text => JSON.parse(text))
    this.#read = this.texts.length
    return messages
  }

  /** Resolves when the service has handled all earlier messages. */
  async settled(): Promise<void> {
    const at = this.transcript.length
    this.send({ type: 'list' })
    await this.next(({ type }) => type === 'subscriptions')
    this.transcript.splice(at)
  }

  async close(): Promise<Close> {
    this.socket.close()
    return this.closed
  }
}

/** A plain socket of the `ws` package, for the behaviour of unusual clients. */
export async function rawSocket(url: string, options: WebSocket.ClientOptions = {}): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/streaming`, options)
  socket.on('error', () => {})
  await once(socket, 'open')
  return socket
}
