import type { BodyFragments, Caller } from '../api/reply.js'

/** The response of uWebSockets.js, as far as it is used here. */
export interface HttpResponse {
  writeStatus(status: string): unknown
  writeHeader(name: string, value: string): unknown
  end(body?: string): unknown
  /** Ends without `Content-Length`. */
  endWithoutBody(): unknown
  /** Writes a fragment of a body of `total` bytes: whether all of it was taken, and whether the body is complete. */
  tryEnd(fragment: Uint8Array, total: number): [isTaken: boolean, isDone: boolean]
  /** Bytes of the body that were taken. */
  getWriteOffset(): number
  onWritable(listener: () => boolean): unknown
  onAborted(listener: () => void): unknown
  onData(listener: (chunk: ArrayBuffer, isLast: boolean) => void): unknown
  /** Joins all that `write` writes into as few packets as possible. */
  cork(write: () => void): unknown
}

/** One HTTP request, whose client may disconnect at any time. `response` must not be used once the request is over. */
export class RequestContext implements Caller {
  /** Whether a reply was given or the client has disconnected. */
  isOver = false
  /** The buffer into which the body is received. */
  buffer: Uint8Array | undefined
  /** The body of the reply while it is written. */
  fragments: BodyFragments | undefined
  #disconnection: AbortController | undefined

  constructor(
    readonly response: HttpResponse,
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
    this.#disconnection?.abort()
  }
}
