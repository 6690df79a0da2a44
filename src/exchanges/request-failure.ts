import { SourceFailure } from './source.js'

/** Why an exchange has not answered a request, in words for the caller. */
const reasons = {
  limited: 'limits the rate of requests',
  'keys-needed': 'wants valid API keys for this',
  refused: 'refused the request',
  down: 'is not available',
  'too-long': 'sent a reply that is too long',
  unreadable: 'sent a reply that cannot be read',
  'timed-out': 'did not answer within',
  unreachable: 'cannot be reached',
  other: 'could not answer the request',
}
export type Reason = keyof typeof reasons

/** What an error shows about the request that failed. */
export interface Fault {
  readonly reason: Reason
  /** The status of the response; 0 where there was none. */
  readonly status: number
  /** Milliseconds for which the exchange accepts no more requests; 0 where it sets no time. */
  readonly pauseMs: number
  /** Whether the same request may succeed soon. */
  readonly isTransient: boolean
}

/** The failure for the caller. What the exchange sent may hold addresses and whole HTML pages: it stays in the cause. */
export function requestFailure(
  exchange: string,
  { reason, status, pauseMs }: Fault,
  timeoutMs: number,
  cause: unknown,
): SourceFailure {
  const suffix = status < 300 ? '' : ` (HTTP ${status})`
  if (reason === 'limited' && pauseMs > 0) return rateLimitFailure(exchange, pauseMs, suffix, cause)
  const text = `${exchange} ${reasons[reason]}${reason === 'timed-out' ? ` ${timeoutMs} ms` : suffix}`
  return new SourceFailure('unavailable', text, {
    cause,
    retryAfter: pauseMs > 0 ? Math.ceil(pauseMs / 1000) : undefined,
  })
}

/** The failure of an exchange that accepts no requests for `ms` milliseconds. */
export function rateLimitFailure(exchange: string, ms: number, suffix = '', cause?: unknown): SourceFailure {
  const retryAfter = Math.ceil(ms / 1000)
  return new SourceFailure(
    'unavailable',
    `${exchange} limits the rate of requests${suffix}, it can be asked again in ${retryAfter} s`,
    { cause, retryAfter },
  )
}
