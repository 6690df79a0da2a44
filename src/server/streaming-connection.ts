import type { Connection, Session } from '../stream/session.js'

/** The WebSocket of uWebSockets.js, as far as it is used here. */
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
