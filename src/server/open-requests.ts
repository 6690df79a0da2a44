import { type Reply, type RequestHead, type ResponseBody, refused } from '../api/reply.js'
import type { Log } from '../config/log.js'
import { internal } from '../contract/refusals.js'
import { BodyFragments, BufferPool } from '../runtime/buffer-pool.js'
import { turnClock } from '../runtime/turn-clock.js'
import { RareWarning } from './rare-warning.js'
import { type WriteFragments, writeHead, writeReply } from './reply-writer.js'
import type { HttpResponse, RequestContext } from './request-context.js'

/**
 * Texts are written without asking whether the client reads them, except those of this length, and the one that
 * completes this length among shorter ones. A connection that sends requests and never reads answers is found by that
 * after about as many unread bytes, while asking each time would cost every request.
 */
const uncheckedBytes = 64 * 1024

interface Options<Response extends HttpResponse> {
  readonly writeFragments: WriteFragments<Response>
  readonly maxUnsentBytes: number
  readonly log: Log
}

const isLong = (body: ResponseBody): boolean => typeof body !== 'string' || body.length >= uncheckedBytes

/** The requests that are not answered completely: their replies, their ends and their memory. */
export class OpenRequests<Response extends HttpResponse> {
  readonly #options: Options<Response>
  readonly #contexts = new Set<RequestContext<Response>>()
  /** The memory of the replies that are being written, in bytes, the oldest first. */
  readonly #unsent = new Map<RequestContext<Response>, number>()
  readonly #warning: RareWarning
  #unsentBytes = 0
  #sinceCheck = 0
  #onIdle: (() => void) | undefined

  constructor(options: Options<Response>) {
    this.#options = options
    this.#warning = new RareWarning(options.log)
  }

  /**
   * Answers a request in the turn in which it arrived, so that it need not be opened unless the answer is long. Where many of
   * those arrive together, long answers wait for their turns.
   */
  answer(context: RequestContext<Response>, reply: Reply): void {
    if (!context.closesConnection && this.#isWrittenAtOnce(reply.body)) writeReply(context, reply)
    else if (isLong(reply.body) && turnClock.isOver()) {
      this.open(context)
      turnClock.next().then(() => this.send(context, reply))
    } else {
      this.open(context)
      context.isOver = true
      if (context.closesConnection || context.isHead) this.#sendWhole(context, reply)
      else this.#sendFragments(context, reply)
    }
  }

  /** Opens a request that is not answered at once: uWebSockets.js requires a listener for its disconnection. */
  open(context: RequestContext<Response>): void {
    this.#contexts.add(context)
    context.response.onAborted(() => {
      context.abort()
      this.#end(context)
    })
  }

  /** Answers a request, unless it is over. */
  send(context: RequestContext<Response>, reply: Reply): void {
    const { body } = reply
    if (context.isOver) {
      if (typeof body !== 'string') body.release()
      return
    }
    context.isOver = true
    if (context.closesConnection || context.isHead || this.#isWrittenAtOnce(body))
      this.#sendWhole(context, reply)
    else this.#sendFragments(context, reply)
  }

  /** Logs a bug and answers the request with status 500. */
  fail(context: RequestContext<Response>, error: unknown, { method, path }: RequestHead): void {
    const id = context.headers?.['X-Request-Id'] ?? crypto.randomUUID()
    this.#options.log.error({ err: error, request: id, method, path }, 'request failed')
    if (!context.isOver && !this.#contexts.has(context)) this.open(context)
    this.send(context, { ...refused(internal()), headers: { 'X-Request-Id': id } })
  }

  /** Resolves when no request is open, or after so many seconds. */
  async idle(seconds: number): Promise<void> {
    if (this.#contexts.size === 0) return
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>(resolve => {
      this.#onIdle = resolve
      timer = setTimeout(resolve, seconds * 1000)
    })
    clearTimeout(timer)
  }

  #isWrittenAtOnce(body: ResponseBody): boolean {
    if (typeof body !== 'string') return false
    this.#sinceCheck += body.length
    if (this.#sinceCheck < uncheckedBytes) return true
    this.#sinceCheck = 0
    return false
  }

  /** Sends a short body, none, or one after which the connection is closed. */
  #sendWhole(context: RequestContext<Response>, reply: Reply): void {
    // A request that follows in the same packet is read before the answer then, which makes uWebSockets.js close.
    if (context.closesConnection) setImmediate(() => this.#writeWhole(context, reply))
    else this.#writeWhole(context, reply)
  }

  #writeWhole(context: RequestContext<Response>, reply: Reply): void {
    if (!context.isDisconnected) context.response.cork(() => writeReply(context, reply))
    if (typeof reply.body !== 'string') reply.body.release()
    this.#end(context)
  }

  #sendFragments(context: RequestContext<Response>, reply: Reply): void {
    const { body } = reply
    const fragments = typeof body === 'string' ? new BodyFragments([Buffer.from(body)]) : body
    context.fragments = fragments
    this.#unsent.set(context, fragments.heldBytes)
    this.#unsentBytes += fragments.heldBytes
    context.response.cork(() => {
      writeHead(context, reply)
      this.#options.writeFragments(context, fragments, () => this.#end(context))
    })
    if (this.#unsentBytes > this.#options.maxUnsentBytes) this.#makeRoom(context)
  }

  /** Closes the connections that have waited the longest until the unsent bytes are within their limit. */
  #makeRoom(newest: RequestContext<Response>): void {
    for (const context of this.#unsent.keys()) {
      if (context === newest || this.#unsentBytes <= this.#options.maxUnsentBytes) return
      this.#warning.warn(
        { bytes: this.#unsentBytes },
        'connections were closed whose clients did not read their answers: more waited than HTTP_MAX_BACKPRESSURE allows',
      )
      context.abort()
      context.response.close()
      this.#end(context)
    }
  }

  /** The end of a request, whatever its cause: its socket is neither read nor written after that. */
  #end(context: RequestContext<Response>): void {
    if (context.buffer) BufferPool.release(context.buffer)
    context.buffer = undefined
    context.fragments?.release()
    context.fragments = undefined
    this.#unsentBytes -= this.#unsent.get(context) ?? 0
    this.#unsent.delete(context)
    this.#contexts.delete(context)
    if (this.#contexts.size === 0) this.#onIdle?.()
  }
}
