import { isTimeout } from '../../../runtime/deadline.js'
import { BodyTooLong } from '../response-body.js'
import { connectionReason, type Fault, isPlaceRefused } from '../retry.js'
import type { FailureReason } from '../source.js'

export class HttpFailure extends Error {
  constructor(
    readonly status: number,
    readonly retryAfterMs: number,
    readonly body: string,
  ) {
    super(`HTTP ${status} ${body.slice(0, 200)}`)
    this.name = 'HttpFailure'
  }
}

/** Thrown for a symbol that the provider knows, but not as a share or a fund traded in New York. */
export class WrongMarket extends Error {}

/** Whether Node's fetch reports a broken connection: a TypeError with the cause. */
const isConnectionError = (error: unknown) =>
  error instanceof TypeError && /^(fetch failed|terminated)$/.test(error.message)

/** Reads the fault of an error. A body that cannot be read is transient: it was cut off, or it is a page of a proxy. */
export function faultOf(error: unknown): Fault {
  const { status, retryAfterMs } = error instanceof HttpFailure ? error : { status: 0, retryAfterMs: 0 }
  return {
    reason: reasonOf(error),
    status,
    code: '',
    pauseMs: retryAfterMs,
    isTransient:
      status === 0
        ? !(error instanceof WrongMarket || error instanceof BodyTooLong)
        : status === 408 || status === 429 || status >= 500,
  }
}

function reasonOf(error: unknown): FailureReason {
  if (isTimeout(error)) return 'timed-out'
  if (error instanceof BodyTooLong) return 'too-long'
  if (isConnectionError(error)) return connectionReason(error)
  if (!(error instanceof HttpFailure)) return 'unreadable'
  if (isPlaceRefused(error.status, error.message)) return 'place-refused'
  if (error.status === 429) return 'rate-limited'
  if (error.status === 402) return 'not-permitted'
  return error.status >= 500 ? 'down' : 'request-refused'
}
