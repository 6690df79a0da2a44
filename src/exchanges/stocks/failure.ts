import { z } from 'zod'
import { isTimeout } from '../../runtime/deadline.js'
import { rateLimitFailure } from '../request-queue.js'
import { BodyTooLong } from '../response-body.js'
import { SourceFailure } from '../source.js'
import { stocksId } from './stocks.js'

/** A response with another status than 2xx. */
export class HttpFailure extends Error {
  /** Yahoo's error code, such as "Not Found" or "Bad Request"; empty where the body has none. */
  readonly code: string

  constructor(
    readonly status: number,
    readonly retryAfterMs: number,
    body: string,
  ) {
    super(`HTTP ${status} ${body.slice(0, 200)}`)
    this.name = 'HttpFailure'
    this.code = errorCodeOf(body)
  }
}

/** A symbol that Yahoo knows, but not as a share or a fund that is traded in New York. */
export class WrongMarket extends Error {}

/** The error code in one of Yahoo's error bodies; other bodies are pages of a proxy or a firewall. */
function errorCodeOf(body: string): string {
  const schema = z.record(z.string(), z.object({ error: z.object({ code: z.string() }) }))
  try {
    return Object.values(schema.parse(JSON.parse(body)))[0]?.error.code ?? ''
  } catch {
    return ''
  }
}

/** Node's fetch reports every broken connection as a TypeError with the cause. */
const isConnectionError = (error: unknown) =>
  error instanceof TypeError && /^(fetch failed|terminated)$/.test(error.message)

/**
 * Whether the same request may succeed soon. A body that cannot be read counts as transient: it was cut off, or it is
 * a page of a proxy.
 */
export const isTransient = (error: unknown): boolean =>
  !(error instanceof WrongMarket) &&
  !(error instanceof BodyTooLong) &&
  (!(error instanceof HttpFailure) || error.status === 408 || error.status === 429 || error.status >= 500)

/** The failure in words for the caller; the body that came in place of the candles stays in the cause. */
export function failureOf(error: unknown, timeoutMs: number): SourceFailure {
  const pauseMs = error instanceof HttpFailure ? error.retryAfterMs : 0
  if (error instanceof HttpFailure && error.status === 429 && pauseMs > 0)
    return rateLimitFailure(stocksId, pauseMs, ' (HTTP 429)', error)
  const text = () => {
    if (isTimeout(error)) return `did not answer within ${timeoutMs} ms`
    if (error instanceof BodyTooLong) return 'sent a reply that is too long'
    if (isConnectionError(error)) return 'cannot be reached'
    if (!(error instanceof HttpFailure)) return 'sent a reply that cannot be read'
    const suffix = ` (HTTP ${error.status})`
    if (error.status === 429) return `limits the rate of requests${suffix}`
    return error.status >= 500 ? `is not available${suffix}` : `refused the request${suffix}`
  }
  const retryAfter = pauseMs > 0 ? Math.ceil(pauseMs / 1000) : undefined
  return new SourceFailure('unavailable', `${stocksId} ${text()}`, { cause: error, retryAfter })
}
