import { backoffMs } from '../runtime/backoff.js'
import { pause } from '../runtime/pause.js'
import { CandelaError } from './errors.js'
import { type SocketClass, StreamConnection } from './stream-connection.js'
import type { FollowedMessage } from './stream-messages.js'
import type { Unread } from './unread.js'

export interface StreamOptions {
  readonly url: string
  readonly key: string
  readonly WebSocket?: SocketClass | undefined
  readonly signal?: AbortSignal | undefined
  /**
   * Called when the connection is there, and when it is lost and will be opened again, then with the reason where the
   * service gave one.
   */
  readonly onState?: ((state: 'open' | 'reconnecting', reason?: CandelaError) => void) | undefined
}

/** What is followed, over one connection after the other. */
export interface Followed<Item> {
  /** The messages that ask for it, the same on each connection. */
  readonly requests: readonly object[]
  readonly unread: Unread<Item>
  /** Takes a message; whether it shows that the service has accepted a request. */
  receive(message: FollowedMessage): boolean
  /** Whether the request with an id was accepted before; any request where no id is named. */
  isAccepted(id?: string): boolean
  /** Whether the caller has chosen the ids of `requests`. */
  readonly hasIds?: boolean
  /** To be called when a connection has ended. */
  reset?(): void
  /** To be called when the consumer has come back for the next item. */
  taken?(item: Item): void
  /** Messages that are to be sent over the present connection. */
  readonly answers?: object[]
}

/** Milliseconds before a connection is opened again: doubled after each failure. */
const minPauseMs = 250
const maxPauseMs = 15_000

/** Items that may wait to be read. With more of them the connection is closed until all are read. */
export const maxUnread = 10_000

/** The class of WebSockets to use: the given one, or that of the platform. */
function socketClass(given: SocketClass | undefined): SocketClass {
  const found = given ?? (globalThis as { readonly WebSocket?: SocketClass }).WebSocket
  if (found) return found
  throw new CandelaError(
    'Node.js before 22 has no WebSocket: npm install ws, and pass its class as WebSocket',
    0,
  )
}

/**
 * Follows what `begin` makes, over one connection at a time. Throws CandelaError at once where there is no WebSocket; what is
 * followed throws it where the key is refused, and where a request is refused that was never accepted.
 */
export const follow = <Item>(
  begin: () => Followed<Item>,
  options: StreamOptions,
): AsyncGenerator<Item, void, undefined> => followOver(socketClass(options.WebSocket), begin, options)

async function* followOver<Item>(
  Socket: SocketClass,
  begin: () => Followed<Item>,
  { url, key, signal, onState }: StreamOptions,
): AsyncGenerator<Item, void, undefined> {
  const followed = begin()
  const { requests, hasIds, unread } = followed
  /** Connections in a row over which nothing was accepted. */
  let failures = 0
  while (!signal?.aborted) {
    const connection = new StreamConnection({
      url,
      key,
      Socket,
      requests,
      hasIds,
      onOpen: () => onState?.('open'),
      onMessage: message => {
        if (followed.receive(message)) failures = 0
        sendAnswers()
        if (unread.size > maxUnread) connection.close()
      },
    })
    const sendAnswers = () => {
      for (const answer of followed.answers?.splice(0) ?? []) connection.send(answer)
    }
    const end = () => connection.close()
    signal?.addEventListener('abort', end, { once: true })
    try {
      for await (const item of unread.until(connection.ended)) {
        if (signal?.aborted) return
        yield item
        followed.taken?.(item)
        sendAnswers()
      }
      const { error, id } = await connection.ended
      if (signal?.aborted) return
      // Otherwise another connection may have another end.
      if (error && (error.status === 401 || !followed.isAccepted(id))) throw error
      onState?.('reconnecting', error)
    } finally {
      signal?.removeEventListener('abort', end)
      connection.close()
      followed.reset?.()
    }
    await pause(backoffMs(failures++, minPauseMs, maxPauseMs), signal)
  }
}
