import { once } from 'node:events'
import WebSocket from 'ws'

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the service sent
type Message = any

/** The code and the reason with which a connection was closed. */
export interface Close {
  readonly code: number
  readonly reason: string
}

/** What the WebSocket clients of the `ws` package and of Node have in common. */
interface Socket {
  send(text: string): void
  close(): void
  addEventListener(type: 'message', listen: (event: { data: unknown }) => void): void
  addEventListener(type: 'close', listen: (event: { code: number; reason: string }) => void): void
  addEventListener(type: 'open' | 'error', listen: (event: unknown) => void): void
}

/** A client of the streaming service that records the messages. */
export class StreamingClient {
  readonly closed: Promise<Close>
  /** All messages as they arrived, the newest last. */
  readonly texts: string[] = []
  /** The conversation: what was sent, and the messages that `next` returned. */
  readonly transcript: string[] = []
  #read = 0
  #wake = () => {}
  #close: Close | undefined

  private constructor(readonly socket: Socket) {
    socket.addEventListener('message', ({ data }) => {
      this.texts.push(String(data))
      this.#wake()
    })
    socket.addEventListener('error', () => {})
    this.closed = new Promise(resolve =>
      socket.addEventListener('close', ({ code, reason }) => {
        this.#close = { code, reason }
        this.#wake()
        resolve(this.#close)
      }),
    )
  }

  /** Connects to the service at `url` (http), by the `ws` package unless `create` is given. */
  static async open(
    url: string,
    create = (to: string): Socket => new WebSocket(to),
  ): Promise<StreamingClient> {
    const socket = create(`${url.replace('http', 'ws')}/streaming`)
    const client = new StreamingClient(socket)
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve())
      socket.addEventListener('error', event =>
        reject(new Error(`the service did not accept the connection: ${(event as Error).message}`)),
      )
    })
    return client
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

  /** The next message that passes; those before it are skipped. Rejects when the connection closes. */
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

  /** Resolves when the service has handled everything that was sent before. */
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

/** A plain socket of the `ws` package, for what no ordinary client does. */
export async function rawSocket(url: string, options: WebSocket.ClientOptions = {}): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/streaming`, options)
  socket.on('error', () => {})
  await once(socket, 'open')
  return socket
}
