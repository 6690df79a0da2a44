import { exchangeUnavailable, type Refusal, symbolNotFound } from '../contract/refusals.js'
import { asFailure, failureCacheSeconds } from './history.js'

/** Why market data of an exchange could not be had, as the caller is told. */
export function sourceRefusal(error: unknown, exchange: string, symbol: string): Refusal {
  const failure = asFailure(error)
  return failure.kind === 'unknown-symbol'
    ? symbolNotFound(symbol, exchange)
    : exchangeUnavailable(exchange, failure.message, failure.retryAfter ?? failureCacheSeconds.unavailable)
}
