import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import PQueue from 'p-queue'
import { SourceFailure } from './source.js'

/**
 * How urgent a request is. A client's call that has begun is finished before the next one, so that calls of many pages
 * end one after the other and not all at the end; work that nobody waits for comes last.
 */
export type Priority = 'background' | 'client' | 'begun'

const priorities: Readonly<Record<Priority, number>> = { background: 0, client: 1, begun: 2 }

interface Options {
  /** The exchange, as it is named in failures. */
  readonly exchange: string
  /** Milliseconds that a request of cost 1 keeps the next one waiting. */
  readonly spacingMs: number
  /** Requests under way at the same time. */
  readonly concurrency: number
  /** The longest that a client's request may wait for its turn, in milliseconds. */
  readonly maxWaitMs: number
  /** The longest silence that a client's request sits out, in milliseconds. */
  readonly maxPauseMs: number
  /** Ends all waiting. */
  readonly signal: AbortSignal
}

/** The requests to one exchange: spaced as its rate limit wants it, the most urgent ones first. */
export class RequestQueue {
  readonly #options: Options
  /** Turns are taken one at a time; a turn lasts until the next request may be sent. */
  readonly #turns = new PQueue({ concurrency: 1 })
  /** The cost of what waits, by urgency. */
  readonly #waiting: Record<Priority, number> = { background: 0, client: 0, begun: 0 }
  #underWay = 0
  #landed: () => void = () => {}
  /** The moment before which the exchange has asked not to be asked again. */
  #silentUntil = 0

  constructor(options: Options) {
    this.#options = options
    // One listener for each request that waits.
    setMaxListeners(0, options.signal)
  }

  /** Sends nothing for so many milliseconds. */
  pauseFor(ms: number): void {
    this.#silentUntil = Math.max(this.#silentUntil, Date.now() + ms)
  }

  /**
   * Does a request when its turn comes. Rejects with a SourceFailure, without doing it, where a client would have to
   * wait for too long.
   */
  async run<Answer>(request: () => Promise<Answer>, cost: number, urgency: Priority): Promise<Answer> {
    const { exchange, spacingMs, maxPauseMs, signal } = this.#options
    this.#admit(urgency, (this.#waiting.client + this.#waiting.begun) * spacingMs)
    for (;;) {
      const silence = this.#silentUntil - Date.now()
      if (silence > maxPauseMs && urgency !== 'background') throw rateLimitFailure(exchange, silence)
      if (silence > 0) await pause(silence, undefined, { signal })
      const answer = await this.#turn(request, cost, urgency)
      if (answer) return answer.promise
    }
  }

  /** Refuses a client whose request has waited, or would wait, for too long. */
  #admit(urgency: Priority, waitMs: number): void {
    const { exchange, maxWaitMs } = this.#options
    if (urgency !== 'client' || waitMs <= maxWaitMs) return
    throw new SourceFailure('unavailable', `${exchange} is asked for more than it can answer`, {
      retryAfter: Math.ceil(waitMs / 1000),
    })
  }

  /** The request under way, or undefined when the exchange asked for silence before its turn came. */
  #turn<Answer>(request: () => Promise<Answer>, cost: number, urgency: Priority) {
    const { spacingMs, concurrency, signal } = this.#options
    const asked = performance.now()
    this.#waiting[urgency] += cost
    return new Promise<{ promise: Promise<Answer> } | undefined>((begin, refuse) => {
      const turn = async () => {
        if (this.#underWay >= concurrency) {
          await new Promise<void>(resolve => {
            this.#landed = resolve
          })
        }
        signal.throwIfAborted()
        // An exchange that answers slowly makes waits longer than its rate limit lets foresee; twice as long at most.
        this.#admit(urgency, (performance.now() - asked) / 2)
        if (this.#silentUntil > Date.now()) return begin(undefined)
        begin({ promise: this.#send(request) })
        // Promises that are settled just now may run before the request leaves; the clock starts afterwards.
        await new Promise(resolve => setImmediate(resolve))
        await waitAtLeast(cost * spacingMs)
      }
      this.#turns.add(turn, { priority: priorities[urgency], signal }).catch(refuse)
    }).finally(() => {
      this.#waiting[urgency] -= cost
    })
  }

  async #send<Answer>(request: () => Promise<Answer>): Promise<Answer> {
    this.#underWay++
    try {
      return await request()
    } finally {
      this.#underWay--
      this.#landed()
    }
  }
}

/**
 * Milliseconds from now that a Retry-After header (RFC 9110: seconds or a date) asks for, `longestMs` at most; 0 when it
 * says nothing.
 */
export function retryAfterMs(header: unknown, longestMs: number): number {
  if (typeof header !== 'string' || header.trim() === '') return 0
  const seconds = Number(header)
  const wait = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1000
  return wait > 0 ? Math.min(wait, longestMs) : 0
}

/** The failure of an exchange that wants no requests for so many milliseconds. */
export function rateLimitFailure(exchange: string, ms: number, suffix = '', cause?: unknown): SourceFailure {
  const retryAfter = Math.ceil(ms / 1000)
  return new SourceFailure(
    'unavailable',
    `${exchange} limits the rate of requests${suffix}, it can be asked again in ${retryAfter} s`,
    { cause, retryAfter },
  )
}

/** At least so many milliseconds: a timer alone may end a fraction too early. */
async function waitAtLeast(ms: number): Promise<void> {
  const end = performance.now() + ms
  for (let left = ms; left > 0; left = end - performance.now()) {
    await new Promise(resolve => setTimeout(resolve, Math.ceil(left)))
  }
}
