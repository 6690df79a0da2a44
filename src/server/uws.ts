import {
  App,
  type HttpRequest,
  type HttpResponse,
  type us_listen_socket,
  us_listen_socket_close,
  us_socket_local_port,
} from 'uWebSockets.js'
import type { Head, Reply, WantsBody } from '../api/reply.js'
import { refused } from '../api/reply.js'
import { bodyTooLarge, internal } from '../contract/refusals.js'
import type { Log } from '../log.js'

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

/** One response that may be lost at any moment: nothing may touch `res` after `gone`. */
interface Exchange {
  readonly res: HttpResponse
  readonly withoutBody: boolean
  gone: boolean
}

/** Serves `handle` on a socket. */
export function serve({ host, port, handle, log }: Options): Promise<Server> {
  const app = App()
  const underWay = new Set<Exchange>()
  let drained: (() => void) | undefined

  const settle = (exchange: Exchange) => {
    exchange.gone = true
    underWay.delete(exchange)
    if (underWay.size === 0) drained?.()
  }
  const send = (exchange: Exchange, reply: Reply) => {
    if (exchange.gone) return
    settle(exchange)
    exchange.res.cork(() => write(exchange.res, reply, exchange.withoutBody))
  }
  const fail = (exchange: Exchange, error: unknown, head: Head) => {
    const id = crypto.randomUUID()
    log.error({ err: error, request: id, method: head.method, path: head.path }, 'request failed')
    send(exchange, { ...refused(internal()), headers: { 'X-Request-Id': id } })
  }
  /** Until a reply is there the client may go away; uWebSockets.js wants to know who is told. */
  const track = (exchange: Exchange) => {
    underWay.add(exchange)
    exchange.res.onAborted(() => settle(exchange))
  }

  const receive = (exchange: Exchange, head: Head, length: number, wants: WantsBody) => {
    if (length > bodyLimit) return send(exchange, refused(bodyTooLarge(bodyLimit)))
    const chunks: Buffer[] = []
    let size = 0
    exchange.res.onData((chunk, isLast) => {
      if (exchange.gone) return
      size += chunk.byteLength
      if (size > bodyLimit) return send(exchange, refused(bodyTooLarge(bodyLimit)))
      // The chunk belongs to the socket's buffer and is gone when this callback returns.
      chunks.push(isLast && chunks.length === 0 ? Buffer.from(chunk) : Buffer.from(Buffer.from(chunk)))
      if (!isLast) return
      try {
        const reply = wants.read(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size))
        if (reply instanceof Promise)
          reply.then(arrived => send(exchange, arrived)).catch(error => fail(exchange, error, head))
        else send(exchange, reply)
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
    const exchange: Exchange = { res, withoutBody: method === 'head', gone: false }
    try {
      const reply = handle(head)
      if (reply instanceof Promise) {
        track(exchange)
        reply.then(arrived => send(exchange, arrived)).catch(error => fail(exchange, error, head))
      } else if ('read' in reply) {
        const length = Number(req.getHeader('content-length'))
        track(exchange)
        receive(exchange, head, length, reply)
      } else write(res, reply, exchange.withoutBody)
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

function write(res: HttpResponse, { status, body, headers }: Reply, withoutBody: boolean): void {
  if (status !== 200) res.writeStatus(statusLines[status] ?? String(status))
  res.writeHeader('Content-Type', 'application/json')
  if (headers) for (const name in headers) res.writeHeader(name, headers[name] as string)
  // A reply to HEAD ends with its header fields; `endWithoutBody` with a length aborts the process in this release.
  if (withoutBody) res.end()
  else res.end(body)
}
