import type {
  HttpRequest,
  HttpResponse,
  TemplatedApp,
  us_listen_socket,
  WebSocketBehavior,
} from 'uWebSockets.js'
import { closeCodes, malformedRequest } from '../../contract/refusals.js'
import { pause } from '../../runtime/pause.js'
import { scheduler } from '../../runtime/scheduler.js'
import { type BodyFragments, refused } from '../reply.js'
import { BodyReceiver } from './bodies.js'
import type { Certificate } from './certificate.js'
import { clientAddress } from './client-address.js'
import { OpenRequests } from './open-requests.js'
import { RareWarning } from './rare-warning.js'
import { RequestContext, type HttpResponse as ResponseWriter, writeReply } from './request-context.js'
import {
  cannotListen,
  closeGraceMs,
  maxReceivedMessageBytes,
  type Serve,
  type ServeOptions,
  type Server,
  serverOn,
  tooManyConnectionsWarning,
} from './server.js'
import { StreamingConnection } from './streaming-connection.js'

/** uWebSockets.js' DISABLED: a shared compressor would cost more than the network for messages this short. */
const noCompression = 0 as const

/**
 * LIBUS_LISTEN_EXCLUSIVE_PORT of uWebSockets.js. Without it, a second server could listen on the same port unnoticed.
 * The system divides the connections of a port among its servers (SO_REUSEPORT).
 */
const exclusivePort = 1
const sharedPort = 0

const noAddressLimitWarning =
  'MAX_CONNECTIONS_PER_ADDRESS has no effect with uWebSockets.js: set TRANSPORT to node, or limit addresses in a proxy'

/** The user data of a WebSocket. */
interface SocketData {
  readonly connection: StreamingConnection
  readonly address: string
}

/** Loads the driver on uWebSockets.js. Rejects if the package has no binary for this Node and platform. */
export async function loadServe(): Promise<Serve> {
  // Imported here, because the package may be missing or lack a binary.
  const library = await import('uWebSockets.js')
  return options => serve(library, options)
}

async function serve(
  { App, SSLApp, us_listen_socket_close, us_socket_local_port }: typeof import('uWebSockets.js'),
  options: ServeOptions,
): Promise<Server> {
  const { host, streaming, sharesPort = false, log } = options
  if (options.maxConnectionsPerAddress !== undefined && options.trustedProxies === 0)
    log.warn({}, noAddressLimitWarning)
  const limit = new ConnectionLimit<TemplatedApp>(options)
  const connections = new Set<StreamingConnection>()
  const requests = new OpenRequests<UwsResponse>(options, writeUwsFragments)
  const bodies = new BodyReceiver(options)
  const create = (certificate: Certificate | undefined): TemplatedApp => {
    const app = certificate
      ? SSLApp({ cert_file_name: certificate.certFile, key_file_name: certificate.keyFile })
      : App()
    limit.apply(app)
    serveStreaming(app, options, connections, () => limit.closed(app))
    serveRequests(app, requests, bodies)
    return app
  }
  let app = create(options.certificate)
  let socket: us_listen_socket | undefined = await listen(app, host, options.port, sharesPort)
  const port = us_socket_local_port(socket)
  const stopListening = () => {
    if (socket) us_listen_socket_close(socket)
    socket = undefined
  }
  const listenAgain = async (by: TemplatedApp) => {
    stopListening()
    socket = await listen(by, host, port, sharesPort)
  }
  // While connections are open, uWebSockets.js opens a port again only if the port was requested by its number.
  if (options.certificate && options.port === 0) await listenAgain(app)
  streaming.publishTo((topic, text) => {
    for (const open of limit.apps) open.publish(topic, text)
  })
  const renew = async (certificate: Certificate) => {
    // An open port keeps its certificate. Connections stay with the port that has accepted them.
    const next = create(certificate)
    await listenAgain(next)
    limit.retire(app)
    app = next
  }
  const httpConnections = () => limit.open - connections.size
  return serverOn({ port, renew, httpConnections, stopListening }, async seconds => {
    stopListening()
    const { code, reason } = closeCodes().stopping
    // uWebSockets.js does not report when a close frame was sent.
    const closed = connections.size > 0 ? pause(Math.min(closeGraceMs, seconds * 1000)) : undefined
    for (const connection of [...connections]) connection.close(code, reason)
    await requests.idle(seconds)
    await closed
    for (const open of limit.apps) open.close()
  })
}

function listen(
  app: TemplatedApp,
  host: string,
  port: number,
  sharesPort: boolean,
): Promise<us_listen_socket> {
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
    listenOn.call(app, host, port, sharesPort ? sharedPort : exclusivePort, onListening)
  })
}

function serveRequests(app: TemplatedApp, requests: OpenRequests<UwsResponse>, bodies: BodyReceiver): void {
  // The fields of a GET are not checked for its body or its hosts. Each call of uWebSockets.js costs two to three
  // percent of the time of a GET.
  app.get('/*', (response, request) => {
    const context = new UwsRequest(response, request, 'get', bodies)
    requests.answer(context)
    if (!context.isOver) context.keepHeader()
  })
  app.any('/*', (response, request) => {
    const { fields, isUnambiguous } = readFields(request)
    const context = new UwsRequest(response, request, request.getMethod(), bodies, fields)
    if (!isUnambiguous) return requests.refuse(context, malformedRequest())
    context.contentLength = Number(fields.get('content-length'))
    // The parser accepts chunks with errors, so a further request may be hidden behind them.
    context.closesConnection = fields.has('transfer-encoding')
    requests.answer(context)
  })
}

/**
 * Reads the header fields of a request, the first one of each name. `isUnambiguous`: every reader of the request sees the
 * same host and the same end of its body.
 */
function readFields(request: HttpRequest) {
  const fields = new Map<string, string>()
  let hosts = 0
  let lengths = 0
  request.forEach((name, value) => {
    if (name === 'host') hosts++
    else if (name === 'content-length' || name === 'transfer-encoding') lengths++
    if (!fields.has(name)) fields.set(name, value)
  })
  const encoding = fields.get('transfer-encoding')
  const hasEnd =
    encoding === undefined
      ? /^\d+$/.test(fields.get('content-length') ?? '')
      : encoding.toLowerCase() === 'chunked'
  return { fields, isUnambiguous: hosts <= 1 && (lengths === 0 || (lengths === 1 && hasEnd)) }
}

/** A request with a copy of the parts of its head that every request needs, because uWebSockets.js reuses its own memory. */
class UwsRequest extends RequestContext<UwsResponse> {
  readonly path: string
  readonly queryString: string
  readonly authorization: string
  readonly contentType: string
  readonly #request: HttpRequest
  #fields: Map<string, string> | undefined

  /** `fields` are the header fields, if they were read. */
  constructor(
    response: HttpResponse,
    request: HttpRequest,
    method: string,
    bodies: BodyReceiver,
    fields?: Map<string, string>,
  ) {
    super(response, method, bodies)
    this.path = request.getUrl()
    this.queryString = request.getQuery() ?? ''
    this.authorization = request.getHeader('authorization')
    this.contentType = method === 'post' || method === 'patch' ? request.getHeader('content-type') : ''
    this.#request = request
    this.#fields = fields
  }

  header(name: string): string {
    return this.#fields ? (this.#fields.get(name) ?? '') : this.#request.getHeader(name)
  }

  /** Must be called before the callback of a request ends that is not yet answered. */
  keepHeader(): void {
    this.#fields = readFields(this.#request).fields
  }
}

function addressOf(response: HttpResponse, request: HttpRequest, proxies: number): string {
  const forwardedFor: string[] = []
  // Some proxies add a field of their own instead of extending the client's field; `getHeader` returns only the first one.
  if (proxies > 0) {
    request.forEach((name, value) => {
      if (name === 'x-forwarded-for') forwardedFor.push(value)
    })
  }
  const peer = Buffer.from(response.getRemoteAddressAsText()).toString()
  return clientAddress(peer, forwardedFor.join(','), proxies)
}

/** Serves WebSockets on `/streaming`. Open ones are in `connections`. */
function serveStreaming(
  app: TemplatedApp,
  options: ServeOptions,
  connections: Set<StreamingConnection>,
  onClose: () => void,
): void {
  const { maxBackpressure, idleSeconds } = options
  app.ws<SocketData>('/streaming', {
    compression: noCompression,
    maxPayloadLength: maxReceivedMessageBytes,
    maxBackpressure,
    idleTimeout: idleSeconds,
    sendPingsAutomatically: true,
    ...streamingListeners(options, connections, onClose),
  })
}

/** Listeners of a WebSocket: it opens, receives, falls behind and closes. */
function streamingListeners(
  { streaming, trustedProxies, maxBackpressure, log }: ServeOptions,
  connections: Set<StreamingConnection>,
  onClose: () => void,
): WebSocketBehavior<SocketData> {
  return {
    upgrade(response, request, context) {
      const refusal = readFields(request).isUnambiguous ? streaming.refuse() : malformedRequest()
      if (refusal) {
        writeReply({ response, isHead: false, closesConnection: false, headers: undefined }, refused(refusal))
        return
      }
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
    ping: socket => socket.getUserData().connection.receiveControl(),
    pong: socket => socket.getUserData().connection.receiveControl(),
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
      onClose()
      if (connection.session) streaming.ended(connection.session)
    },
  }
}

/** Part of a connection of uWebSockets.js that is used here. */
interface UwsConnection {
  close(): unknown
}

/** Part of an app of uWebSockets.js that is used here. */
interface UwsApp {
  filter(listener: (connection: UwsConnection, change: number) => void): unknown
}

/**
 * Closes connections above the limit as soon as they are accepted, and knows the apps with connections. Addresses have
 * no limit, because uWebSockets.js does not report which connection has closed.
 */
class ConnectionLimit<App extends UwsApp> {
  readonly #max: number
  readonly #warning: RareWarning
  readonly #openByApp = new Map<App, number>()
  readonly #retired = new WeakSet<App>()

  constructor(options: ServeOptions) {
    this.#max = options.maxConnections
    this.#warning = new RareWarning(options.log)
  }

  /** Apps that accept connections or have open ones. */
  get apps(): Iterable<App> {
    return this.#openByApp.keys()
  }

  apply(app: App): void {
    this.#openByApp.set(app, 0)
    // biome-ignore lint/suspicious/useIterableCallbackReturn: this is no array.
    app.filter((connection, change) => {
      this.#count(app, Math.sign(change))
      if (change < 0 || this.open <= this.#max) return
      this.#warning.warn({ maxConnections: this.#max }, tooManyConnectionsWarning)
      connection.close()
    })
  }

  /** Subtracts a closed WebSocket from the count. Of other connections, uWebSockets.js reports the end itself. */
  closed(app: App): void {
    this.#count(app, -1)
  }

  /** Removes an app that accepts no further connections, once its last connection is closed. */
  retire(app: App): void {
    this.#retired.add(app)
    this.#count(app, 0)
  }

  /** Number of open connections, including WebSockets. */
  get open(): number {
    let open = 0
    for (const ofApp of this.#openByApp.values()) open += ofApp
    return open
  }

  #count(app: App, change: number): void {
    const open = (this.#openByApp.get(app) ?? 0) + change
    if (open === 0 && this.#retired.has(app)) this.#openByApp.delete(app)
    else this.#openByApp.set(app, open)
  }
}

/** Response of uWebSockets.js, as far as it is used here. */
export interface UwsResponse extends ResponseWriter {
  /**
   * Writes a fragment of a body of `total` bytes. Returns whether the fragment was taken completely, and whether the
   * body is complete.
   */
  tryEnd(fragment: Uint8Array, total: number): [isTaken: boolean, isDone: boolean]
  /** Number of bytes of the body that were taken. */
  getWriteOffset(): number
  onWritable(listener: () => boolean): unknown
}

/**
 * Writes fragments as fast as the socket takes them. The rest stays here until the socket is writable, instead of being
 * copied into a buffer of the server. Each turn of the event loop writes only one fragment, and only while the turn has
 * time, so that other requests are read in between. Copying megabytes into sockets blocks the loop for milliseconds,
 * and many sockets may become writable together.
 */
export function writeUwsFragments(
  context: Pick<RequestContext<UwsResponse>, 'response' | 'fragments'>,
  { buffers, byteLength: total }: BodyFragments,
  onDone: () => void,
): void {
  const { response } = context
  let at = 0
  /** Offset of fragment `at` in the body. */
  let offset = 0
  const push = (): boolean => {
    const fragment = buffers[at] as Uint8Array
    const [isTaken, isDone] = response.tryEnd(fragment.subarray(response.getWriteOffset() - offset), total)
    if (isDone) onDone()
    if (isDone || !isTaken) return isDone
    offset += fragment.byteLength
    at++
    void scheduler.next('answers').then(pushUnlessEnded)
    return true
  }
  /** Pushes the next fragment, unless the client has disconnected and the fragments are unset. */
  const pushUnlessEnded = () => {
    if (context.fragments) response.cork(push)
  }
  response.onWritable(() => {
    if (scheduler.hasTime('answers')) return push()
    void scheduler.next('answers').then(pushUnlessEnded)
    // Nothing was written here, so no write has failed. The socket is not asked again until `tryEnd` fails.
    return true
  })
  push()
}
