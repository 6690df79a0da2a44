import {
  App,
  type HttpRequest,
  type HttpResponse,
  type us_listen_socket,
  us_listen_socket_close,
  us_socket_local_port,
} from 'uWebSockets.js'
import type { Caller, Fragments, Head, Reply, WantsBody } from '../api/reply.js'
import { refused } from '../api/reply.js'
import { bodyTooLarge, internal } from '../contract/refusals.js'
import type { Log } from '../log.js'
import { Rooms } from './room.js'

/** The most bytes a request body may have. */
const bodyLimit = 4 * 1024 * 1024

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
  readonly handle: (head: Head) => Reply | Promise<Reply> | WantsBody
  readonly log: Log
}

/** One response that may be lost at any moment: nothing may touch `res` when it is over. */
class Exchange implements Caller {
  isOver = false
  /** What the body is being received into. */
  room: Uint8Array | undefined
  /** What is being written. */
  fragments: Fragments | undefined
  #gone: AbortController | undefined

  constructor(
    readonly res: HttpResponse,
    readonly withoutBody: boolean,
  ) {}

  /** Made when somebody wants to hear of it; most never do. */
  get gone(): AbortSignal {
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

/** Serves `handle` on a socket. */
export function serve({ host, port, handle, log }: Options): Promise<Server> {
  const app = App()
  const rooms = new Rooms()
  const underWay = new Set<Exchange>()
  let drained: (() => void) | undefined

  /** The end of an exchange, whatever it was: nothing is read from its socket or written to it any more. */
  const settle = (exchange: Exchange) => {
    if (exchange.room) rooms.giveBack(exchange.room)
    exchange.room = undefined
    exchange.fragments?.release()
    exchange.fragments = undefined
    underWay.delete(exchange)
    if (underWay.size === 0) drained?.()
  }
  const send = (exchange: Exchange, reply: Reply) => {
    const fragments = typeof reply.body === 'string' ? undefined : reply.body
    if (exchange.isOver) {
      fragments?.release()
      return
    }
    exchange.isOver = true
    exchange.fragments = fragments
    exchange.res.cork(() => write(exchange, reply, () => settle(exchange)))
  }
  const fail = (exchange: Exchange, error: unknown, head: Head) => {
    const id = crypto.randomUUID()
    log.error({ err: error, request: id, method: head.method, path: head.path }, 'request failed')
    send(exchange, { ...refused(internal()), headers: { 'X-Request-Id': id } })
  }
  /** Until a reply is there the client may go away; uWebSockets.js wants to know who is told. */
  const track = (exchange: Exchange) => {
    underWay.add(exchange)
    exchange.res.onAborted(() => {
      exchange.abort()
      settle(exchange)
    })
  }

  const receive = (exchange: Exchange, head: Head, length: number, wants: WantsBody) => {
    if (length > bodyLimit) return send(exchange, refused(bodyTooLarge(bodyLimit)))
    exchange.room = rooms.take(length > 0 ? length : 0)
    let size = 0
    exchange.res.onData((chunk, isLast) => {
      if (exchange.isOver) return
      const end = size + chunk.byteLength
      if (end > bodyLimit) return send(exchange, refused(bodyTooLarge(bodyLimit)))
      let room = exchange.room as Uint8Array
      if (end > room.byteLength) {
        const wider = rooms.take(Math.max(end, Math.min(2 * end, bodyLimit)))
        wider.set(room.subarray(0, size))
        rooms.giveBack(room)
        exchange.room = room = wider
      }
      // The chunk belongs to the socket's buffer and is gone when this callback returns.
      room.set(new Uint8Array(chunk), size)
      size = end
      if (!isLast) return
      // From here on the body belongs to its reader, who may need it for longer than the client waits.
      exchange.room = undefined
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
    const head: Head = {
      method,
      path: req.getUrl(),
      query: req.getQuery() ?? '',
      authorization: req.getHeader('authorization'),
      contentType: method === 'post' ? req.getHeader('content-type') : '',
      prefer: req.getHeader('prefer'),
    }
    const exchange = new Exchange(res, method === 'head')
    try {
      const reply = handle(head)
      if (reply instanceof Promise) {
        track(exchange)
        reply.then(arrived => send(exchange, arrived)).catch(error => fail(exchange, error, head))
      } else if ('read' in reply) {
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
        if (underWay.size > 0) {
          let timer: NodeJS.Timeout | undefined
          await new Promise<void>(done => {
            drained = done
            timer = setTimeout(done, seconds * 1000)
          })
          clearTimeout(timer)
        }
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

/** Writes a reply; `done` is called when the last byte of it was handed to the socket. */
function write(exchange: Exchange, { status, body, headers }: Reply, done: () => void): void {
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
function stream(exchange: Exchange, { parts }: Fragments, done: () => void): void {
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
