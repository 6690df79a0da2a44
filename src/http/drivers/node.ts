import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerOptions,
  ServerResponse,
} from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import {
  closeCodes,
  headTooLarge,
  malformedRequest,
  type Refusal,
  requestTimeout,
} from '../../contract/refusals.js'
import { withTimeout } from '../../runtime/deadline.js'
import { Counts, Groups } from '../../runtime/groups.js'
import { pause } from '../../runtime/pause.js'
import { scheduler } from '../../runtime/scheduler.js'
import { type WebSocket, WebSocketServer } from '../../runtime/web-sockets.js'
import { type BodyFragments, refused } from '../reply.js'
import { BodyReceiver } from './bodies.js'
import type { Certificate } from './certificate.js'
import { clientAddress } from './client-address.js'
import { OpenRequests } from './open-requests.js'
import { RareWarning } from './rare-warning.js'
import { type HttpResponse, RequestContext, statusLineOf, writeReply } from './request-context.js'
import {
  cannotListen,
  closeGraceMs,
  maxReceivedMessageBytes,
  type Serve,
  type ServeOptions,
  serverOn,
  tooManyConnectionsWarning,
} from './server.js'
import { StreamingConnection, skipped } from './streaming-connection.js'

/** Times in milliseconds, and sizes in bytes. uWebSockets.js has similar limits, which cannot be set. */
const limits = {
  /** Maximum time between two requests of a connection. */
  keepAliveTimeout: 10_000,
  /** Maximum time for the head of a request. */
  headersTimeout: 10_000,
  /** Maximum time for a whole request: 4 MiB at 70 kB a second. */
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16 * 1024,
  // Releases of Node.js without this option pass every request with an Upgrade field to `serveUpgrades`.
  shouldUpgradeCallback: isStreamingUpgrade,
} satisfies ServerOptions & { shouldUpgradeCallback: (request: IncomingMessage) => boolean }

const tooManyOfAddressWarning =
  'connections were refused: their address has as many open as MAX_CONNECTIONS_PER_ADDRESS allows'

/** Timeout of the TLS handshake, in milliseconds. */
const handshakeTimeout = 10_000

/** The driver on `node:http` and `ws`, for every platform of Node.js. */
export const serve: Serve = async options => {
  const { certificate, maxConnections, log } = options
  const secureServer =
    certificate &&
    createSecureServer({ ...limits, handshakeTimeout, cert: certificate.cert, key: certificate.key })
  const server = secureServer ?? createServer(limits)
  server.maxConnections = maxConnections
  // Without it, the rest of an answer is lost when the client closes its side. The types of Node.js lack it.
  Object.assign(server, { httpAllowHalfOpen: true })
  const warning = new RareWarning(log)
  limitAddresses(server, options)
  let open = 0
  server.on('connection', (socket: Socket) => {
    open++
    socket.once('close', () => open--)
  })
  server.on('drop', () => warning.warn({ maxConnections }, tooManyConnectionsWarning))
  const connections = new NodeConnections()
  server.on('clientError', (error, socket) => connections.refuse(error, socket as Socket))
  const requests = serveRequests(server, connections, options)
  const streaming = new NodeStreaming(options)
  serveUpgrades(server, streaming)
  await listen(server, options)
  const { port } = server.address() as AddressInfo
  const renew = async ({ cert, key }: Certificate) => secureServer?.setSecureContext({ cert, key })
  const httpConnections = () => open - streaming.open
  // The `close` of the HTTP server would also close connections that wait for their next request.
  const stopListening = () => void NetServer.prototype.close.call(server)
  return serverOn({ port, renew, httpConnections, stopListening }, async seconds => {
    server.close()
    await Promise.all([streaming.close(seconds), requests.idle(seconds), connections.idle(seconds)])
    server.closeAllConnections()
  })
}

/**
 * Closes connections of an address that has reached its limit of open connections. Has no effect behind proxies, where
 * all connections come from the last proxy.
 */
function limitAddresses(server: NetServer, options: ServeOptions): void {
  const { maxConnections, maxConnectionsPerAddress, trustedProxies, log } = options
  if (trustedProxies > 0) return
  const max = maxConnectionsPerAddress ?? Math.ceil(maxConnections / 2)
  const warning = new RareWarning(log)
  const openOf = new Counts()
  server.on('connection', (socket: Socket) => {
    // A closed socket has no address.
    const address = clientAddress(socket.remoteAddress ?? '', '', 0)
    openOf.change(address, 1)
    socket.once('close', () => openOf.change(address, -1))
    if (openOf.of(address) <= max) return
    warning.warn({ address, max }, tooManyOfAddressWarning)
    socket.destroy()
  })
}

/** Opens the port. A shared port belongs to the process that has started this one: see `node:cluster`. */
function listen(server: NetServer, { host, port, sharesPort = false }: ServeOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', cause => reject(cannotListen(host, port, cause)))
    server.listen({ host, port, exclusive: !sharesPort }, resolve)
  })
}

/** Serves HTTP requests. Returns the open requests. */
function serveRequests(
  server: NetServer,
  connections: NodeConnections,
  options: ServeOptions,
): OpenRequests<NodeResponse> {
  const requests = new OpenRequests<NodeResponse>(options, writeNodeFragments)
  const bodies = new BodyReceiver(options)
  const answer = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean) => {
    const connection = connections.of(request.socket)
    // Node.js and a proxy may disagree about the host of such a request, or about the end of its body.
    const encoding = request.headers['transfer-encoding'] ?? 'chunked'
    if (encoding.toLowerCase() !== 'chunked' || hasTwoHosts(request)) {
      connection.end(lastReply(malformedRequest()))
      return
    }
    const context = new NodeRequest(new NodeResponse(request, response, expectsContinue), request, bodies)
    connection.begin(request, response, () => requests.answer(context))
  }
  server.on('request', (request, response) => answer(request, response, false))
  server.on('checkContinue', (request, response) => answer(request, response, true))
  return requests
}

/** A request of `node:http`, whose head can be read at any time. */
class NodeRequest extends RequestContext<NodeResponse> {
  readonly path: string
  readonly queryString: string
  readonly authorization: string
  readonly contentType: string
  readonly #headers: IncomingHttpHeaders

  constructor(
    response: NodeResponse,
    { method = '', url = '', headers }: IncomingMessage,
    bodies: BodyReceiver,
  ) {
    super(response, method.toLowerCase(), bodies)
    const queryAt = url.indexOf('?')
    this.path = queryAt < 0 ? url : url.slice(0, queryAt)
    this.queryString = queryAt < 0 ? '' : url.slice(queryAt + 1)
    this.authorization = headers.authorization ?? ''
    this.contentType = headers['content-type'] ?? ''
    this.contentLength = Number(headers['content-length'] ?? '')
    this.#headers = headers
  }

  header(name: string): string {
    return String(this.#headers[name] ?? '')
  }
}

/** Upgrades connections to WebSockets. Other requests with an Upgrade field are answered as if the field were missing. */
function serveUpgrades(server: NetServer, streaming: NodeStreaming): void {
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (isStreamingUpgrade(request)) {
      streaming.upgrade(request, socket, head)
      return
    }
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket)
    response.once('finish', () => socket.end())
    const hasBody = 'content-length' in request.headers || 'transfer-encoding' in request.headers
    // Node.js reads no body after the head of such a request.
    if (hasBody) {
      const target = { response: new NodeResponse(request, response, false), isHead: false }
      writeReply({ ...target, closesConnection: false, headers: undefined }, refused(malformedRequest()))
    } else server.emit('request', request, response)
  })
}

/** Maximum number of requests that wait behind the current one. A client that sends more is disconnected. */
const maxWaitingRequests = 256
/** Time for a client to read the reason before it is disconnected, in milliseconds. */
const lingerMs = 1000

/** Refusals of connections that cannot be read any further, by the error code of Node.js. */
const refusals: Readonly<Record<string, () => Refusal>> = {
  HPE_HEADER_OVERFLOW: headTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: requestTimeout,
}

/** Text of a reply after which the connection ends. */
function lastReply(refusal: Refusal): string {
  const { status, body, headers } = refused(refusal)
  const fields = {
    ...headers,
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body as string)),
    Connection: 'close',
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${statusLineOf(status)}\r\n${lines.join('')}\r\n${body}`
}

/** Whether a request has several Host fields. Node.js uses only the first one. */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let k = 0; k < rawHeaders.length; k += 2) {
    const name = rawHeaders[k] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}

/** A request that is being answered. */
interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly answer: () => void
}

/**
 * Requests of one connection, answered one after the other. A client that sends thousands of requests at once and reads
 * nothing occupies only the memory of one answer.
 */
class NodeConnection {
  readonly #socket: Socket
  readonly #connections: NodeConnections
  readonly #waiting: Exchange[] = []
  #current: Exchange | undefined
  /** Last reply, sent after the other answers because what follows cannot be read. */
  #last: string | undefined

  constructor(socket: Socket, connections: NodeConnections) {
    this.#socket = socket
    this.#connections = connections
  }

  /** Starts an answer at once, or after the earlier answers are sent. */
  begin(request: IncomingMessage, response: ServerResponse, answer: () => void): void {
    const exchange = { request, response, answer }
    if (this.#last !== undefined) return
    if (!this.#current) {
      this.#connections.open++
      this.#start(exchange)
    } else if (this.#waiting.push(exchange) > maxWaitingRequests) {
      this.#waiting.length = 0
      this.#socket.destroy()
    }
  }

  /**
   * Handles a client that has closed its side. Most such clients have left, so answers that are not yet being sent are
   * dropped. An answer that is being sent is completed, because some clients close their side after their last request.
   */
  clientEnded(): void {
    if (this.#current && !this.#current.response.headersSent) this.#socket.destroy()
  }

  /** Sends a last reply after the answers to the requests already read, and closes the connection. */
  end(reply: string): void {
    if (this.#last !== undefined) return
    this.#last = reply
    this.#socket.pause()
    const { request, response } = this.#current ?? {}
    // The body of the current request will never be complete.
    if (request && !request.complete && response?.headersSent) this.#socket.destroy()
    else if (!request?.complete) this.#close(reply)
  }

  #start(exchange: Exchange): void {
    this.#current = exchange
    exchange.response.once('close', () => this.#next())
    exchange.answer()
  }

  #next(): void {
    const next = this.#socket.destroyed ? undefined : this.#waiting.shift()
    if (next) this.#start(next)
    else {
      this.#current = undefined
      if (this.#last !== undefined) this.#close(this.#last)
      this.#connections.ended()
    }
  }

  #close(reply: string): void {
    this.#socket.end(reply)
    // If the socket closed at once, unread bytes would make the system drop the reply as well.
    this.#socket.setTimeout(lingerMs, () => this.#socket.destroy())
  }
}

class NodeConnections {
  readonly #connections = new WeakMap<Socket, NodeConnection>()
  #onIdle: (() => void) | undefined
  /** Number of connections with a request whose answer is not completely sent. */
  open = 0

  of(socket: Socket): NodeConnection {
    let connection = this.#connections.get(socket)
    if (!connection) {
      const created = new NodeConnection(socket, this)
      socket.once('end', () => created.clientEnded())
      this.#connections.set(socket, created)
      connection = created
    }
    return connection
  }

  /** Ends a connection whose bytes are not an HTTP request, or came too late. */
  refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy()
    else this.of(socket).end(lastReply((refusals[error.code ?? ''] ?? malformedRequest)()))
  }

  /** Must be called when a connection of `open` has sent its answers. */
  ended(): void {
    this.open--
    if (this.open === 0) this.#onIdle?.()
  }

  /** Resolves when every answer is sent, or after `seconds`. */
  async idle(seconds: number): Promise<void> {
    if (this.open === 0) return
    const idle = new Promise<void>(resolve => {
      this.#onIdle = resolve
    })
    await withTimeout(idle, seconds)
  }
}

/** Time in which a client must read part of an answer, in milliseconds. Then it is disconnected. */
const unreadMs = 10_000

/** Response of `node:http` in the form in which replies are written. */
class NodeResponse implements HttpResponse {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #expectsContinue: boolean
  #status = 200
  #reason = 'OK'
  readonly #headers: string[] = []

  /** `expectsContinue`: the client waits for status 100 before it sends the body. */
  constructor(request: IncomingMessage, response: ServerResponse, expectsContinue: boolean) {
    this.#request = request
    this.#response = response
    this.#expectsContinue = expectsContinue
  }

  writeStatus(head: string): void {
    const [status = '', ...fields] = head.split('\r\n')
    this.#status = Number(status.slice(0, 3))
    this.#reason = status.slice(4)
    for (const field of fields) {
      const at = field.indexOf(': ')
      this.#headers.push(field.slice(0, at), field.slice(at + 2))
    }
  }

  end(body: string | Uint8Array = '', closesConnection = false): void {
    // A reply to HEAD has no body, and its length would differ from the length of the answer to GET.
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
    this.writeHead(this.#request.method === 'HEAD' ? undefined : length, closesConnection)
    this.#response.end(body)
  }

  endWithoutBody(): void {
    this.writeHead(undefined)
    this.#response.end()
  }

  close(): void {
    this.#request.socket.destroy()
  }

  onAborted(listener: () => void): void {
    this.#response.once('close', () => {
      if (!this.#response.writableFinished) listener()
    })
  }

  onData(listener: (chunk: Uint8Array, isLast: boolean) => void): void {
    if (this.#expectsContinue) this.#response.writeContinue()
    this.#request.on('data', (chunk: Buffer) => listener(chunk, false))
    this.#request.once('end', () => listener(new Uint8Array(0), true))
  }

  cork(write: () => void): void {
    write()
  }

  /** Writes the head of a body of `length` bytes. */
  writeHead(length: number | undefined, closesConnection = false): void {
    if (length !== undefined) this.#headers.push('Content-Length', String(length))
    if (closesConnection) this.#headers.push('Connection', 'close')
    this.#request.socket.setTimeout(unreadMs)
    this.#response.writeHead(this.#status, this.#reason, this.#headers)
  }

  /** Writes a part of the body. `onTaken` is called when the system has taken this part, unless the connection closes. */
  write(fragment: Uint8Array, onTaken: () => void): void {
    this.#response.write(fragment, error => {
      if (!error) onTaken()
    })
  }

  /** Ends the body. */
  finish(): void {
    this.#response.end()
  }
}

/**
 * Writes one fragment after the other, each when the system has taken the previous one. The system reads a fragment
 * until then, so its memory must be kept.
 */
function writeNodeFragments(
  context: Pick<RequestContext<NodeResponse>, 'response' | 'fragments'>,
  { buffers, byteLength }: BodyFragments,
  onDone: () => void,
): void {
  const { response } = context
  let at = 0
  const next = () => {
    // The fragments are unset if the client has disconnected.
    if (!context.fragments) return
    const fragment = buffers[at++]
    if (fragment) response.write(fragment, () => void scheduler.next('answers').then(next))
    else {
      response.finish()
      onDone()
    }
  }
  response.writeHead(byteLength)
  next()
}

/** Number of sweeps within the idle timeout of a connection. */
const sweepsPerIdleTime = 4

/** Options of `ws` for a text given as bytes. */
const asText = { binary: false } as const

/** The WebSocket key of RFC 6455: 16 bytes in base64. */
const webSocketKey = /^[+/0-9A-Za-z]{22}==$/

/** Whether a request opens a WebSocket. */
function isStreamingUpgrade({ method, url, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    url?.split('?', 1)[0] === '/streaming' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    webSocketKey.test(headers['sec-websocket-key'] ?? '')
  )
}

/** WebSockets on `/streaming` by the package `ws`. */
class NodeStreaming {
  readonly #options: ServeOptions
  readonly #sockets = new Set<NodeSocket>()
  readonly #topics = new Groups<NodeSocket>()
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // A compressor per connection would cost more than the network for messages this short.
    perMessageDeflate: false,
    maxPayload: maxReceivedMessageBytes,
    // Frames that arrive in one read are handled in separate turns of the event loop.
    allowSynchronousEvents: false,
    // No pongs are sent to a client that does not read them.
    autoPong: false,
  })
  readonly #timer: NodeJS.Timeout
  #onAllClosed: (() => void) | undefined

  constructor(options: ServeOptions) {
    this.#options = options
    options.streaming.publishTo((topic, text) => this.#publish(topic, text))
    const idleMs = options.idleSeconds * 1000
    this.#timer = setInterval(() => this.#sweep(idleMs), idleMs / sweepsPerIdleTime)
    this.#timer.unref()
  }

  get open(): number {
    return this.#sockets.size
  }

  /** Opens a WebSocket on the connection of a request for which `isStreamingUpgrade` holds. */
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    socket.on('error', () => {})
    const refusal = hasTwoHosts(request) ? malformedRequest() : this.#options.streaming.refuse()
    if (refusal) socket.end(lastReply(refusal))
    else {
      const forwardedFor = String(request.headers['x-forwarded-for'] ?? '')
      const address = clientAddress(socket.remoteAddress ?? '', forwardedFor, this.#options.trustedProxies)
      this.#server.handleUpgrade(request, socket, head, webSocket => this.#open(webSocket, address))
    }
  }

  /** Closes all connections with a close frame. Connections that take too long are cut. */
  async close(seconds: number): Promise<void> {
    clearInterval(this.#timer)
    if (this.#sockets.size === 0) return
    const { code, reason } = closeCodes().stopping
    const closed = new Promise<void>(resolve => {
      this.#onAllClosed = resolve
    })
    for (const socket of [...this.#sockets]) socket.end(code, reason)
    await Promise.race([closed, pause(Math.min(closeGraceMs, seconds * 1000))])
    for (const socket of [...this.#sockets]) socket.close()
  }

  join(topic: string, socket: NodeSocket): void {
    this.#topics.add(topic, socket)
  }

  leave(topic: string, socket: NodeSocket): void {
    this.#topics.delete(topic, socket)
  }

  #open(webSocket: WebSocket, address: string): void {
    const { streaming, maxBackpressure, log } = this.#options
    const connection = new StreamingConnection()
    const opened = new NodeSocket(webSocket, { connection, streaming: this, maxBackpressure })
    connection.socket = opened
    connection.session = streaming.open(connection, address)
    this.#sockets.add(opened)
    webSocket.on('message', (message: Buffer, isBinary) => {
      opened.heard()
      connection.receive(message, isBinary, log)
    })
    webSocket.on('pong', () => {
      opened.heard()
      connection.receiveControl()
    })
    webSocket.on('ping', (payload: Buffer) => {
      opened.heard()
      opened.pong(payload)
      connection.receiveControl()
    })
    // `close` follows.
    webSocket.on('error', () => {})
    webSocket.on('close', () => {
      connection.socket = undefined
      opened.leaveAll()
      this.#sockets.delete(opened)
      if (connection.session) streaming.ended(connection.session)
      if (this.#sockets.size === 0) this.#onAllClosed?.()
    })
  }

  #publish(topic: string, text: string): void {
    const sockets = this.#topics.of(topic)
    if (sockets.size === 0) return
    const bytes = Buffer.from(text)
    for (const socket of sockets) socket.write(bytes)
  }

  /**
   * Pings connections that have been silent for half of the idle timeout, and closes connections that have been silent
   * for all of it.
   */
  #sweep(idleMs: number): void {
    const now = performance.now()
    for (const socket of [...this.#sockets]) {
      const silentMs = now - socket.heardAt
      if (silentMs >= idleMs) socket.close()
      else if (silentMs >= idleMs / 2) socket.ping()
    }
  }
}

interface SocketOptions {
  readonly connection: StreamingConnection
  readonly streaming: NodeStreaming
  readonly maxBackpressure: number
}

/** One WebSocket of `ws`. */
class NodeSocket {
  /** Time of the last data from the client, in monotonic milliseconds. */
  heardAt = performance.now()
  readonly #webSocket: WebSocket
  readonly #options: SocketOptions
  readonly #topics = new Set<string>()
  /** Whether messages were skipped since the client last caught up. */
  #isBehind = false

  constructor(webSocket: WebSocket, options: SocketOptions) {
    this.#webSocket = webSocket
    this.#options = options
  }

  heard(): void {
    this.heardAt = performance.now()
  }

  send(text: string): number {
    return this.write(Buffer.from(text)) ? 1 : skipped
  }

  /** Sends a text as UTF-8 unless too many bytes are unread. Returns whether it was sent. */
  write(text: Buffer): boolean {
    if (!this.#isOpen) return false
    if (this.#isCongested) {
      this.#isBehind = true
      this.#options.connection.session?.skipped()
      return false
    }
    this.#webSocket.send(text, asText, this.#onTaken)
    return true
  }

  get #isOpen(): boolean {
    return this.#webSocket.readyState === this.#webSocket.OPEN
  }

  get #isCongested(): boolean {
    return this.#webSocket.bufferedAmount > this.#options.maxBackpressure
  }

  subscribe(topic: string): void {
    this.#topics.add(topic)
    this.#options.streaming.join(topic, this)
  }

  unsubscribe(topic: string): void {
    this.#topics.delete(topic)
    this.#options.streaming.leave(topic, this)
  }

  leaveAll(): void {
    for (const topic of this.#topics) this.#options.streaming.leave(topic, this)
    this.#topics.clear()
  }

  ping(): void {
    if (this.#isOpen) this.#webSocket.ping()
  }

  pong(payload: Buffer): void {
    if (this.#isOpen && !this.#isCongested) this.#webSocket.pong(payload)
  }

  end(code: number, reason: string): void {
    this.#webSocket.close(code, reason)
    if (code !== closeCodes().tooManyMessages.code) return
    // Further data of a client that has sent too much is not read, and neither is a close frame.
    this.#webSocket.pause()
    setTimeout(() => this.close(), lingerMs).unref()
  }

  close(): void {
    this.#webSocket.terminate()
  }

  /** Called when the system has taken one message, or several. */
  readonly #onTaken = () => {
    if (!this.#isBehind || this.#isCongested) return
    const { maxBackpressure, connection } = this.#options
    const isCaughtUp = this.#webSocket.bufferedAmount <= maxBackpressure / 2
    if (isCaughtUp) this.#isBehind = false
    connection.session?.drained(isCaughtUp)
  }
}
