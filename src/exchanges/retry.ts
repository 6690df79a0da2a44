import { setTimeout as pause } from 'node:timers/promises'
import { backoffMs } from '../runtime/backoff.js'
import { SourceFailure } from './source.js'

/** How requests that failed are repeated. */
export interface RetrySettings {
  /** How often a request that failed for a transient reason is repeated. Default 2. */
  readonly retries?: number
  /**
   * Milliseconds before the first repetition; they double with each one and are shortened by up to half at random.
   * Default 500.
   */
  readonly backoffMs?: number
  /**
   * Maximum milliseconds of a `Retry-After` that is waited for. While a longer one runs, calls fail at once. Default
   * 10 000.
   */
  readonly maxPauseMs?: number
}

export const retryDefaults: Required<RetrySettings> = { retries: 2, backoffMs: 500, maxPauseMs: 10_000 }

interface Options {
  /** The exchange, as failures name it. */
  readonly exchange: string
  readonly retries: number
  readonly backoffMs: number
  /** Ends the work and all waiting. */
  readonly signal: AbortSignal
  /**
   * Whether the same work may succeed after `waitMs` milliseconds. Called with every error except a SourceFailure,
   * which is final, also with the error of the last repetition.
   */
  readonly isRetryable: (error: unknown, waitMs: number) => boolean
  /** The failure to throw for an error that is not retried. */
  readonly failureOf: (error: unknown) => SourceFailure
}

/** The result of `work`, which is repeated while it fails for a transient reason. Rejects with a SourceFailure. */
export async function retry<Result>(work: () => Promise<Result>, options: Options): Promise<Result> {
  const { exchange, retries, signal, isRetryable, failureOf } = options
  const closed = (cause?: unknown) => new SourceFailure('unavailable', `${exchange} was closed`, { cause })
  for (let attempt = 0; ; attempt++) {
    if (signal.aborted) throw closed()
    let waitMs: number
    try {
      return await work()
    } catch (error) {
      if (signal.aborted) throw closed(error)
      if (error instanceof SourceFailure) throw error
      waitMs = backoffMs(attempt, options.backoffMs)
      if (!isRetryable(error, waitMs) || attempt >= retries) throw failureOf(error)
    }
    await pause(waitMs, undefined, { signal }).catch(error => {
      throw closed(error)
    })
  }
}
