import { once } from 'node:events'
import WebSocket from 'ws'

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the service said
type Said = any

export interface Farewell {
  readonly code: number
  readonly reason: string
}

/** What is needed of a WebSocket client: the `ws` package and Node's own have it in common. */
interface Socket {
  send(text: string): void
  close(): void
  addEventListener(type: 'message', listen: (event: { data: unknown }) => void): void
  addEventListener(type: 'close', listen: (event: { code: number; reason: string }) => void): void
  addEventListener(type: 'open' | 'error', listen: (event: unknown) => void): void
}

/** A streaming client that remembers what was said. */
export class Listener {
  readonly closed: Promise<Farewell>
  /** All messages as they arrived, the newest last. */
  readonly texts: string[] = []
  /** The conversation: what was sent, and the replies that somebody waited for. */
  readonly transcript: string[] = []
  #read = 0
  #wake = () => {}
  #farewell: Farewell | undefined

  private constructor(readonly socket: Socket) {
    socket.addEventListener('message', ({ data }) => {
      this.texts.push(String(data))
      this.#wake()
    })
    socket.addEventListener('error', () => {})
    this.closed = new Promise(resolve =>
      socket.addEventListener('close', ({ code, reason }) => {
        this.#farewell = { code, reason }
        this.#wake()
        resolve(this.#farewell)
      }),
    )
  }

  /** Connects to the service at `url` (http), by the `ws` package unless told. */
  static async open(url: string, create = (to: string): Socket => new WebSocket(to)): Promise<Listener> {
    const socket = create(`${url.replace('http', 'ws')}/streaming`)
    const listener = new Listener(socket)
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve())
      socket.addEventListener('error', event =>
        reject(new Error(`the service did not accept the connection: ${(event as Error).message}`)),
      )
    })
    return listener
  }

  /** Connects and authenticates. */
  static async enter(url: string, key: string): Promise<Listener> {
    const listener = await Listener.open(url)
    listener.say({ type: 'auth', token: `Bearer ${key}` })
    await listener.next()
    return listener
  }

  /** Sends a message, as JSON unless it is a text. */
  say(message: unknown): void {
    const text = typeof message === 'string' ? message : JSON.stringify(message)
    this.transcript.push(`→ ${text}`)
    this.socket.send(text)
  }

  /** The next message that nobody has waited for and that passes; what comes before it is passed over. */
  async next(passes: (message: Said) => boolean = () => true): Promise<Said> {
    for (;;) {
      while (this.#read < this.texts.length) {
        const text = this.texts[this.#read++] as string
        const message = JSON.parse(text)
        if (!passes(message)) continue
        this.transcript.push(`← ${text}`)
        return message
      }
      if (this.#farewell)
        throw new Error(`the connection closed: ${this.#farewell.code} ${this.#farewell.reason}`)
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }

  /** Everything that has arrived and that nobody has waited for. */
  unread(): Said[] {
    const messages = this.texts.slice(this.#read).map(text => JSON.parse(text))
    this.#read = this.texts.length
    return messages
  }

  /** Resolves when the service has taken in everything that was said before. */
  async settled(): Promise<void> {
    const at = this.transcript.length
    this.say({ type: 'list' })
    await this.next(({ type }) => type === 'subscriptions')
    this.transcript.splice(at)
  }

  async close(): Promise<Farewell> {
    this.socket.close()
    return this.closed
  }
}

/** A socket of the `ws` package for what no ordinary client does. */
export async function rawSocket(url: string, options: WebSocket.ClientOptions = {}): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/streaming`, options)
  socket.on('error', () => {})
  await once(socket, 'open')
  return socket
}
