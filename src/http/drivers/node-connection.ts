import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { headTooLarge, malformedRequest, type Refusal, requestTimeout } from '../../contract/refusals.js'
import { withTimeout } from '../../runtime/deadline.js'
import { refused } from '../reply.js'
import { statusLineOf } from './reply-writer.js'

/** Requests that may wait behind one that is being answered. A client that sends more of them is disconnected. */
const maxWaitingRequests = 256
/** The time for a client to read why it is disconnected, in milliseconds. */
export const lingerMs = 1000

/** Why a connection cannot be read any further, by the error code of Node.js. */
const refusals: Readonly<Record<string, () => Refusal>> = {
  HPE_HEADER_OVERFLOW: headTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: requestTimeout,
}

/** A reply as it is sent, after which the connection ends. */
export function lastReply(refusal: Refusal): string {
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

/** Whether there are several Host fields, of which Node.js takes the first one. */
export function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
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
 * The requests of one connection, answered one after the other: a client that sends thousands of them at once, and reads
 * nothing, occupies the memory of one answer.
 */
class NodeConnection {
  readonly #socket: Socket
  readonly #connections: NodeConnections
  readonly #waiting: Exchange[] = []
  #current: Exchange | undefined
  /** What is sent after the last answer, because what follows cannot be read. */
  #last: string | undefined

  constructor(socket: Socket, connections: NodeConnections) {
    this.#socket = socket
    this.#connections = connections
  }

  /** Begins an answer, at once or when those before it are sent. */
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
   * The client has closed its side. Most clients are gone then, and what they wait for need not be computed; but what is
   * being sent is sent to its end, because some close their side after their last request.
   */
  clientEnded(): void {
    if (this.#current && !this.#current.response.headersSent) this.#socket.destroy()
  }

  /** Sends a last reply behind the answers to what was read, and closes the connection. */
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
    // Closed at once, unread bytes would make the system drop the reply as well.
    this.#socket.setTimeout(lingerMs, () => this.#socket.destroy())
  }
}

/** The connections of a server. */
export class NodeConnections {
  readonly #connections = new WeakMap<Socket, NodeConnection>()
  #onIdle: (() => void) | undefined
  /** Those that have a request whose answer is not sent completely. */
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

  /** Ends a connection whose bytes are no HTTP request, or came too late. */
  refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy()
    else this.of(socket).end(lastReply((refusals[error.code ?? ''] ?? malformedRequest)()))
  }

  /** One of `open` has sent its answers. */
  ended(): void {
    this.open--
    if (this.open === 0) this.#onIdle?.()
  }

  /** Resolves when every answer is sent, or after so many seconds. */
  async idle(seconds: number): Promise<void> {
    if (this.open === 0) return
    const idle = new Promise<void>(resolve => {
      this.#onIdle = resolve
    })
    await withTimeout(idle, seconds)
  }
}
