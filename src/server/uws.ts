import {
  App,
  type HttpRequest,
  type HttpResponse,
  type TemplatedApp,
  type us_listen_socket,
  us_listen_socket_close,
  us_socket_local_port,
  type WebSocket,
} from 'uWebSockets.js'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BodyFragments, Caller, NeedsBody, Reply, RequestHead } from '../api/reply.js'
import { needsBody, refused } from '../api/reply.js'
import { bodyTooLarge, closeCodes, internal } from '../contract/refusals.js'
import type { Log } from '../log.js'
import type { Connection, Session } from '../stream/session.js'
import type { SessionRegistry } from '../stream/sessions.js'
import { Rooms } from './body-buffers.js'

/** Longer messages are not even read to the end: the connection is cut. Up to here the client is told. */
const longestMessage = 64 * 1024
/** uWebSockets.js' DISABLED: a shared compressor would cost more than the network for messages this short. */
const noCompression = 0 as const
/** What sockets that were told to close are given to read it, in milliseconds; nobody tells when they have. */
const closeGraceMs = 250

/** uWebSockets.js' LIBUS_LISTEN_EXCLUSIVE_PORT: without it a second server would share the port in silence. */
const exclusivePort = 1

const statusLines: Readonly<Record<number, string>> = {
  200: '200 OK',
  202: '202 Accepted',
  400: '400 Bad Request',
  401: '401 Unauthorized',
  404: '404 Not Found',
  405: '405 Method Not Allowed',
  413: '413 Content Too Large',
  415: '415 Unsupported Media Type',
  426: '426 Upgrade Required',
  429: '429 Too Many Requests',
  500: '500 Internal Server Error',
  503: '503 Service Unavailable',
}

/** A listening server. */
export interface Server {
  readonly port: number
  /** Accepts nothing more; resolves when the requests under way are answered or `seconds` have passed. */
  close(seconds: number): Promise<void>
}

interface Options {
  readonly host: string
  readonly port: number
  readonly handle: (head: RequestHead) => Reply | Promise<Reply> | NeedsBody
  readonly streaming: SessionRegistry
  /** Bytes that may wait for a streaming client to read them; beyond it its updates are skipped. */
  readonly maxBackpressure: number
  /** After so many seconds without a sign of life a streaming connection is closed; pings ask for one before. */
  readonly idleSeconds: number
  readonly log: Log
}

/** One response that may be lost at any moment: nothing may touch `res` when it is over. */
class RequestContext implements Caller {
  isOver = false
  /** What the body is being received into. */
  buffer: Uint8Array | undefined
  /** What is being written. */
  fragments: BodyFragments | undefined
  #gone: AbortController | undefined

  constructor(
    readonly res: HttpResponse,
    readonly withoutBody: boolean,
  ) {}

  /** Made when somebody wants to hear of it; most never do. */
  get signal(): AbortSignal {
    if (!this.#gone) {
      this.#gone = new AbortController()
      if (this.isOver) this.#gone.abort()
    }
    return this.#gone.signal
  }

  abort(): void {
    this.isOver = true
    this.#gone?.abort()
  }
}

/** One streaming connection that may be lost at any moment: nothing may touch the socket when it is over. */
class Line implements Connection {
  session: Session | undefined
  socket: WebSocket<{ line: Line }> | undefined

  send(text: string): void {
    this.socket?.send(text)
  }

  subscribe(topic: string): void {
    this.socket?.subscribe(topic)
  }

  unsubscribe(topic: string): void {
    this.socket?.unsubscribe(topic)
  }

  close(code: number, reason: string): void {
    this.socket?.end(code, reason)
  }

  cut(): void {
    this.socket?.close()
  }
}

/** Serves `handle` and, on `/streaming`, WebSockets. */
export function serve(options: Options): Promise<Server> {
  const { host, port, handle, log } = options
  const app = App()
  const rooms = new Rooms()
  const lines = serveStreaming(app, options)
  const underWay = new Set<RequestContext>()
  let drained: (() => void) | undefined

  /** The end of an exchange, whatever it was: nothing is read from its socket or written to it any more. */
  const settle = (exchange: RequestContext) => {
    if (exchange.buffer) rooms.giveBack(exchange.buffer)
    exchange.buffer = undefined
    exchange.fragments?.release()
    exchange.fragments = undefined
    underWay.delete(exchange)
    if (underWay.size === 0) drained?.()
  }
  const send = (exchange: RequestContext, reply: Reply) => {
    const fragments = typeof reply.body === 'string' ? undefined : reply.body
    if (exchange.isOver) {
      fragments?.release()
      return
    }
    exchange.isOver = true
    exchange.fragments = fragments
    exchange.res.cork(() => write(exchange, reply, () => settle(exchange)))
  }
  const fail = (exchange: RequestContext, error: unknown, head: RequestHead) => {
    const id = crypto.randomUUID()
    log.error({ err: error, request: id, method: head.method, path: head.path }, 'request failed')
    send(exchange, { ...refused(internal()), headers: { 'X-Request-Id': id } })
  }
  /** Until a reply is there the client may go away; uWebSockets.js wants to know who is told. */
  const track = (exchange: RequestContext) => {
    underWay.add(exchange)
    exchange.res.onAborted(() => {
      exchange.abort()
      settle(exchange)
    })
  }

  const receive = (exchange: RequestContext, head: RequestHead, length: number, wants: NeedsBody) => {
    if (length > wants.maxBytes) return send(exchange, refused(bodyTooLarge(wants.maxBytes)))
    exchange.buffer = rooms.take(length > 0 ? length : 0)
    let size = 0
    exchange.res.onData((chunk, isLast) => {
      if (exchange.isOver) return
      const end = size + chunk.byteLength
      if (end > wants.maxBytes) return send(exchange, refused(bodyTooLarge(wants.maxBytes)))
      let room = exchange.buffer as Uint8Array
      if (end > room.byteLength) {
        const wider = rooms.take(Math.max(end, Math.min(2 * end, wants.maxBytes)))
        wider.set(room.subarray(0, size))
        rooms.giveBack(room)
        exchange.buffer = room = wider
      }
      // The chunk belongs to the socket's buffer and is gone when this callback returns.
      room.set(new Uint8Array(chunk), size)
      size = end
      if (!isLast) return
      // From here on the body belongs to its reader, who may need it for longer than the client waits.
      exchange.buffer = undefined
      const leave = () => rooms.giveBack(room)
      try {
        const reply = wants.read(room.subarray(0, size), exchange)
        if (reply instanceof Promise) {
          reply
            .finally(leave)
            .then(arrived => send(exchange, arrived))
            .catch(error => fail(exchange, error, head))
        } else {
          leave()
          send(exchange, reply)
        }
      } catch (error) {
        fail(exchange, error, head)
      }
    })
  }

  app.any('/*', (res: HttpResponse, req: HttpRequest) => {
    const method = req.getMethod()
    const head: RequestHead = {
      method,
      path: req.getUrl(),
      queryString: req.getQuery() ?? '',
      authorization: req.getHeader('authorization'),
      contentType: method === 'post' ? req.getHeader('content-type') : '',
      prefer: req.getHeader('prefer'),
    }
    const exchange = new RequestContext(res, method === 'head')
    try {
      const reply = handle(head)
      if (reply instanceof Promise) {
        track(exchange)
        reply.then(arrived => send(exchange, arrived)).catch(error => fail(exchange, error, head))
      } else if (needsBody(reply)) {
        const length = Number(req.getHeader('content-length'))
        track(exchange)
        receive(exchange, head, length, reply)
      } else if (typeof reply.body === 'string') write(exchange, reply, () => {})
      else {
        track(exchange)
        send(exchange, reply)
      }
    } catch (error) {
      fail(exchange, error, head)
    }
  })

  return new Promise((resolve, reject) => {
    const listening = (socket: us_listen_socket | false) => {
      if (!socket)
        return reject(new Error(`cannot listen on ${host}:${port}: the address is in use or not allowed`))
      const close = async (seconds: number) => {
        us_listen_socket_close(socket)
        const { code, reason } = closeCodes().stopping
        const farewell = lines.size > 0 ? sleep(Math.min(closeGraceMs, seconds * 1000)) : undefined
        for (const line of [...lines]) line.close(code, reason)
        if (underWay.size > 0) {
          let timer: NodeJS.Timeout | undefined
          await new Promise<void>(done => {
            drained = done
            timer = setTimeout(done, seconds * 1000)
          })
          clearTimeout(timer)
        }
        await farewell
        app.close()
      }
      resolve({ port: us_socket_local_port(socket), close })
    }
    // The typings lack the form with an address and options.
    const listen = app.listen as unknown as (
      host: string,
      port: number,
      options: number,
      done: typeof listening,
    ) => unknown
    listen.call(app, host, port, exclusivePort, listening)
  })
}

/** Serves WebSockets on `/streaming`; answers the open connections. */
function serveStreaming(
  app: TemplatedApp,
  { streaming, maxBackpressure, idleSeconds, log }: Options,
): ReadonlySet<Line> {
  const lines = new Set<Line>()
  const fail = (line: Line, error: unknown) => {
    log.error({ err: error }, 'a streaming connection failed')
    const { code, reason } = closeCodes().internal
    line.close(code, reason)
  }
  streaming.publishTo((topic, text) => app.publish(topic, text))
  app.ws<{ line: Line }>('/streaming', {
    compression: noCompression,
    maxPayloadLength: longestMessage,
    maxBackpressure,
    idleTimeout: idleSeconds,
    sendPingsAutomatically: true,
    upgrade(res, req, context) {
      const refusal = streaming.refuse()
      if (refusal) return write(new RequestContext(res, false), refused(refusal), () => {})
      res.upgrade(
        { line: new Line() },
        req.getHeader('sec-websocket-key'),
        req.getHeader('sec-websocket-protocol'),
        req.getHeader('sec-websocket-extensions'),
        context,
      )
    },
    open(socket) {
      const { line } = socket.getUserData()
      line.socket = socket
      line.session = streaming.open(line)
      lines.add(line)
    },
    message(socket, message, isBinary) {
      const { line } = socket.getUserData()
      try {
        line.session?.receive(new Uint8Array(message), isBinary)
      } catch (error) {
        fail(line, error)
      }
    },
    dropped: socket => socket.getUserData().line.session?.skipped(),
    drain(socket) {
      const waiting = socket.getBufferedAmount()
      if (waiting <= maxBackpressure)
        socket.getUserData().line.session?.drained(waiting <= maxBackpressure / 2)
    },
    close(socket) {
      const { line } = socket.getUserData()
      line.socket = undefined
      lines.delete(line)
      if (line.session) streaming.ended(line.session)
    },
  })
  return lines
}

/** Writes a reply; `done` is called when the last byte of it was handed to the socket. */
function write(exchange: RequestContext, { status, body, headers }: Reply, done: () => void): void {
  const { res, withoutBody } = exchange
  if (status !== 200) res.writeStatus(statusLines[status] ?? String(status))
  res.writeHeader('Content-Type', 'application/json')
  if (headers) for (const name in headers) res.writeHeader(name, headers[name] as string)
  // A reply to HEAD ends with its header fields; `endWithoutBody` with a length aborts the process in this release.
  if (withoutBody) res.end()
  else if (typeof body === 'string') res.end(body)
  if (withoutBody || typeof body === 'string') done()
  else stream(exchange, body, done)
}

/**
 * Writes fragments as fast as the socket takes them: what it does not take at once stays here until it is writable,
 * instead of being copied into a buffer of the server. One fragment a turn, so that other requests are read between
 * two of them: copying megabytes into sockets keeps the event loop for milliseconds.
 */
function stream(exchange: RequestContext, { parts }: BodyFragments, done: () => void): void {
  const { res } = exchange
  const total = parts.reduce((sum, { byteLength }) => sum + byteLength, 0)
  let at = 0
  /** Where fragment `at` begins in the body. */
  let begin = 0
  const push = (): boolean => {
    const fragment = parts[at] as Uint8Array
    const [isTaken, isDone] = res.tryEnd(fragment.subarray(res.getWriteOffset() - begin), total)
    if (isDone) done()
    if (isDone || !isTaken) return isDone
    begin += fragment.byteLength
    at++
    setImmediate(() => {
      // The client may have gone since.
      if (exchange.fragments) res.cork(push)
    })
    return true
  }
  res.onWritable(() => push())
  push()
}
