import type { Refusal } from '../../contract/refusals.js'
import type { BodyFragments, HttpRequest } from '../reply.js'

/** The response to one request, as uWebSockets.js has it; other drivers provide the same. */
export interface HttpResponse {
  /** Writes a status such as `200 OK`; the header fields follow it, each in a line of its own. */
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

/** What receives the bodies of requests. */
interface Bodies {
  receive(request: RequestContext, maxBytes: number): Promise<Uint8Array | Refusal>
  /** Releases what has arrived of a body that will not be read. */
  release(request: RequestContext): void
  /** Releases a body that was read. */
  releaseRead(request: RequestContext): void
}

/**
 * One HTTP request and its reply. The client may disconnect at any time: `response` must not be used once the request is
 * over. A driver adds the head.
 */
export abstract class RequestContext<Response extends HttpResponse = HttpResponse> implements HttpRequest {
  abstract readonly path: string
  abstract readonly queryString: string
  abstract readonly authorization: string
  abstract readonly contentType: string
  route = 'other'
  account = ''
  /** The announced bytes of the body; NaN or 0 where none were announced. */
  contentLength = 0
  /** Whether a reply was given or the client has disconnected. */
  isOver = false
  isDisconnected = false
  /** Whether the connection ends with this request, because what follows on it cannot be trusted. */
  closesConnection = false
  /** Header fields of every reply to this request. */
  headers: Readonly<Record<string, string>> | undefined
  /** The memory into which the body is received. */
  incoming: Uint8Array | undefined
  /** The memory of the body from when it is complete until the handler has answered. */
  received: Uint8Array | undefined
  /** The body of the reply while it is written. */
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

  /** Called before the callback of the request ends where the request is not answered then. */
  abstract keepHeader(): void

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

  /** The client has disconnected. */
  abort(): void {
    this.isOver = true
    this.isDisconnected = true
    this.#disconnection?.abort()
  }
}
