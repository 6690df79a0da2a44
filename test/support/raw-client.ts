import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A plain socket to a server on loopback, for bytes that no HTTP client sends. */
export class RawClient {
  /** The received text. */
  text = ''
  isClosed = false
  /** Resolves with the received text when the connection ends. */
  readonly closed: Promise<string>
  #wake = () => {}

  private constructor(readonly socket: Socket) {
    socket.setEncoding('latin1')
    socket.on('data', chunk => {
      this.text += chunk
      this.#wake()
    })
    socket.on('error', () => {})
    this.closed = new Promise(resolve =>
      socket.on('close', () => {
        this.isClosed = true
        this.#wake()
        resolve(this.text)
      }),
    )
  }

  static async open(port: number, localAddress = '127.0.0.1'): Promise<RawClient> {
    // Its own end stays open after the server's, as the system does it, until `socket` is closed.
    const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: false })
    const client = new RawClient(socket)
    await once(socket, 'connect')
    return client
  }

  /** Writes, and resolves when the system has accepted the bytes. */
  write(bytes: string): Promise<void> {
    return new Promise(resolve => this.socket.write(bytes, 'latin1', () => resolve()))
  }

  /** Resolves with the received text when it passes, or when the connection ends. */
  async until(passes: (text: string) => boolean): Promise<string> {
    while (!passes(this.text) && !this.isClosed) {
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
    return this.text
  }

  /** Stops reading. */
  pause(): void {
    this.socket.pause()
  }

  close(): Promise<string> {
    this.socket.destroy()
    return this.closed
  }
}
