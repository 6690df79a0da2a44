import type { Refusal } from './refusals.js'

/** Connection to one client, provided by the server. The methods of a closed connection do nothing. */
export interface Connection {
  /** Sends a text. Returns false if too many bytes wait for the client, or the connection is closed. */
  send(text: string): boolean
  /** Sends everything that the server publishes on a channel to this client, until `unsubscribe`. */
  subscribe(channel: string): void
  unsubscribe(channel: string): void
  /** Closes the connection with a WebSocket close frame. A client with too many unread bytes gets no close frame. */
  close(code: number, reason: string): void
  /** Closes the connection immediately, without a close frame. */
  cut(): void
}

/** Events of an open connection, reported by the server. */
export interface OpenConnection {
  receive(message: Uint8Array, isBinary: boolean): void
  /** Called when a ping or a pong has arrived. */
  receiveControl(): void
  /** Called when a message was not sent, because too many bytes wait for the client. */
  skipped(): void
  /** Called when the client has read waiting bytes. `isCaughtUp` is true if at most half of the allowed bytes still wait. */
  drained(isCaughtUp: boolean): void
}

export interface Streaming {
  /** Sets the function that sends a text to the clients subscribed to a channel. */
  publishTo(publish: (channel: string, text: string) => void): void
  refuse(): Refusal | undefined
  open(connection: Connection, address: string): OpenConnection
  /** Called when the connection is closed. */
  ended(connection: OpenConnection): void
}
