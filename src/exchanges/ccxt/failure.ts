import { rateLimitFailure } from '../request-queue.js'
import { SourceFailure } from '../source.js'
import type { Errors, OpenClient } from './client.js'

/** The longest that one header can silence an exchange; Binance bans addresses for three days at most. */
export const maxPauseMs = 3 * 86_400_000
/** Binance's shortest ban, which is taken where a ban does not say how long it lasts. */
const shortestBanMs = 120_000

/** What a failed answer said in its status line and headers. */
export interface ResponseInfo {
  readonly status: number
  readonly retryAfterMs: number
}

/** Whether the exchange says that it was asked too often. */
export const isRateLimit = (error: unknown, { errors }: OpenClient): boolean =>
  error instanceof errors.RateLimitExceeded || error instanceof errors.DDoSProtection

/** Milliseconds for which the exchange wants no more requests after this error; 0 where it does not say. */
export function pauseMsOf(error: unknown, { replies }: OpenClient): number {
  const reply = replies.get(error as object)
  if (reply === undefined) return 0
  return reply.retryAfterMs === 0 && reply.status === 418 ? shortestBanMs : reply.retryAfterMs
}

/** Node's and undici's own errors carry a code, such as ECONNRESET or UND_ERR_SOCKET; ccxt lets some of them through. */
const hasCode = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'

/** Whether the same request may succeed a moment later: limits, broken connections, 5xx; a refusal will not pass. */
export function isTransient(error: unknown, { errors, replies }: OpenClient): boolean {
  const status = replies.get(error as object)?.status ?? 0
  // 418 is Binance's ban of an address; every further request makes it longer.
  if (status >= 400 && status < 500) return status === 408 || status === 429
  if (status >= 500) return true
  return error instanceof errors.OperationFailed || hasCode(error)
}

/** What went wrong in words for the caller; ccxt's own text holds addresses and whole pages, it stays in the cause. */
export function failureOf(error: unknown, id: string, opened: OpenClient): SourceFailure {
  const { client, errors, replies } = opened
  const isFrom = (...classes: (keyof Errors)[]) => classes.some(name => error instanceof errors[name])
  const status = replies.get(error as object)?.status ?? 0
  const suffix = status < 300 ? '' : ` (HTTP ${status})`
  const silence = pauseMsOf(error, opened)
  if (isRateLimit(error, opened) && silence > 0) return rateLimitFailure(id, silence, suffix, error)
  const text = () => {
    if (isRateLimit(error, opened)) return `limits the rate of requests${suffix}`
    if (isFrom('AuthenticationError') && !isFrom('PermissionDenied'))
      return `wants valid API keys for this${suffix}`
    if (isFrom('PermissionDenied', 'BadRequest') || (status >= 400 && status < 500))
      return `refused the request${suffix}`
    if (isFrom('ExchangeNotAvailable') || status >= 500) return `is not available${suffix}`
    if (isFrom('BadResponse')) return 'sent a reply that cannot be read'
    if (isFrom('RequestTimeout')) return `did not answer within ${client.timeout} ms`
    if (isFrom('NetworkError') || hasCode(error)) return 'cannot be reached'
    return 'could not answer the request'
  }
  const retryAfter = silence > 0 ? Math.ceil(silence / 1000) : undefined
  return new SourceFailure('unavailable', `${id} ${text()}`, { cause: error, retryAfter })
}
