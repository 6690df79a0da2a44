import { CandelaError } from './errors.js'
import { sleep } from './http.js'
import { type SocketClass, StreamConnection } from './stream-connection.js'
import type { Subscription, Update } from './types.js'
import { UpdateQueue } from './update-queue.js'

export interface StreamOptions {
  readonly url: string
  readonly key: string
  readonly WebSocket?: SocketClass
  readonly signal?: AbortSignal
  /** Called when the connection is there, and when it broke and is opened again. */
  readonly onState?: (state: 'open' | 'reconnecting') => void
}

/** Milliseconds before a connection is opened again: doubled after each failure. */
const minPauseMs = 250
const maxPauseMs = 15_000

/** The class of WebSockets to use: the given one, or that of the platform. */
function socketClass(given: SocketClass | undefined): SocketClass {
  const found = given ?? (globalThis as { readonly WebSocket?: SocketClass }).WebSocket
  if (found) return found
  throw new CandelaError(
    'This platform has no WebSocket: pass that of the package ws as the option WebSocket',
    0,
  )
}

/** Follows subscriptions over one connection at a time. Throws CandelaError where one of them is refused. */
export async function* follow(
  subscriptions: readonly Subscription[],
  { url, key, WebSocket, signal, onState }: StreamOptions,
): AsyncIterableIterator<Update> {
  const Socket = socketClass(WebSocket)
  const queue = new UpdateQueue()
  let pauseMs = minPauseMs
  while (!signal?.aborted) {
    const connection = new StreamConnection(new Socket(`${url}/streaming`), key, subscriptions, {
      onUpdate: update => queue.push(update),
      onOpen: () => {
        pauseMs = minPauseMs
        onState?.('open')
      },
    })
    const end = () => connection.close()
    signal?.addEventListener('abort', end, { once: true })
    try {
      yield* queue.until(connection.ended)
      const failure = await connection.ended
      if (failure && !signal?.aborted) throw failure
    } finally {
      signal?.removeEventListener('abort', end)
      connection.close()
    }
    if (signal?.aborted) return
    onState?.('reconnecting')
    await sleep(pauseMs * (0.5 + Math.random() / 2), signal).catch(() => {})
    pauseMs = Math.min(2 * pauseMs, maxPauseMs)
  }
}
