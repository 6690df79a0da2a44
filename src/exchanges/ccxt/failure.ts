import { rateLimitFailure } from '../request-queue.js'
import { BodyTooLong } from '../response-body.js'
import { SourceFailure } from '../source.js'
import type { ErrorClasses } from './client.js'
import type { OpenClient } from './open-client.js'

/** Binance's shortest ban, assumed where a ban does not say how long it lasts. */
const minBanMs = 120_000

/** Whether the exchange says that it received too many requests. */
export const isRateLimit = (error: unknown, { errors }: OpenClient): boolean =>
  error instanceof errors.RateLimitExceeded || error instanceof errors.DDoSProtection

/** Milliseconds for which the exchange accepts no more requests after this error; 0 where it does not say. */
export function pauseMsOf(error: unknown, { statuses }: OpenClient): number {
  const response = statuses.get(error as object)
  if (response === undefined) return 0
  return response.retryAfterMs === 0 && response.status === 418 ? minBanMs : response.retryAfterMs
}

/** Errors of Node and undici have a code, such as ECONNRESET or UND_ERR_SOCKET; ccxt does not wrap all of them. */
const hasCode = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'

/** Whether the same request may succeed soon: after rate limits, broken connections and 5xx, but not after a refusal. */
export function isTransient(error: unknown, { errors, statuses }: OpenClient): boolean {
  const status = statuses.get(error as object)?.status ?? 0
  // 418, Binance's ban of an address, is not transient: every further request makes it longer.
  if (status >= 400 && status < 500) return status === 408 || status === 429
  if (status >= 500) return true
  return error instanceof errors.OperationFailed || hasCode(error)
}

/** The failure in words for the caller. ccxt's own message holds addresses and whole HTML pages: it stays in the cause. */
export function failureOf(error: unknown, id: string, opened: OpenClient): SourceFailure {
  const { client, errors, statuses } = opened
  const isA = (...classes: (keyof ErrorClasses)[]) => classes.some(name => error instanceof errors[name])
  const status = statuses.get(error as object)?.status ?? 0
  const suffix = status < 300 ? '' : ` (HTTP ${status})`
  const pauseMs = pauseMsOf(error, opened)
  if (isRateLimit(error, opened) && pauseMs > 0) return rateLimitFailure(id, pauseMs, suffix, error)
  const text = () => {
    if (isRateLimit(error, opened)) return `limits the rate of requests${suffix}`
    if (isA('AuthenticationError') && !isA('PermissionDenied'))
      return `wants valid API keys for this${suffix}`
    if (isA('PermissionDenied', 'BadRequest') || (status >= 400 && status < 500))
      return `refused the request${suffix}`
    if (isA('ExchangeNotAvailable') || status >= 500) return `is not available${suffix}`
    if (error instanceof BodyTooLong) return 'sent a reply that is too long'
    if (isA('BadResponse')) return 'sent a reply that cannot be read'
    if (isA('RequestTimeout')) return `did not answer within ${client.timeout} ms`
    if (isA('NetworkError') || hasCode(error)) return 'cannot be reached'
    return 'could not answer the request'
  }
  const retryAfter = pauseMs > 0 ? Math.ceil(pauseMs / 1000) : undefined
  return new SourceFailure('unavailable', `${id} ${text()}`, { cause: error, retryAfter })
}
