import { setMaxListeners } from 'node:events'
import PQueue from 'p-queue'
import { pause } from '../../runtime/pause.js'
import { afterTurn } from '../../runtime/scheduler.js'
import { type FetchFault, SourceFailure } from './source.js'

/**
 * Priority of a request, from the lowest to the highest. `background`: no client waits for the request. `client`:
 * the first request of a client's call. `begun`: a further request of a call that has begun. `begun` is the
 * highest, so that calls with many pages finish one after the other.
 */
export type Priority = 'background' | 'client' | 'begun'

const priorities: Readonly<Record<Priority, number>> = { background: 0, client: 1, begun: 2 }

interface Options {
  readonly exchange: string
  /** Milliseconds between a request of cost 1 and the next request. */
  readonly spacingMs: number
  readonly concurrency: number
  /** Maximum milliseconds that a client's request waits for its turn. */
  readonly maxWaitMs: number
  /** Maximum remaining milliseconds of a pause for which a client's request still waits. */
  readonly maxPauseMs: number
  readonly signal: AbortSignal
}

/**
 * Request queue of one exchange. Spaces the requests by the rate limit and sends those of the highest priority
 * first.
 */
export class RequestQueue {
  /** Turns run one at a time. A turn lasts until the next request may be sent. */
  readonly #turns = new PQueue({ concurrency: 1 })
  /** Total cost of the waiting requests, by priority. */
  readonly #waiting: Record<Priority, number> = { background: 0, client: 0, begun: 0 }
  #running = 0
  #onRequestEnd: () => void = () => {}
  /** The time (of `performance.now()`) before which nothing is sent. */
  #pausedUntil = 0

  constructor(private readonly options: Options) {
    // Every waiting request adds a listener.
    setMaxListeners(0, options.signal)
  }

  pauseFor(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + ms)
  }

  /** Sends a request in its turn. If a client would wait too long, rejects with a SourceFailure and sends nothing. */
  async run<Answer>(request: () => Promise<Answer>, cost: number, priority: Priority): Promise<Answer> {
    const { exchange, spacingMs, maxPauseMs, signal } = this.options
    this.#admit(priority, (this.#waiting.client + this.#waiting.begun) * spacingMs)
    for (;;) {
      const pauseMs = this.#pausedUntil - performance.now()
      if (pauseMs > maxPauseMs && priority !== 'background') throw rateLimitFailure(exchange, pauseMs)
      if (pauseMs > 0) await pause(pauseMs, signal)
      signal.throwIfAborted()
      const sent = await this.#takeTurn(request, cost, priority)
      if (sent) return sent.answer
    }
  }

  /** Throws if a client's request has waited, or would wait, too long. */
  #admit(priority: Priority, waitMs: number): void {
    const { exchange, maxWaitMs } = this.options
    if (priority !== 'client' || waitMs <= maxWaitMs) return
    throw new SourceFailure('unavailable', `${exchange} is asked for more than it can answer`, {
      retryAfter: Math.ceil(waitMs / 1000),
      fault: ownLimit,
    })
  }

  /** Waits for a turn and sends the request. Undefined if a pause began first. */
  #takeTurn<Answer>(request: () => Promise<Answer>, cost: number, priority: Priority) {
    const { spacingMs, concurrency, signal } = this.options
    const queued = performance.now()
    this.#waiting[priority] += cost
    return new Promise<{ answer: Promise<Answer> } | undefined>((begin, refuse) => {
      const turn = async () => {
        if (this.#running >= concurrency) {
          await new Promise<void>(resolve => {
            this.#onRequestEnd = resolve
          })
        }
        signal.throwIfAborted()
        // A slow exchange makes waits longer than its rate limit predicts. Waits of up to twice the maximum are
        // tolerated.
        this.#admit(priority, (performance.now() - queued) / 2)
        if (this.#pausedUntil > performance.now()) return begin(undefined)
        begin({ answer: this.#send(request) })
        // Callbacks of settled promises may run before the request is sent, so spacing starts after them.
        await new Promise<void>(afterTurn)
        await waitAtLeast(cost * spacingMs)
      }
      this.#turns.add(turn, { priority: priorities[priority], signal }).catch(refuse)
    }).finally(() => {
      this.#waiting[priority] -= cost
    })
  }

  async #send<Answer>(request: () => Promise<Answer>): Promise<Answer> {
    this.#running++
    try {
      return await request()
    } finally {
      this.#running--
      this.#onRequestEnd()
    }
  }
}

const ownLimit: FetchFault = { reason: 'rate-limited', status: 0, code: '' }

/** Failure of an exchange that accepts no requests for `ms` milliseconds. */
export function rateLimitFailure(
  exchange: string,
  ms: number,
  {
    suffix = '',
    cause,
    fault = ownLimit,
  }: { readonly suffix?: string; readonly cause?: unknown; readonly fault?: FetchFault } = {},
): SourceFailure {
  const retryAfter = Math.ceil(ms / 1000)
  return new SourceFailure(
    'unavailable',
    `${exchange} limits the rate of requests${suffix}, it can be asked again in ${retryAfter} s`,
    { cause, retryAfter, fault },
  )
}

/**
 * Milliseconds until the time of a Retry-After header (RFC 9110: seconds or a date), at most `maxMs`. 0 if the
 * header is missing or unreadable.
 */
export function retryAfterMs(header: unknown, maxMs: number): number {
  if (typeof header !== 'string' || header.trim() === '') return 0
  const seconds = Number(header)
  const waitMs = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1000
  return waitMs > 0 ? Math.min(waitMs, maxMs) : 0
}

/** Waits at least `ms` milliseconds, because a timer alone may fire a fraction too early. */
async function waitAtLeast(ms: number): Promise<void> {
  const end = performance.now() + ms
  for (let left = ms; left > 0; left = end - performance.now()) {
    await pause(Math.ceil(left))
  }
}
