import type { BodyFragments, Caller } from '../api/reply.js'

/** The response to one request, as uWebSockets.js has it; other drivers provide the same. */
export interface HttpResponse {
  writeStatus(status: string): unknown
  writeHeader(name: string, value: string): unknown
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

/** One HTTP request, whose client may disconnect at any time. `response` must not be used once the request is over. */
export class RequestContext<Response extends HttpResponse = HttpResponse> implements Caller {
  /** Whether a reply was given or the client has disconnected. */
  isOver = false
  isDisconnected = false
  /** Whether the connection ends with this request, because what follows on it cannot be trusted. */
  closesConnection = false
  /** The buffer into which the body is received. */
  buffer: Uint8Array | undefined
  /** The body of the reply while it is written. */
  fragments: BodyFragments | undefined
  #disconnection: AbortController | undefined

  constructor(
    readonly response: Response,
    readonly isHead: boolean,
    /** Header fields of every reply to this request. */
    readonly headers?: Readonly<Record<string, string>>,
  ) {}

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
