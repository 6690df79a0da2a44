import { connectionReason, exchangeCodeOf, isPlaceRefused } from '../error-signs.js'
import { BodyTooLong } from '../response-body.js'
import type { Fault } from '../retry.js'
import type { FailureReason } from '../source.js'
import type { ErrorClasses } from './client.js'
import type { OpenClient } from './open-client.js'

/** Binance's shortest ban, assumed where a ban has no Retry-After. */
const minBanMs = 120_000

/** Errors of Node and undici have a code, such as ECONNRESET or UND_ERR_SOCKET; ccxt does not wrap all of them. */
const hasCode = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'

/** What an error of ccxt shows. The same request may succeed after rate limits, broken connections and 5xx, not after a refusal. */
export function faultOf(error: unknown, { errors, statuses }: OpenClient): Fault {
  const { status = 0, retryAfterMs = 0 } = statuses.get(error as object) ?? {}
  return {
    reason: reasonOf(error, status, errors),
    status,
    code: error instanceof Error ? exchangeCodeOf(error.message) : '',
    pauseMs: retryAfterMs === 0 && status === 418 ? minBanMs : retryAfterMs,
    // 418, Binance's ban of an address, is not transient: every further request makes it longer.
    isTransient:
      status >= 400
        ? status === 408 || status === 429 || status >= 500
        : error instanceof errors.OperationFailed || hasCode(error),
  }
}

function reasonOf(error: unknown, status: number, errors: ErrorClasses): FailureReason {
  const isA = (...classes: (keyof ErrorClasses)[]) => classes.some(name => error instanceof errors[name])
  if (status >= 400 && isPlaceRefused(status, String(error))) return 'place-refused'
  if (isA('RateLimitExceeded', 'DDoSProtection')) return 'rate-limited'
  if (isA('PermissionDenied') || status === 402) return 'not-permitted'
  if (isA('AuthenticationError') || status === 401) return 'keys-needed'
  if (isA('BadRequest') || (status >= 400 && status < 500)) return 'request-refused'
  if (isA('ExchangeNotAvailable') || status >= 500) return 'down'
  if (error instanceof BodyTooLong) return 'too-long'
  if (isA('BadResponse')) return 'unreadable'
  if (isA('RequestTimeout')) return 'timed-out'
  return isA('NetworkError') || hasCode(error) ? connectionReason(error) : 'other'
}
