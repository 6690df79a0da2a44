import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { closeCodes, malformedRequest } from '../../contract/refusals.js'
import { Groups } from '../../runtime/groups.js'
import { pause } from '../../runtime/pause.js'
import { type WebSocket, WebSocketServer } from '../../runtime/web-sockets.js'
import { clientAddress } from './client-address.js'
import { hasTwoHosts, lastReply, lingerMs } from './node-connection.js'
import { closeGraceMs, maxReceivedMessageBytes, type ServeOptions } from './server.js'
import { StreamingConnection, skipped } from './streaming-connection.js'

/** The WebSockets of clients, for versions of Node without them. */
export { WebSocket as ClientSocket } from '../../runtime/web-sockets.js'

/** How often the connections are looked at while they may be idle: so many times in the time after which they are closed. */
const sweepsPerIdleTime = 4

/** The WebSocket key of RFC 6455: 16 bytes in base64. */
const webSocketKey = /^[+/0-9A-Za-z]{22}==$/

/** Whether a request opens a WebSocket. */
export const isStreamingUpgrade = ({ method, url, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  url?.split('?', 1)[0] === '/streaming' &&
  headers.upgrade?.toLowerCase() === 'websocket' &&
  webSocketKey.test(headers['sec-websocket-key'] ?? '')

/** A text message as a server sends it: final, not compressed and not masked. */
function frameOf(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const headLength = length < 126 ? 2 : length < 65_536 ? 4 : 10
  const frame = Buffer.allocUnsafe(headLength + length)
  frame[0] = 0x81
  if (headLength === 2) frame[1] = length
  else if (headLength === 4) {
    frame[1] = 126
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = 127
    frame.writeUInt32BE(0, 2)
    frame.writeUInt32BE(length, 6)
  }
  frame.write(text, headLength)
  return frame
}

/** WebSockets on `/streaming` by the package `ws`. */
export class NodeStreaming {
  readonly #options: ServeOptions
  readonly #sockets = new Set<NodeSocket>()
  readonly #topics = new Groups<NodeSocket>()
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // A compressor per connection would cost more than the network for messages this short.
    perMessageDeflate: false,
    maxPayload: maxReceivedMessageBytes,
    // Frames that arrive in one read are taken in a turn of the event loop each.
    allowSynchronousEvents: false,
    // A client that reads no pongs is sent no more of them.
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

  /** How many WebSockets are open. */
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
      this.#server.handleUpgrade(request, socket, head, webSocket => this.#open(webSocket, socket, address))
    }
  }

  /** Closes all connections in order, or at once those that take too long. */
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

  #open(webSocket: WebSocket, socket: Socket, address: string): void {
    const { streaming, maxBackpressure, log } = this.#options
    const connection = new StreamingConnection()
    const opened = new NodeSocket(webSocket, socket, { connection, streaming: this, maxBackpressure })
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
    const frame = frameOf(text)
    for (const socket of sockets) socket.write(frame)
  }

  /** Pings the connections that have been silent for half of their time, and closes those that still are at its end. */
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

/** One WebSocket of `ws`, and the socket below it, to which frames are written. */
class NodeSocket {
  /** When the client has last sent anything, in milliseconds that never go back. */
  heardAt = performance.now()
  readonly #webSocket: WebSocket
  readonly #socket: Socket
  readonly #options: SocketOptions
  readonly #topics = new Set<string>()
  readonly #onTaken = () => this.#taken()
  /** Whether messages were skipped since the client has last caught up. */
  #isBehind = false

  constructor(webSocket: WebSocket, socket: Socket, options: SocketOptions) {
    this.#webSocket = webSocket
    this.#socket = socket
    this.#options = options
  }

  heard(): void {
    this.heardAt = performance.now()
  }

  send(text: string): number {
    return this.write(frameOf(text)) ? 1 : skipped
  }

  /** Sends a frame, unless too many bytes wait for the client. Whether it was sent. */
  write(frame: Buffer): boolean {
    if (this.#webSocket.readyState !== this.#webSocket.OPEN) return false
    if (this.#socket.writableLength > this.#options.maxBackpressure) {
      this.#isBehind = true
      this.#options.connection.session?.skipped()
      return false
    }
    this.#socket.write(frame, this.#onTaken)
    return true
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
    if (this.#webSocket.readyState === this.#webSocket.OPEN) this.#webSocket.ping()
  }

  pong(payload: Buffer): void {
    const isBehind = this.#socket.writableLength > this.#options.maxBackpressure
    if (!isBehind && this.#webSocket.readyState === this.#webSocket.OPEN) this.#webSocket.pong(payload)
  }

  end(code: number, reason: string): void {
    this.#webSocket.close(code, reason)
    if (code !== closeCodes().tooManyMessages.code) return
    // What a client still sends that has sent too much is not read, and so is no close frame.
    this.#webSocket.pause()
    setTimeout(() => this.close(), lingerMs).unref()
  }

  close(): void {
    this.#webSocket.terminate()
  }

  /** The system has taken a frame, and perhaps others behind it. */
  #taken(): void {
    if (!this.#isBehind) return
    const { maxBackpressure, connection } = this.#options
    const waiting = this.#socket.writableLength
    if (waiting > maxBackpressure) return
    const isCaughtUp = waiting <= maxBackpressure / 2
    if (isCaughtUp) this.#isBehind = false
    connection.session?.drained(isCaughtUp)
  }
}
