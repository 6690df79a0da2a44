import type { Streaming } from '../../contract/connection.js'
import type { Log } from '../../runtime/log.js'
import { pause } from '../../runtime/pause.js'
import type { Handle, Reply, RequestHead } from '../reply.js'
import type { Certificate } from './certificate.js'
import type { RequestContext } from './request-context.js'

/** A listening server. */
export interface Server {
  readonly port: number
  /** How many connections are open, without WebSockets. */
  httpConnections(): number
  /**
   * Uses this certificate for new connections; open ones stay as they are. Only for a server that was
   * started with one. Rejects when the certificate cannot be used, or the port cannot be opened with it.
   */
  renew(certificate: Certificate): Promise<void>
  /** Accepts no more connections. Requests on those that are open are answered. */
  stopListening(): void
  /**
   * Accepts nothing more; resolves when the open requests are answered or `seconds` have passed. Further calls have no
   * effect and resolve at the same time.
   */
  close(seconds: number): Promise<void>
}

/** Bounds of the memory of request bodies, in bytes. */
export interface BodyBounds {
  /** All bodies together. */
  readonly total: number
  /** The bodies of one key. Those of requests without one count as those of one key. */
  readonly ofKey: number
}

export interface ServeOptions {
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  /** Whether other processes of this service listen on the port as well; each connection is accepted by one of them. */
  readonly sharesPort?: boolean
  /** For HTTPS; without it the server speaks plain HTTP. */
  readonly certificate?: Certificate | undefined
  readonly handle: Handle
  /** Header fields of every reply to a request; undefined where there are none. */
  readonly headersOf?: (head: RequestHead) => Readonly<Record<string, string>> | undefined
  /** Called with each reply of `handle`, and with that of 500 where it failed, and when it began, as `performance.now()`. */
  readonly onReply?: (request: RequestContext, reply: Reply, startedAt: number) => void
  readonly streaming: Streaming
  /** Proxies before the service: see `clientAddress`. */
  readonly trustedProxies: number
  /** Connections that may be open at a time, streaming ones included; further ones are closed at once. */
  readonly maxConnections: number
  /**
   * Of those, connections of one address (see `clientAddress`), by default half of them. Without effect behind proxies, and on a
   * driver that does not report the address of a connection that closes.
   */
  readonly maxConnectionsPerAddress?: number | undefined
  /**
   * Bytes of answers that may wait until their clients read them. Above it the connections that have waited the longest
   * are closed; the newest answer is always kept.
   */
  readonly maxUnsentBytes: number
  /** Above it the oldest bodies that are not complete are refused. */
  readonly maxBodies: BodyBounds
  /** Bytes that may wait until a streaming client reads them; above it its updates are skipped. */
  readonly maxBackpressure: number
  /** A streaming connection is closed when the client has sent nothing for so many seconds; pings are sent before. */
  readonly idleSeconds: number
  readonly log: Log
}

/**
 * A driver of the server: it serves `handle` over HTTP/1.1 and, on `/streaming`, sessions over WebSockets. Every driver
 * promises what `test/contracts/server.test.ts` checks:
 *
 * - A request is passed to `handle` when its head has arrived. A body is received only where `handle` calls `body`, and at
 *   most to its limit.
 * - Replies are sent as they are, in the order of the requests of their connection. A reply to HEAD has no body.
 * - Of a body of fragments, only as much is written as the client reads, and other requests are served in between. The
 *   memory of fragments and of request bodies is released exactly once.
 * - `signal` of a caller is aborted when its client disconnects. Nothing is written after that.
 * - What `handle` throws is logged and answered with 500 and an `X-Request-Id`, which is in the log too.
 * - A published text is written into one frame, which all subscribers of its topic get. A client with too many unread
 *   bytes is skipped, and its session is notified, and again when it has caught up.
 * - A session is notified of the end of its connection once.
 * - A renewed certificate closes no connection.
 * - The port belongs to this process alone, unless `sharesPort` is set. Rejects when it cannot listen there.
 */
export type Serve = (options: ServeOptions) => Promise<Server>

/** The connection is cut while a longer message is received. Up to this length it is answered or closed with a reason. */
export const maxReceivedMessageBytes = 64 * 1024

/** The time for closed WebSockets to finish in order when the server closes, in milliseconds. */
export const closeGraceMs = 250

/** How often open connections are counted while they are drained, in milliseconds. */
const drainPollMs = 50
/** Seconds for the last requests on open connections once no further connection is accepted. */
export const lastRequestsSeconds = 1

/**
 * Answers requests on open and new connections for so many seconds, then on open ones for a second at most. Resolves as soon as
 * no HTTP connection is open. `onLast` is called before the port is closed: replies are to have `Connection: close` from then on.
 *
 * With that field in earlier replies, clients would end their connections and open new ones. The system resets the new ones that
 * the service has not accepted when the port is closed, and a proxy does not repeat a POST.
 */
export async function drain(server: Server, seconds: number, onLast: () => void): Promise<void> {
  await untilUnused(server, seconds)
  onLast()
  server.stopListening()
  await untilUnused(server, Math.min(seconds, lastRequestsSeconds))
}

/** Resolves when no HTTP connection is open, or after so many seconds. */
async function untilUnused(server: Server, seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000
  while (performance.now() < end && server.httpConnections() > 0) await pause(drainPollMs)
}

/** Why a server does not listen. */
export const cannotListen = (host: string, port: number, cause?: unknown): Error =>
  new Error(`cannot listen on ${host}:${port}: the address is in use or not allowed`, { cause })

export const tooManyConnectionsWarning =
  'connections were refused: as many are open as MAX_CONNECTIONS, or the limit of open files, allows'

/** A server that is closed by `close` once, however often it is asked to. */
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
