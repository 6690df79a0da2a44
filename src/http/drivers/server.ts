import type { Streaming } from '../../contract/connection.js'
import type { Log } from '../../runtime/log.js'
import { pause } from '../../runtime/pause.js'
import type { Handle, Reply, RequestHead } from '../reply.js'
import type { Certificate } from './certificate.js'
import type { RequestContext } from './request-context.js'

export interface Server {
  readonly port: number
  /** Number of open connections without WebSockets. */
  httpConnections(): number
  /**
   * Uses this certificate for new connections; open ones are unchanged. Requires a server that was started with a
   * certificate. Rejects if the certificate cannot be used, or if the port cannot be opened with it.
   */
  renew(certificate: Certificate): Promise<void>
  /** Stops accepting connections. Requests on open connections are still answered. */
  stopListening(): void
  /**
   * Stops accepting connections and requests. Resolves when the open requests are answered or `seconds` have passed.
   * Further calls have no effect and resolve at the same time.
   */
  close(seconds: number): Promise<void>
}

export interface BodyBounds {
  /** All bodies together. */
  readonly total: number
  /** Bodies of one key. Requests without a key count as one key. */
  readonly ofKey: number
}

export interface ServeOptions {
  readonly host: string
  /** Port; 0 for any free port. */
  readonly port: number
  /** Whether other processes of this service listen on the port as well. Each connection is accepted by one of them. */
  readonly sharesPort?: boolean
  /** Certificate for HTTPS. If undefined, the server speaks plain HTTP. */
  readonly certificate?: Certificate | undefined
  readonly handle: Handle
  /** Header fields of every reply to a request; undefined if there are none. */
  readonly headersOf?: (head: RequestHead) => Readonly<Record<string, string>> | undefined
  /**
   * Called with each reply of `handle`, or with the reply 500 if `handle` failed. `startedAt` is a time of
   * `performance.now()`.
   */
  readonly onReply?: (request: RequestContext, reply: Reply, startedAt: number) => void
  readonly streaming: Streaming
  /** Number of proxies in front of the service: see `clientAddress`. */
  readonly trustedProxies: number
  /** Maximum number of open connections, including streaming ones. Further ones are closed at once. */
  readonly maxConnections: number
  /**
   * Maximum number of these connections per address (see `clientAddress`), by default half of them. Has no effect
   * behind proxies, or with a driver that does not report the address of a closed connection.
   */
  readonly maxConnectionsPerAddress?: number | undefined
  /**
   * Maximum unread bytes of answers. Above it, the connections that have waited the longest are closed. The newest
   * answer is always kept.
   */
  readonly maxUnsentBytes: number
  /** Bounds above which the oldest incomplete bodies are refused. */
  readonly maxBodies: BodyBounds
  /** Maximum unread bytes of a streaming client. Above it, updates are skipped. */
  readonly maxBackpressure: number
  /** Idle timeout of a streaming connection, in seconds. Pings are sent earlier. */
  readonly idleSeconds: number
  readonly log: Log
}

/**
 * A driver of the server: it serves `handle` over HTTP/1.1 and, on `/streaming`, sessions over WebSockets. Every driver
 * promises what `test/contracts/server.test.ts` checks:
 *
 * - A request is passed to `handle` when its head has arrived. A body is received only if `handle` calls `body`, and at
 *   most to its limit.
 * - Replies are sent unchanged, in the order of the requests of their connection. A reply to HEAD has no body.
 * - A body of fragments is written only as fast as the client reads, and other requests are served in between. The
 *   memory of fragments and of request bodies is released exactly once.
 * - `signal` of a caller is aborted when its client disconnects. Nothing is written after that.
 * - An error that `handle` throws is logged and answered with 500. The `X-Request-Id` of the reply is in the log too.
 * - A published text is written into one frame, which all subscribers of its topic get. A client with too many unread
 *   bytes is skipped. Its session is notified of that, and again when it has caught up.
 * - A session is notified of the end of its connection once.
 * - A renewed certificate closes no connection.
 * - The port belongs to this process alone, unless `sharesPort` is set. Rejects if it cannot listen on the port.
 */
export type Serve = (options: ServeOptions) => Promise<Server>

/**
 * Maximum length of a received message. A longer message cuts the connection at once. Up to this length, a message is
 * answered, or closed with a reason.
 */
export const maxReceivedMessageBytes = 64 * 1024

/** Grace period for closed WebSockets when the server closes, in milliseconds. */
export const closeGraceMs = 250

/** Interval at which open connections are counted while they are drained, in milliseconds. */
const drainPollMs = 50
/** Time for the last requests on open connections after the port was closed, in seconds. */
export const lastRequestsSeconds = 1

/**
 * Answers requests on open and new connections for at most `seconds`, then on open ones for at most one more second.
 * Resolves as soon as no HTTP connection is open. `onLast` is called shortly before the port is closed. From then on,
 * replies must have `Connection: close`. With that field in earlier replies, clients would end their connections and
 * open new ones. When the port is closed, the system resets new connections that are not yet accepted, and a proxy does
 * not repeat a POST.
 */
export async function drain(server: Server, seconds: number, onLast: () => void): Promise<void> {
  await untilUnused(server, seconds)
  onLast()
  server.stopListening()
  await untilUnused(server, Math.min(seconds, lastRequestsSeconds))
}

/** Resolves when no HTTP connection is open, or after `seconds`. */
async function untilUnused(server: Server, seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000
  while (performance.now() < end && server.httpConnections() > 0) await pause(drainPollMs)
}

export const cannotListen = (host: string, port: number, cause?: unknown): Error =>
  new Error(`cannot listen on ${host}:${port}: the address is in use or not allowed`, { cause })

export const tooManyConnectionsWarning =
  'connections were refused: as many are open as MAX_CONNECTIONS, or the limit of open files, allows'

/** Server whose `close` runs only once, however often it is called. */
export function serverOn(server: Omit<Server, 'close'>, close: Server['close']): Server {
  let closed: Promise<void> | undefined
  return {
    ...server,
    close: seconds => {
      closed ??= close(seconds)
      return closed
    },
  }
}
