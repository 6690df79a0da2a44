import { internal, type Refusal } from '../../contract/refusals.js'
import { BodyFragments } from '../../runtime/buffer-pool.js'
import { withTimeout } from '../../runtime/deadline.js'
import { afterTurn, scheduler } from '../../runtime/scheduler.js'
import { type Reply, type ResponseBody, refused } from '../reply.js'
import { RareWarning } from './rare-warning.js'
import {
  type HttpResponse,
  type RequestContext,
  type WriteFragments,
  writeHead,
  writeReply,
} from './request-context.js'
import type { ServeOptions } from './server.js'

/**
 * Length of a text from which the driver checks whether the client reads it. Of shorter texts, only the one that
 * completes this total is checked. A connection that never reads is found after about this number of unread bytes. A
 * check for each text would cost every request.
 */
const uncheckedBytes = 64 * 1024

/** Maximum number of log lines per minute about failed requests to one route. */
const maxFailureLines = 10
/** Maximum number of characters of the reply in a log line. */
const maxAnswerLength = 300

type Options = Pick<ServeOptions, 'handle' | 'headersOf' | 'onReply' | 'maxUnsentBytes' | 'log'>

/** Whether the service could not serve a request, or a part of it. The reply then has the id of the failure. */
const hasFailed = ({ status, headers }: Reply): boolean =>
  status >= 500 || headers?.['X-Request-Id'] !== undefined

/** Whether a body is empty. A table without rows may have no fragment at all, so there is nothing to wait for. */
const isEmpty = (body: ResponseBody): boolean =>
  (typeof body === 'string' ? body.length : body.byteLength) === 0

const isLong = (body: ResponseBody): boolean => typeof body !== 'string' || body.length >= uncheckedBytes

/** Passes requests to the handler, sends its replies, and keeps track of the requests that are not completely answered. */
export class OpenRequests<Response extends HttpResponse> {
  readonly #options: Options
  readonly #writeFragments: WriteFragments<Response>
  readonly #contexts = new Set<RequestContext<Response>>()
  /** Memory of the replies being written, in bytes, oldest first. */
  readonly #unsent = new Map<RequestContext<Response>, number>()
  readonly #warning: RareWarning
  readonly #failures: RareWarning
  #unsentBytes = 0
  #sinceCheck = 0
  #onIdle: (() => void) | undefined

  constructor(options: Options, writeFragments: WriteFragments<Response>) {
    this.#options = options
    this.#writeFragments = writeFragments
    this.#warning = new RareWarning(options.log)
    this.#failures = new RareWarning(options.log, undefined, maxFailureLines)
  }

  /** Answers a request. Must be called in the callback of the request. */
  answer(context: RequestContext<Response>): void {
    const startedAt = this.#options.onReply ? performance.now() : 0
    try {
      context.headers = this.#options.headersOf?.(context)
      const reply = this.#options.handle(context)
      // A reply that is available immediately is written in this turn (ADR 3).
      if (reply instanceof Promise) void this.#answerLater(context, reply, startedAt)
      else {
        const reported = hasFailed(reply) ? this.#reportFailed(context, reply) : reply
        this.#answerNow(context, reported)
        this.#options.onReply?.(context, reported, startedAt)
      }
    } catch (error) {
      this.#fail(context, error, startedAt)
    }
  }

  /** Refuses a request whose connection cannot be read any further. */
  refuse(context: RequestContext<Response>, refusal: Refusal): void {
    context.headers = this.#options.headersOf?.(context)
    context.closesConnection = true
    this.#open(context)
    this.#send(context, refused(refusal))
  }

  /** Resolves when no request is open, or after `seconds`. */
  async idle(seconds: number): Promise<void> {
    if (this.#contexts.size === 0) return
    const idle = new Promise<void>(resolve => {
      this.#onIdle = resolve
    })
    await withTimeout(idle, seconds)
  }

  async #answerLater(
    context: RequestContext<Response>,
    promised: Promise<Reply>,
    startedAt: number,
  ): Promise<void> {
    this.#open(context)
    try {
      const reply = await promised
      const reported = hasFailed(reply) ? this.#reportFailed(context, reply) : reply
      this.#send(context, reported)
      this.#options.onReply?.(context, reported, startedAt)
    } catch (error) {
      this.#fail(context, error, startedAt)
    } finally {
      // The body belongs to the handler until its reply has arrived, even if the client disconnects first.
      context.bodies.releaseRead(context)
    }
  }

  /**
   * Writes a reply in the turn in which the request arrived, so that the request need not be opened unless the reply is
   * long. If many long replies come together, they wait for another turn.
   */
  #answerNow(context: RequestContext<Response>, reply: Reply): void {
    if (!context.closesConnection && this.#isWrittenAtOnce(reply.body)) {
      writeReply(context, reply)
      return
    }
    this.#open(context)
    if (isLong(reply.body) && !scheduler.hasTime('answers'))
      scheduler.next('answers').then(() => this.#send(context, reply))
    else this.#write(context, reply, false)
  }

  /** Opens a request that is not answered at once: uWebSockets.js requires a listener for its disconnection. */
  #open(context: RequestContext<Response>): void {
    this.#contexts.add(context)
    context.keepHeader()
    context.response.onAborted(() => {
      context.abort()
      this.#end(context)
    })
  }

  /** Answers an open request, unless it is over. */
  #send(context: RequestContext<Response>, reply: Reply): void {
    const { body } = reply
    if (!context.isOver) this.#write(context, reply, this.#isWrittenAtOnce(body))
    else if (typeof body !== 'string') body.release()
  }

  #write(context: RequestContext<Response>, reply: Reply, isAtOnce: boolean): void {
    context.isOver = true
    if (context.closesConnection || context.isHead || isAtOnce || isEmpty(reply.body))
      this.#sendWhole(context, reply)
    else this.#sendFragments(context, reply)
  }

  /** Logs a bug and answers the request with status 500. */
  #fail(context: RequestContext<Response>, error: unknown, startedAt: number): void {
    const { method, path } = context
    const id = context.headers?.['X-Request-Id'] ?? crypto.randomUUID()
    this.#options.log.error({ err: error, request: id, method, path }, 'request failed')
    if (!context.isOver && !this.#contexts.has(context)) this.#open(context)
    const reply = { ...refused(internal()), headers: { 'X-Request-Id': id } }
    this.#send(context, reply)
    this.#options.onReply?.(context, reply, startedAt)
  }

  /**
   * Logs that the service could not serve a request, or a part of it. The reply gets the id of the log line: the id of
   * the request, of the failed fetch, or a new one. The query string is left out, because it may contain a key.
   */
  #reportFailed(context: RequestContext<Response>, reply: Reply): Reply {
    const { method, path, route } = context
    const { status, body, headers } = reply
    const cause = headers?.['X-Request-Id']
    const id = context.headers?.['X-Request-Id'] ?? cause ?? crypto.randomUUID()
    const isPart = status < 500
    const answer = typeof body === 'string' && !isPart ? body.slice(0, maxAnswerLength) : undefined
    const line = { request: id, ...(cause && cause !== id && { cause }), method, path, status, answer }
    this.#failures.warn(line, `a ${isPart ? 'part of a ' : ''}request could not be served`, route)
    return { ...reply, headers: { ...headers, 'X-Request-Id': id } }
  }

  #isWrittenAtOnce(body: ResponseBody): boolean {
    if (typeof body !== 'string') return false
    this.#sinceCheck += body.length
    if (this.#sinceCheck < uncheckedBytes) return true
    this.#sinceCheck = 0
    return false
  }

  /** Sends a reply with a short body or without one, or the last reply of a connection. */
  #sendWhole(context: RequestContext<Response>, reply: Reply): void {
    // Without the delay, a further request in the same packet is read before the answer, and uWebSockets.js closes the
    // connection.
    if (context.closesConnection) afterTurn(() => this.#writeWhole(context, reply))
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
      this.#writeFragments(context, fragments, () => this.#end(context))
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

  /** Ends a request, whatever the cause. Its socket is neither read nor written afterwards. */
  #end(context: RequestContext<Response>): void {
    context.bodies.release(context)
    context.fragments?.release()
    context.fragments = undefined
    this.#unsentBytes -= this.#unsent.get(context) ?? 0
    this.#unsent.delete(context)
    this.#contexts.delete(context)
    if (this.#contexts.size === 0) this.#onIdle?.()
  }
}
