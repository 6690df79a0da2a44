import { type Reply, type RequestHead, refused } from '../api/reply.js'
import { BufferPool } from '../compute/workers/buffer-pool.js'
import { internal } from '../contract/refusals.js'
import type { Log } from '../log.js'
import { writeReply } from './reply-writer.js'
import type { RequestContext } from './request-context.js'

/** The requests that are not answered completely: their replies, their ends and their memory. */
export class OpenRequests {
  readonly #log: Log
  readonly #contexts = new Set<RequestContext>()
  #onIdle: (() => void) | undefined

  constructor(log: Log) {
    this.#log = log
  }

  /** Opens a request that is not answered at once: uWebSockets.js requires a listener for its disconnection. */
  open(context: RequestContext): void {
    this.#contexts.add(context)
    context.response.onAborted(() => {
      context.abort()
      this.#end(context)
    })
  }

  /** Answers a request, unless it is over. */
  send(context: RequestContext, reply: Reply): void {
    const fragments = typeof reply.body === 'string' ? undefined : reply.body
    if (context.isOver) {
      fragments?.release()
      return
    }
    context.isOver = true
    context.fragments = fragments
    context.response.cork(() => writeReply(context, reply, () => this.#end(context)))
  }

  /** Logs a bug and answers the request with status 500. */
  fail(context: RequestContext, error: unknown, { method, path }: RequestHead): void {
    const id = context.headers?.['X-Request-Id'] ?? crypto.randomUUID()
    this.#log.error({ err: error, request: id, method, path }, 'request failed')
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

  /** The end of a request, whatever its cause: its socket is neither read nor written after that. */
  #end(context: RequestContext): void {
    if (context.buffer) BufferPool.release(context.buffer)
    context.buffer = undefined
    context.fragments?.release()
    context.fragments = undefined
    this.#contexts.delete(context)
    if (this.#contexts.size === 0) this.#onIdle?.()
  }
}
