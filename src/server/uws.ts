import {
  App,
  type HttpRequest,
  type HttpResponse,
  type TemplatedApp,
  type us_listen_socket,
  us_listen_socket_close,
  us_socket_local_port,
  type WebSocketBehavior,
} from 'uWebSockets.js'
import { setTimeout as sleep } from 'node:timers/promises'
import type { NeedsBody, Reply, RequestHead } from '../api/reply.js'
import { needsBody, refused } from '../api/reply.js'
import { closeCodes } from '../contract/refusals.js'
import type { Log } from '../log.js'
import type { SessionRegistry } from '../stream/session-registry.js'
import { BodyReceiver } from './body-receiver.js'
import { OpenRequests } from './open-requests.js'
import { writeReply } from './reply-writer.js'
import { RequestContext } from './request-context.js'
import { StreamingConnection } from './streaming-connection.js'

/** The connection is cut while a longer message is received. Up to this length it is answered or closed with a reason. */
const maxMessageBytes = 64 * 1024
/** uWebSockets.js' DISABLED: a shared compressor would cost more than the network for messages this short. */
const noCompression = 0 as const
/** The time for closed WebSockets to send their close frame, in milliseconds: uWebSockets.js does not report its end. */
const closeGraceMs = 250

/** uWebSockets.js' LIBUS_LISTEN_EXCLUSIVE_PORT: without it a second server could listen on the same port unnoticed. */
const exclusivePort = 1

/** A listening server. */
export interface Server {
  readonly port: number
  /** Accepts nothing more; resolves when the open requests are answered or `seconds` have passed. */
  close(seconds: number): Promise<void>
}

interface Options {
  readonly host: string
  readonly port: number
  readonly handle: (head: RequestHead) => Reply | Promise<Reply> | NeedsBody
  /** Header fields of every reply to a request; undefined where there are none. */
  readonly headersOf?: (head: RequestHead) => Readonly<Record<string, string>> | undefined
  readonly streaming: Pick<SessionRegistry, 'publishTo' | 'refuse' | 'open' | 'ended'>
  /** Bytes that may wait until a streaming client reads them; above it its updates are skipped. */
  readonly maxBackpressure: number
  /** A streaming connection is closed when the client has sent nothing for so many seconds; pings are sent before. */
  readonly idleSeconds: number
  readonly log: Log
}

/** The user data of a WebSocket. */
interface SocketData {
  readonly connection: StreamingConnection
}

/** Serves `handle` over HTTP and, on `/streaming`, sessions over WebSockets. Rejects when it cannot listen. */
export async function serve(options: Options): Promise<Server> {
  const app = App()
  const connections = serveStreaming(app, options)
  const requests = serveRequests(app, options)
  const socket = await listen(app, options.host, options.port)
  return {
    port: us_socket_local_port(socket),
    close: async seconds => {
      us_listen_socket_close(socket)
      const { code, reason } = closeCodes().stopping
      const closed = connections.size > 0 ? sleep(Math.min(closeGraceMs, seconds * 1000)) : undefined
      for (const connection of [...connections]) connection.close(code, reason)
      await requests.idle(seconds)
      await closed
      app.close()
    },
  }
}

function listen(app: TemplatedApp, host: string, port: number): Promise<us_listen_socket> {
  return new Promise((resolve, reject) => {
    const onListening = (socket: us_listen_socket | false) => {
      if (socket) resolve(socket)
      else reject(new Error(`cannot listen on ${host}:${port}: the address is in use or not allowed`))
    }
    // The types of uWebSockets.js lack the form with an address and options.
    const listenOn = app.listen as unknown as (
      host: string,
      port: number,
      options: number,
      onListening: (socket: us_listen_socket | false) => void,
    ) => unknown
    listenOn.call(app, host, port, exclusivePort, onListening)
  })
}

/** Serves HTTP requests; returns those that are open. */
function serveRequests(app: TemplatedApp, { handle, headersOf, log }: Options): OpenRequests {
  const requests = new OpenRequests(log)
  const bodies = new BodyReceiver(requests)
  app.any('/*', (response: HttpResponse, request: HttpRequest) => {
    const head = new Head(request)
    const context = new RequestContext(response, head.method === 'head', headersOf?.(head))
    try {
      const reply = handle(head)
      if (reply instanceof Promise) {
        requests.open(context)
        reply
          .then(arrived => requests.send(context, arrived))
          .catch(error => requests.fail(context, error, head))
      } else if (needsBody(reply)) {
        requests.open(context)
        bodies.receive(context, head, Number(request.getHeader('content-length')), reply)
      } else if (typeof reply.body === 'string') writeReply(context, reply)
      else {
        requests.open(context)
        requests.send(context, reply)
      }
    } catch (error) {
      requests.fail(context, error, head)
    }
  })
  return requests
}

/** The head of a request. What every request needs is copied, because uWebSockets.js reuses the request. */
class Head implements RequestHead {
  readonly method: string
  readonly path: string
  readonly queryString: string
  readonly authorization: string
  readonly contentType: string
  readonly #request: HttpRequest

  constructor(request: HttpRequest) {
    this.method = request.getMethod()
    this.path = request.getUrl()
    this.queryString = request.getQuery() ?? ''
    this.authorization = request.getHeader('authorization')
    this.contentType = this.method === 'post' ? request.getHeader('content-type') : ''
    this.#request = request
  }

  header(name: string): string {
    return this.#request.getHeader(name)
  }
}

/** Serves WebSockets on `/streaming`; returns the open connections. */
function serveStreaming(app: TemplatedApp, options: Options): ReadonlySet<StreamingConnection> {
  const { streaming, maxBackpressure, idleSeconds } = options
  const connections = new Set<StreamingConnection>()
  streaming.publishTo((topic, text) => app.publish(topic, text))
  app.ws<SocketData>('/streaming', {
    compression: noCompression,
    maxPayloadLength: maxMessageBytes,
    maxBackpressure,
    idleTimeout: idleSeconds,
    sendPingsAutomatically: true,
    ...streamingListeners(options, connections),
  })
  return connections
}

/** What happens when a WebSocket opens, receives, falls behind and closes. */
function streamingListeners(
  { streaming, maxBackpressure, log }: Options,
  connections: Set<StreamingConnection>,
): WebSocketBehavior<SocketData> {
  return {
    upgrade(response, request, context) {
      const refusal = streaming.refuse()
      if (refusal) return writeReply(new RequestContext(response, false), refused(refusal))
      response.upgrade<SocketData>(
        { connection: new StreamingConnection() },
        request.getHeader('sec-websocket-key'),
        request.getHeader('sec-websocket-protocol'),
        request.getHeader('sec-websocket-extensions'),
        context,
      )
    },
    open(socket) {
      const { connection } = socket.getUserData()
      connection.socket = socket
      connection.session = streaming.open(connection)
      connections.add(connection)
    },
    message(socket, message, isBinary) {
      const { connection } = socket.getUserData()
      try {
        connection.session?.receive(new Uint8Array(message), isBinary)
      } catch (error) {
        log.error({ err: error }, 'a streaming connection failed')
        const { code, reason } = closeCodes().internal
        connection.close(code, reason)
      }
    },
    dropped: socket => socket.getUserData().connection.session?.skipped(),
    drain(socket) {
      const waiting = socket.getBufferedAmount()
      if (waiting <= maxBackpressure)
        socket.getUserData().connection.session?.drained(waiting <= maxBackpressure / 2)
    },
    close(socket) {
      const { connection } = socket.getUserData()
      connection.socket = undefined
      connections.delete(connection)
      if (connection.session) streaming.ended(connection.session)
    },
  }
}
