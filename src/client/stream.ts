import type { BulkClient } from './bulk.js'
import { Continuity } from './continuity.js'
import { CandelaError } from './errors.js'
import type { SocketClass } from './message-socket.js'
import { sleep } from './sleep.js'
import { type ConnectionEnd, StreamConnection } from './stream-connection.js'
import type { Subscription, Update } from './types.js'
import { UpdateQueue } from './update-queue.js'

export interface StreamOptions {
  readonly url: string
  readonly key: string
  readonly bulk: BulkClient
  readonly WebSocket?: SocketClass | undefined
  readonly signal?: AbortSignal | undefined
  /**
   * Called when the connection is there, and when it is lost and will be opened again, then with the reason where the
   * service gave one.
   */
  readonly onState?: ((state: 'open' | 'reconnecting', reason?: CandelaError) => void) | undefined
}

/** Milliseconds before a connection is opened again: doubled after each failure. */
const minPauseMs = 250
const maxPauseMs = 15_000

/**
 * Updates that may wait to be read. With more of them the connection is closed until all are read, and what came
 * meanwhile is requested.
 */
const maxUnread = 10_000

/** The class of WebSockets to use: the given one, or that of the platform. */
function socketClass(given: SocketClass | undefined): SocketClass {
  const found = given ?? (globalThis as { readonly WebSocket?: SocketClass }).WebSocket
  if (found) return found
  throw new CandelaError(
    'This platform has no WebSocket: pass that of the package ws as the option WebSocket',
    0,
  )
}

/** The ids of updates are those of subscriptions, which the service compares without regard to case. */
function refuseDuplicates(subscriptions: readonly Subscription[]): void {
  const ids = new Set<string>()
  for (const { id } of subscriptions) {
    if (ids.has(id.toLowerCase())) throw new CandelaError(`Duplicate subscription id "${id}"`, 400)
    ids.add(id.toLowerCase())
  }
}

/** Whether another connection would have the same end: then what the service said is thrown. */
function isFinal({ error, id }: ConnectionEnd, continuity: Continuity): boolean {
  if (!error) return false
  return error.status === 401 || !continuity.hasUpdates(id)
}

/** Follows subscriptions over one connection at a time. Throws CandelaError where one of them is refused. */
export async function* follow(
  subscriptions: readonly Subscription[],
  { url, key, bulk, WebSocket, signal, onState }: StreamOptions,
): AsyncGenerator<Update, void, undefined> {
  const Socket = socketClass(WebSocket)
  refuseDuplicates(subscriptions)
  const queue = new UpdateQueue()
  const continuity = new Continuity(subscriptions, bulk, update => queue.push(update))
  let pauseMs = minPauseMs
  while (!signal?.aborted) {
    const connection = new StreamConnection({
      url,
      key,
      Socket,
      subscriptions,
      onOpen: () => onState?.('open'),
      onUpdate: update => {
        pauseMs = minPauseMs
        continuity.receive(update)
        if (queue.size > maxUnread) connection.close()
      },
    })
    const end = () => connection.close()
    signal?.addEventListener('abort', end, { once: true })
    try {
      for await (const update of queue.until(connection.ended)) {
        if (signal?.aborted) return
        yield update
      }
      const ended = await connection.ended
      if (signal?.aborted) return
      if (ended.error && isFinal(ended, continuity)) throw ended.error
      onState?.('reconnecting', ended.error)
    } finally {
      signal?.removeEventListener('abort', end)
      connection.close()
      continuity.reset()
    }
    await sleep(pauseMs * (0.5 + Math.random() / 2), signal).catch(() => {})
    pauseMs = Math.min(2 * pauseMs, maxPauseMs)
  }
}
