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
   * Called when the connection opens, and when it is lost and will be opened again. Has the reason if the service sent
   * one.
   */
  readonly onState?: ((state: 'open' | 'reconnecting', reason?: CandelaError) => void) | undefined
}

/** Subject of a stream, followed over consecutive connections. */
export interface Followed<Item> {
  /** Request messages, the same on each connection. */
  readonly requests: readonly object[]
  readonly unread: Unread<Item>
  /** Processes a message. Returns whether the message shows that the service has accepted a request. */
  receive(message: FollowedMessage): boolean
  /** Whether the request with this id was accepted. Without an id: whether any request was accepted. */
  isAccepted(id?: string): boolean
  /** Whether the caller has chosen the ids of `requests`. */
  readonly hasIds?: boolean
  /** Called when a connection has ended. */
  reset?(): void
  /** Called when the consumer requests the next item. */
  taken?(item: Item): void
  /** Messages to send over the present connection. */
  readonly answers?: object[]
}

/** Shortest pause before a reconnect, in milliseconds. Doubles after each failure. */
const minPauseMs = 250
const maxPauseMs = 15_000

/** Maximum number of unread items. With more items, the connection is closed until all are read. */
export const maxUnread = 10_000

/** WebSocket class of the package `ws`, for Node.js 20. */
async function importSocket(): Promise<SocketClass> {
  // Bundlers for browsers, which have a WebSocket, do not follow a name in a variable.
  const name = 'ws'
  try {
    return (await import(name)).WebSocket
  } catch (cause) {
    throw new CandelaError('Node.js before 22 has no WebSocket: npm install ws', 0, undefined, { cause })
  }
}

/**
 * Follows the result of `begin`, over one connection at a time. The generator throws CandelaError if there is no
 * WebSocket class, the key is refused, or a request that was never accepted is refused.
 */
export async function* follow<Item>(
  begin: () => Followed<Item>,
  { url, key, signal, onState, ...options }: StreamOptions,
): AsyncGenerator<Item, void, undefined> {
  const followed = begin()
  const { WebSocket } = globalThis as { readonly WebSocket?: SocketClass }
  const Socket = options.WebSocket ?? WebSocket ?? (await importSocket())
  const { requests, hasIds, unread } = followed
  /** Number of consecutive connections without an accepted request. */
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
      // Other errors may be temporary, so another connection may succeed.
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
