import type { Refusal } from '../../contract/refusals.js'
import type { BodyFragments, HttpRequest, Reply } from '../reply.js'

/** Response to one request, in the form of uWebSockets.js. Other drivers provide the same. */
export interface HttpResponse {
  /** Writes a status such as `200 OK`, followed by the header fields, each in its own line. */
  writeStatus(head: string): unknown
  end(body?: string | Uint8Array, closesConnection?: boolean): unknown
  /** Ends without `Content-Length`. */
  endWithoutBody(): unknown
  /** Closes the connection at once. */
  close(): unknown
  onAborted(listener: () => void): unknown
  /** The chunk is valid during the call only. */
  onData(listener: (chunk: ArrayBuffer | Uint8Array, isLast: boolean) => void): unknown
  /** Joins all that `write` writes into as few packets as possible. */
  cork(write: () => void): unknown
}

/** The body of a request, from its first byte until the handler has answered. */
export interface ReceivedBody {
  /** Value of the request's `Authorization` field, used as its key. */
  readonly authorization: string
  /** Refuses the body, whose memory is then released. */
  readonly refuse: () => void
  /** Memory with the bytes that have arrived. */
  buffer: Uint8Array
  /** Number of bytes that count against the bounds of all bodies. */
  bytes: number
  isComplete: boolean
}

/** Receiver of request bodies. */
interface Bodies {
  receive(request: RequestContext, maxBytes: number): Promise<Uint8Array | Refusal>
  /** Releases the body of a request. A complete one belongs to the handler until `isAnswered`. */
  release(request: RequestContext, isAnswered: boolean): void
}

/**
 * One HTTP request and its reply. The client may disconnect at any time: `response` must not be used after the request
 * is over. A driver adds the head.
 */
export abstract class RequestContext<Response extends HttpResponse = HttpResponse> implements HttpRequest {
  abstract readonly path: string
  abstract readonly queryString: string
  abstract readonly authorization: string
  abstract readonly contentType: string
  route = 'other'
  account = ''
  /** Announced length of the body; NaN or 0 if none was announced. */
  contentLength = 0
  /** Whether a reply was given or the client has disconnected. */
  isOver = false
  isDisconnected = false
  /** Whether the connection ends with this request, because the following bytes cannot be trusted. */
  closesConnection = false
  /** Header fields of every reply to this request. */
  headers: Readonly<Record<string, string>> | undefined
  received: ReceivedBody | undefined
  /** Body of the reply while it is written. */
  fragments: BodyFragments | undefined
  #disconnection: AbortController | undefined

  readonly isHead: boolean

  constructor(
    readonly response: Response,
    readonly method: string,
    readonly bodies: Bodies,
  ) {
    this.isHead = method === 'head'
  }

  abstract header(name: string): string

  body(maxBytes: number): Promise<Uint8Array | Refusal> {
    return this.bodies.receive(this, maxBytes)
  }

  /** Created on first access: most requests are answered without it. */
  get signal(): AbortSignal {
    if (!this.#disconnection) {
      this.#disconnection = new AbortController()
      if (this.isOver) this.#disconnection.abort()
    }
    return this.#disconnection.signal
  }

  /** Must be called when the client has disconnected. */
  abort(): void {
    this.isOver = true
    this.isDisconnected = true
    this.#disconnection?.abort()
  }
}

/** Parts of a request that its reply depends on. */
type Target = Pick<RequestContext, 'response' | 'isHead' | 'closesConnection' | 'headers'>

/** Writes a body of fragments after its head. `onDone` is called when the last byte was passed to the socket. */
export type WriteFragments<Response extends HttpResponse> = (
  context: RequestContext<Response>,
  fragments: BodyFragments,
  onDone: () => void,
) => void

const statusLines: Readonly<Record<number, string>> = {
  200: '200 OK',
  202: '202 Accepted',
  204: '204 No Content',
  304: '304 Not Modified',
  308: '308 Permanent Redirect',
  400: '400 Bad Request',
  401: '401 Unauthorized',
  403: '403 Forbidden',
  404: '404 Not Found',
  405: '405 Method Not Allowed',
  408: '408 Request Timeout',
  413: '413 Content Too Large',
  415: '415 Unsupported Media Type',
  426: '426 Upgrade Required',
  429: '429 Too Many Requests',
  431: '431 Request Header Fields Too Large',
  500: '500 Internal Server Error',
  503: '503 Service Unavailable',
}

/** Status code with its reason, as in the first line of a response. */
export const statusLineOf = (status: number): string => statusLines[status] ?? String(status)

/**
 * Writes status and header fields as one text, because each call of uWebSockets.js costs several percent of the time of
 * a GET. Values of fields must not contain line breaks.
 */
export function writeHead({ response, headers: common }: Target, { status, headers }: Reply): void {
  let head = status === 200 ? '200 OK' : statusLineOf(status)
  if (status !== 204 && status !== 304 && headers?.['Content-Type'] === undefined)
    head += '\r\nContent-Type: application/json'
  for (const name in headers) head += `\r\n${name}: ${headers[name]}`
  // Fields of the reply have priority over the common fields.
  for (const name in common) if (!headers?.[name]) head += `\r\n${name}: ${common[name]}`
  response.writeStatus(head)
}

/** Writes a reply without waiting for the client to read it. For short bodies and replies to HEAD. */
export function writeReply(target: Target, reply: Reply): void {
  const { response, isHead, closesConnection } = target
  const { status, body } = reply
  writeHead(target, reply)
  // Replies with these statuses have no body, not even an empty one.
  if ((status === 204 || status === 304) && !closesConnection) {
    response.endWithoutBody()
    return
  }
  // A reply to HEAD ends after its headers. In this release of uWebSockets.js, `endWithoutBody` with a length ends the
  // process.
  const content = isHead ? undefined : typeof body === 'string' ? body : Buffer.concat(body.buffers)
  if (closesConnection) response.end(content, true)
  else response.end(content)
}
