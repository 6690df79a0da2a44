/** A WebSocket, of a browser, of Node or of the package `ws`. */
export interface Socket {
  send(text: string): void
  close(): void
  // biome-ignore lint/suspicious/noExplicitAny: each platform has event types of its own
  addEventListener(type: 'open' | 'message' | 'close' | 'error', listener: (event: any) => void): void
}
export type SocketClass = new (url: string) => Socket

/** The code and the reason with which a connection was closed. */
export interface Close {
  readonly code: number
  readonly reason: string
}

/** A connection to `/streaming` that carries messages of any content. */
export class MessageSocket {
  /** Resolves with whether the connection was accepted. */
  readonly opened: Promise<boolean>
  /** Resolves when the connection is closed, also where it was never open. */
  readonly closed: Promise<Close>
  readonly #socket: Socket

  /** `url` is that of the service, by http. `onText` gets each message as it was sent. */
  constructor(url: string, Class: SocketClass, onText: (text: string) => void) {
    const socket = new Class(`${url.replace(/^http/, 'ws')}/streaming`)
    this.#socket = socket
    this.closed = new Promise(resolve =>
      socket.addEventListener('close', ({ code, reason }: Close) => resolve({ code, reason })),
    )
    this.opened = new Promise(resolve => {
      socket.addEventListener('open', () => resolve(true))
      void this.closed.then(() => resolve(false))
    })
    // The event of the close follows, which has the reason.
    socket.addEventListener('error', () => {})
    socket.addEventListener('message', ({ data }: { readonly data: unknown }) => onText(String(data)))
  }

  /** Sends a message, as JSON unless it is a text. */
  send(message: unknown): void {
    this.#socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  authenticate(key: string): void {
    this.send({ type: 'auth', token: `Bearer ${key}` })
  }

  close(): void {
    this.#socket.close()
  }
}
