import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerOptions,
  ServerResponse,
} from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import { malformedRequest } from '../../contract/refusals.js'
import { refused } from '../reply.js'
import { AddressLimit } from './address-limit.js'
import { BodyReceiver } from './body-receiver.js'
import type { Certificate } from './certificate.js'
import { hasTwoHosts, lastReply, NodeConnections } from './node-connection.js'
import { NodeResponse, writeNodeFragments } from './node-response.js'
import { isStreamingUpgrade, NodeStreaming } from './node-streaming.js'
import { OpenRequests } from './open-requests.js'
import { RareWarning } from './rare-warning.js'
import { writeReply } from './reply-writer.js'
import { RequestContext } from './request-context.js'
import { cannotListen, type Serve, type ServeOptions, serverOn, tooManyConnectionsWarning } from './server.js'

/** Times in milliseconds, and sizes in bytes. uWebSockets.js has similar ones, which cannot be set. */
const limits = {
  /** Between two requests of a connection. */
  keepAliveTimeout: 10_000,
  /** For the head of a request. */
  headersTimeout: 10_000,
  /** For a whole request: 4 MiB at 70 kB a second. */
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16 * 1024,
  // Releases of Node.js that do not know it pass every request with an Upgrade field to `serveUpgrades`.
  shouldUpgradeCallback: isStreamingUpgrade,
} satisfies ServerOptions & { shouldUpgradeCallback: (request: IncomingMessage) => boolean }

/** The time for the handshake of TLS, in milliseconds. */
const handshakeTimeout = 10_000

/** The driver on `node:http` and `ws`, for every platform of Node.js. */
export const serve: Serve = async options => {
  const { certificate, maxConnections, log } = options
  const secureServer =
    certificate &&
    createSecureServer({ ...limits, handshakeTimeout, cert: certificate.cert, key: certificate.key })
  const server = secureServer ?? createServer(limits)
  server.maxConnections = maxConnections
  // Otherwise the rest of an answer is lost when the client closes its side. The types of Node.js lack it.
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
  // That of the HTTP server closes connections as well that wait for their next request.
  const stopListening = () => void NetServer.prototype.close.call(server)
  return serverOn({ port, renew, httpConnections, stopListening }, async seconds => {
    server.close()
    await Promise.all([streaming.close(seconds), requests.idle(seconds), connections.idle(seconds)])
    server.closeAllConnections()
  })
}

/** Closes connections of an address that has too many. */
function limitAddresses(server: NetServer, options: ServeOptions): void {
  const addresses = new AddressLimit(options)
  server.on('connection', (socket: Socket) => {
    // It is not known any more once the connection is closed.
    const peer = socket.remoteAddress ?? ''
    socket.once('close', () => addresses.closed(peer))
    if (!addresses.opened(peer)) socket.destroy()
  })
}

/** A port that is shared is that of the process that has started this one: see `node:cluster`. */
function listen(server: NetServer, { host, port, sharesPort = false }: ServeOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', cause => reject(cannotListen(host, port, cause)))
    server.listen({ host, port, exclusive: !sharesPort }, resolve)
  })
}

/** Serves HTTP requests; returns those that are open. */
function serveRequests(
  server: NetServer,
  connections: NodeConnections,
  options: ServeOptions,
): OpenRequests<NodeResponse> {
  const requests = new OpenRequests<NodeResponse>(options, writeNodeFragments)
  const bodies = new BodyReceiver(options)
  const answer = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean) => {
    const connection = connections.of(request.socket)
    // What Node.js knows as the host or as the end of such a body may not be what a proxy takes for it.
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

  keepHeader(): void {}
}

/** Upgrades connections to WebSockets. Other requests with an Upgrade field are answered as if they had none. */
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
