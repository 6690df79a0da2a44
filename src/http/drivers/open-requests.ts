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
      else this.#finish(context, reply, startedAt)
    } catch (error) {
      this.#fail(context, error, startedAt)
    }
  }

  /** Refuses a request whose connection cannot be read any further. */
  refuse(context: RequestContext<Response>, refusal: Refusal): void {
    context.headers = this.#options.headersOf?.(context)
    context.closesConnection = true
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
      this.#finish(context, await promised, startedAt)
    } catch (error) {
      this.#fail(context, error, startedAt)
    } finally {
      // The body belongs to the handler until its reply has arrived, even if the client disconnects first.
      context.bodies.release(context, true)
    }
  }

  /** Sends the reply of the handler. A reply with status 500 or more, or with the id of a failure, is logged. */
  #finish(context: RequestContext<Response>, reply: Reply, startedAt: number): void {
    const isFailed = reply.status >= 500 || reply.headers?.['X-Request-Id'] !== undefined
    const reported = isFailed ? this.#reportFailed(context, reply) : reply
    this.#send(context, reported)
    this.#options.onReply?.(context, reported, startedAt)
  }

  /** Opens a request that is not answered at once: uWebSockets.js requires a listener for its disconnection. */
  #open(context: RequestContext<Response>): void {
    this.#contexts.add(context)
    context.response.onAborted(() => {
      context.abort()
      this.#end(context)
    })
  }

  /**
   * Sends a reply unless the request is over. A short reply in the turn in which the request arrived is written without
   * opening the request. If many long replies come in such a turn, they wait for another one.
   */
  #send(context: RequestContext<Response>, reply: Reply): void {
    const { body } = reply
    if (context.isOver) {
      if (typeof body !== 'string') body.release()
      return
    }
    let isShort = false
    if (typeof body === 'string') {
      this.#sinceCheck += body.length
      isShort = this.#sinceCheck < uncheckedBytes
      if (!isShort) this.#sinceCheck = 0
    }
    if (!this.#contexts.has(context)) {
      if (isShort && !context.closesConnection) {
        writeReply(context, reply)
        context.isOver = true
        return
      }
      this.#open(context)
      if (isLong(body) && !scheduler.hasTime('answers')) {
        scheduler.next('answers').then(() => this.#send(context, reply))
        return
      }
    }
    context.isOver = true
    // Without the delay, a further request in the same packet is read before the answer, and uWebSockets.js closes the
    // connection.
    if (context.closesConnection) afterTurn(() => this.#writeWhole(context, reply))
    else if (context.isHead || isShort || isEmpty(body)) this.#writeWhole(context, reply)
    else this.#writeInFragments(context, reply)
  }

  /** Logs a bug and answers the request with status 500. */
  #fail(context: RequestContext<Response>, error: unknown, startedAt: number): void {
    const { method, path } = context
    const id = context.headers?.['X-Request-Id'] ?? crypto.randomUUID()
    this.#options.log.error({ err: error, request: id, method, path }, 'request failed')
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

  /** Writes a reply with a short body or without one, or the last reply of a connection. */
  #writeWhole(context: RequestContext<Response>, reply: Reply): void {
    if (!context.isDisconnected) context.response.cork(() => writeReply(context, reply))
    if (typeof reply.body !== 'string') reply.body.release()
    this.#end(context)
  }

  #writeInFragments(context: RequestContext<Response>, reply: Reply): void {
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
    context.bodies.release(context, false)
    context.fragments?.release()
    context.fragments = undefined
    this.#unsentBytes -= this.#unsent.get(context) ?? 0
    this.#unsent.delete(context)
    this.#contexts.delete(context)
    if (this.#contexts.size === 0) this.#onIdle?.()
  }
}
