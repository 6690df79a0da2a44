import type { Connection, OpenConnection } from '../../contract/connection.js'
import { closeCodes } from '../../contract/refusals.js'
import type { Log } from '../../runtime/log.js'

/** WebSocket of uWebSockets.js, as far as it is used here. Other drivers provide the same. */
interface Socket {
  /** Returns `skipped` if the text is not sent because too many bytes are unread. */
  send(text: string): number
  subscribe(topic: string): unknown
  unsubscribe(topic: string): unknown
  /** Closes with a close frame. */
  end(code: number, reason: string): unknown
  /** Closes at once. */
  close(): unknown
}

/** Result of `send` of a socket that has skipped a text. */
export const skipped = 2

/** One WebSocket. Its client may disconnect at any time; after that nothing is sent. */
export class StreamingConnection implements Connection {
  session: OpenConnection | undefined
  /** Undefined after it is closed, because it must not be used then. */
  socket: Socket | undefined

  /** Passes a message to the session. A bug closes the connection. */
  receive(message: Uint8Array, isBinary: boolean, log: Log): void {
    try {
      this.session?.receive(message, isBinary)
    } catch (error) {
      log.error({ err: error }, 'a streaming connection failed')
      const { code, reason } = closeCodes().internal
      this.close(code, reason)
    }
  }

  /** Reports a received ping or pong to the session. */
  receiveControl(): void {
    this.session?.receiveControl()
  }

  send(text: string): boolean {
    return this.socket !== undefined && this.socket.send(text) !== skipped
  }

  subscribe(topic: string): void {
    this.socket?.subscribe(topic)
  }

  unsubscribe(topic: string): void {
    this.socket?.unsubscribe(topic)
  }

  close(code: number, reason: string): void {
    this.socket?.end(code, reason)
  }

  cut(): void {
    this.socket?.close()
  }
}
