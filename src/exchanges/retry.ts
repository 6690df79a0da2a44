import { setTimeout as pause } from 'node:timers/promises'
import { SourceFailure } from './source.js'

interface Options {
  /** The exchange, as it is named in failures. */
  readonly exchange: string
  /** How often work that failed for a passing reason is repeated. */
  readonly retries: number
  /** Milliseconds before the first repetition; they double with each one and are shortened by up to half at random. */
  readonly backoffMs: number
  /** Ends it. */
  readonly signal: AbortSignal
  /**
   * Hears of every error but a SourceFailure, which is final; answers whether the same work may succeed in `backoffMs`.
   */
  readonly isRetryable: (error: unknown, backoffMs: number) => boolean
  readonly failureOf: (error: unknown) => SourceFailure
}

/** Does one piece of work at an exchange, again while the reason of its failure is a passing one. */
export async function retry<Answer>(work: () => Promise<Answer>, options: Options): Promise<Answer> {
  const { exchange, retries, backoffMs, signal, isRetryable, failureOf } = options
  const closed = (cause?: unknown) => new SourceFailure('unavailable', `${exchange} was closed`, { cause })
  for (let attempt = 0; ; attempt++) {
    if (signal.aborted) throw closed()
    let wait: number
    try {
      return await work()
    } catch (error) {
      if (signal.aborted) throw closed(error)
      if (error instanceof SourceFailure) throw error
      wait = Math.ceil(backoffMs * 2 ** attempt * (1 - Math.random() / 2))
      if (!isRetryable(error, wait) || attempt >= retries) throw failureOf(error)
    }
    await pause(wait, undefined, { signal }).catch(error => {
      throw closed(error)
    })
  }
}
