import {
  App,
  type HttpRequest,
  type HttpResponse,
  SSLApp,
  type TemplatedApp,
  type us_listen_socket,
  us_listen_socket_close,
  us_socket_local_port,
  type WebSocketBehavior,
} from 'uWebSockets.js'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RequestHead, refused } from '../api/reply.js'
import { closeCodes, malformedRequest } from '../contract/refusals.js'
import { clientAddress } from './client-address.js'
import { OpenRequests } from './open-requests.js'
import { RareWarning } from './rare-warning.js'
import { writeReply } from './reply-writer.js'
import { RequestContext } from './request-context.js'
import { RequestDispatcher } from './request-dispatcher.js'
import {
  cannotListen,
  closeGraceMs,
  maxReceivedMessageBytes,
  type Serve,
  type ServeOptions,
  serverOn,
  tooManyConnectionsWarning,
} from './server.js'
import { StreamingConnection } from './streaming-connection.js'
import { type UwsResponse, writeUwsFragments } from './uws-fragments.js'

/** uWebSockets.js' DISABLED: a shared compressor would cost more than the network for messages this short. */
const noCompression = 0 as const

/** uWebSockets.js' LIBUS_LISTEN_EXCLUSIVE_PORT: without it a second server could listen on the same port unnoticed. */
const exclusivePort = 1

/** The user data of a WebSocket. */
interface SocketData {
  readonly connection: StreamingConnection
  readonly address: string
}

/** The driver on uWebSockets.js. */
export const serve: Serve = async options => {
  const { certificate } = options
  const app = certificate
    ? SSLApp({ cert_file_name: certificate.certFile, key_file_name: certificate.keyFile })
    : App()
  const limit = limitConnections(app, options)
  const connections = serveStreaming(app, options, limit)
  const requests = serveRequests(app, options)
  const socket = await listen(app, options.host, options.port)
  return serverOn(us_socket_local_port(socket), async seconds => {
    us_listen_socket_close(socket)
    const { code, reason } = closeCodes().stopping
    // uWebSockets.js does not report when a close frame was sent.
    const closed = connections.size > 0 ? sleep(Math.min(closeGraceMs, seconds * 1000)) : undefined
    for (const connection of [...connections]) connection.close(code, reason)
    await requests.idle(seconds)
    await closed
    app.close()
  })
}

function listen(app: TemplatedApp, host: string, port: number): Promise<us_listen_socket> {
  return new Promise((resolve, reject) => {
    const onListening = (socket: us_listen_socket | false) => {
      if (socket) resolve(socket)
      else reject(cannotListen(host, port))
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

/** Notifies the limit that a WebSocket was closed: uWebSockets.js does not report that like the end of another connection. */
interface ConnectionLimit {
  streamingClosed(): void
}

/** Closes connections above the limit as soon as they are accepted. */
function limitConnections(app: TemplatedApp, { maxConnections, log }: ServeOptions): ConnectionLimit {
  const warning = new RareWarning(log)
  let open = 0
  const connectionChanged = (response: HttpResponse, change: number): void => {
    open += Math.sign(change)
    if (change < 0 || open <= maxConnections) return
    warning.warn({ maxConnections }, tooManyConnectionsWarning)
    response.close()
  }
  app.filter(connectionChanged)
  return {
    streamingClosed: () => {
      open--
    },
  }
}

/** Serves HTTP requests; returns those that are open. */
function serveRequests(app: TemplatedApp, options: ServeOptions): OpenRequests<UwsResponse> {
  const { handle, headersOf, log, maxUnsentBytes } = options
  const requests = new OpenRequests<UwsResponse>({ writeFragments: writeUwsFragments, maxUnsentBytes, log })
  const dispatcher = new RequestDispatcher(handle, requests)
  // The body of a GET is not looked at: each call into uWebSockets.js takes a GET two to three percent of its time.
  app.get('/*', (response, request) => {
    const head = new Head(request, 'get')
    dispatcher.dispatch(new RequestContext<UwsResponse>(response, false, headersOf?.(head)), head, '')
  })
  app.any('/*', (response, request) => {
    const head = new Head(request, request.getMethod())
    const context = new RequestContext<UwsResponse>(response, head.method === 'head', headersOf?.(head))
    const contentLength = request.getHeader('content-length')
    const encoding = request.getHeader('transfer-encoding')
    // Its parser reads chunks with errors as if they had none, so a further request may be hidden behind them.
    context.closesConnection = encoding !== ''
    if ((encoding === '' && contentLength === '') || hasOneLength(request, contentLength, encoding)) {
      dispatcher.dispatch(context, head, contentLength)
      return
    }
    context.closesConnection = true
    requests.open(context)
    requests.send(context, refused(malformedRequest()))
  })
  return requests
}

/** Whether every reader of a request sees the same end of its body. */
function hasOneLength(request: HttpRequest, contentLength: string, encoding: string): boolean {
  let fields = 0
  request.forEach(name => {
    if (name === 'content-length' || name === 'transfer-encoding') fields++
  })
  return (
    fields === 1 && (encoding === '' ? /^\d+$/.test(contentLength) : encoding.toLowerCase() === 'chunked')
  )
}

/** The head of a request. What every request needs is copied, because uWebSockets.js reuses the request. */
class Head implements RequestHead {
  readonly path: string
  readonly queryString: string
  readonly authorization: string
  readonly contentType: string
  readonly #request: HttpRequest

  constructor(
    request: HttpRequest,
    readonly method: string,
  ) {
    this.path = request.getUrl()
    this.queryString = request.getQuery() ?? ''
    this.authorization = request.getHeader('authorization')
    this.contentType = method === 'post' ? request.getHeader('content-type') : ''
    this.#request = request
  }

  header(name: string): string {
    return this.#request.getHeader(name)
  }
}

function addressOf(response: HttpResponse, request: HttpRequest, proxies: number): string {
  const peer = Buffer.from(response.getRemoteAddressAsText()).toString()
  const forwardedFor: string[] = []
  // Some proxies add a line of their own instead of adding to that of the client; `getHeader` gives only the first one.
  if (proxies > 0) {
    request.forEach((name, value) => {
      if (name === 'x-forwarded-for') forwardedFor.push(value)
    })
  }
  return clientAddress(peer, forwardedFor.join(','), proxies)
}

/** Serves WebSockets on `/streaming`; returns the open connections. */
function serveStreaming(
  app: TemplatedApp,
  options: ServeOptions,
  limit: ConnectionLimit,
): ReadonlySet<StreamingConnection> {
  const { streaming, maxBackpressure, idleSeconds } = options
  const connections = new Set<StreamingConnection>()
  streaming.publishTo((topic, text) => app.publish(topic, text))
  app.ws<SocketData>('/streaming', {
    compression: noCompression,
    maxPayloadLength: maxReceivedMessageBytes,
    maxBackpressure,
    idleTimeout: idleSeconds,
    sendPingsAutomatically: true,
    ...streamingListeners(options, connections, limit),
  })
  return connections
}

/** What happens when a WebSocket opens, receives, falls behind and closes. */
function streamingListeners(
  { streaming, trustedProxies, maxBackpressure, log }: ServeOptions,
  connections: Set<StreamingConnection>,
  limit: ConnectionLimit,
): WebSocketBehavior<SocketData> {
  return {
    upgrade(response, request, context) {
      const refusal = streaming.refuse()
      if (refusal) return writeReply(new RequestContext(response, false), refused(refusal))
      const address = addressOf(response, request, trustedProxies)
      response.upgrade<SocketData>(
        { connection: new StreamingConnection(), address },
        request.getHeader('sec-websocket-key'),
        request.getHeader('sec-websocket-protocol'),
        request.getHeader('sec-websocket-extensions'),
        context,
      )
    },
    open(socket) {
      const { connection, address } = socket.getUserData()
      connection.socket = socket
      connection.session = streaming.open(connection, address)
      connections.add(connection)
    },
    message(socket, message, isBinary) {
      socket.getUserData().connection.receive(new Uint8Array(message), isBinary, log)
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
      limit.streamingClosed()
      if (connection.session) streaming.ended(connection.session)
    },
  }
}
