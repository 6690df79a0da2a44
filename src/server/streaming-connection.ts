import { closeCodes } from '../contract/refusals.js'
import type { Log } from '../log.js'
import type { Connection, Session } from '../stream/session.js'

/** The WebSocket of uWebSockets.js, as far as it is used here; other drivers provide the same. */
interface Socket {
  send(text: string): unknown
  subscribe(topic: string): unknown
  unsubscribe(topic: string): unknown
  /** Closes in order, with a close frame. */
  end(code: number, reason: string): unknown
  /** Closes at once. */
  close(): unknown
}

/** One WebSocket, whose client may disconnect at any time: after that nothing is sent. */
export class StreamingConnection implements Connection {
  session: Session | undefined
  /** Unset once it is closed, because it must not be used then. */
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

  send(text: string): void {
    this.socket?.send(text)
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
