import {
  exchangeUnavailable,
  type Refusal,
  symbolNotFound,
  tooManyFirstRequests,
} from '../contract/refusals.js'
import { asFailure, failureCacheSeconds, TooManyFirstFetches } from './failure.js'

/** The refusal of a request whose market data an exchange did not give: 404, 429 or 503. */
export function sourceRefusal(error: unknown, exchange: string, symbol: string): Refusal {
  const failure = asFailure(error)
  if (failure.kind === 'unknown-symbol') return symbolNotFound(symbol, exchange, failure.near)
  const seconds = failure.retryAfter ?? failureCacheSeconds.unavailable
  return failure instanceof TooManyFirstFetches && failure.scope === 'caller'
    ? tooManyFirstRequests(failure.limit, seconds, failure.of)
    : exchangeUnavailable(exchange, failure.message, seconds)
}
