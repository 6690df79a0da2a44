import type { Refusal } from './refusals.js'

/** The connection to one client, provided by the server. Once it is closed its methods do nothing. */
export interface Connection {
  /** Whether the text was sent: not where too many bytes wait for the client, or where the connection is closed. */
  send(text: string): boolean
  /** From now on what the server publishes on a channel is sent to this client, until `unsubscribe`. */
  subscribe(channel: string): void
  unsubscribe(channel: string): void
  /** Closes it with a WebSocket close frame, which a client with too many unread bytes does not get. */
  close(code: number, reason: string): void
  /** Closes it at once, without a close frame. */
  cut(): void
}

/** What the server tells about a connection that is open. */
export interface OpenConnection {
  /** A message has arrived. */
  receive(message: Uint8Array, isBinary: boolean): void
  /** A ping or a pong has arrived. */
  receiveControl(): void
  /** A message was not sent, because too many bytes wait for the client. */
  skipped(): void
  /** The client has read bytes that waited; with `isCaughtUp` at least half of those that may wait. */
  drained(isCaughtUp: boolean): void
}

/** What serves the connections of clients. */
export interface Streaming {
  /** Sets how a text is sent to the clients that have subscribed to a channel. */
  publishTo(publish: (channel: string, text: string) => void): void
  /** Why no further connection may be opened. */
  refuse(): Refusal | undefined
  open(connection: Connection, address: string): OpenConnection
  /** The connection is closed. */
  ended(connection: OpenConnection): void
}
