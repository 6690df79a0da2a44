import {
  exchangeUnavailable,
  type Refusal,
  symbolDelisted,
  symbolNotFound,
  tooManyFirstRequests,
} from '../../contract/refusals.js'
import { SourceFailure } from '../exchanges/source.js'

/** How long a failed first fetch is answered from memory, in seconds: then the exchange is asked again. */
export const failureCacheSeconds = { 'unknown-symbol': 30, 'no-series': 60, unavailable: 5 } as const

/** An error of a source as a failure: any other error than its own failures is a bug, and "unavailable" to the caller. */
export const asFailure = (error: unknown): SourceFailure =>
  error instanceof SourceFailure
    ? error
    : new SourceFailure('unavailable', String((error as Error)?.message ?? error), { cause: error })

/**
 * A market is not fetched for the first time, because too many others are being fetched for the first time: by one
 * caller, or by all callers together.
 */
export class TooManyFirstFetches extends SourceFailure {
  constructor(
    readonly scope: 'caller' | 'total',
    /** How many may be under way at once. */
    readonly limit: number,
    /** What there are too many of: markets, or exchanges from which nothing was fetched before. */
    readonly of: 'markets' | 'exchanges',
  ) {
    super('unavailable', `more than ${limit} ${of} are being fetched for the first time`, { retryAfter: 1 })
    this.name = 'TooManyFirstFetches'
  }
}

/** A reason such as `kraken: name not resolved`, for a text that names the exchange before it. */
function withoutSubject(reason: string, exchange: string): string {
  const subject = [`${exchange}: `, `${exchange} `].find(each => reason.startsWith(each)) ?? ''
  return reason.slice(subject.length)
}

/** The refusal of a request whose market data an exchange did not give: 404, 429 or 503. */
export function sourceRefusal(error: unknown, exchange: string, symbol: string): Refusal {
  const failure = asFailure(error)
  if (failure.kind === 'unknown-symbol')
    return failure.isDelisted
      ? symbolDelisted(symbol, exchange)
      : symbolNotFound(symbol, exchange, failure.near)
  if (failure.kind === 'no-series') return { status: 404, error: failure.message }
  const seconds = failure.retryAfter ?? failureCacheSeconds.unavailable
  if (failure instanceof TooManyFirstFetches && failure.scope === 'caller')
    return tooManyFirstRequests(failure.limit, seconds, failure.of)
  const refusal = exchangeUnavailable(exchange, withoutSubject(failure.message, exchange), seconds)
  // A request that has an id of its own is answered with that one.
  return { ...refusal, headers: { ...refusal.headers, 'X-Request-Id': failure.id } }
}
