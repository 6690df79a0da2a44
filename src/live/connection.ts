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
