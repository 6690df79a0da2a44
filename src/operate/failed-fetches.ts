import { RareWarning } from '../http/drivers/rare-warning.js'
import type { FailedFetch } from '../markets/history/candle-fetcher.js'
import type { Log } from '../runtime/log.js'
import type { Metrics } from './metrics/metrics.js'

/** Lines in a minute about failed fetches from one exchange. */
const maxLines = 10
/** Characters of what an exchange has sent: it may be a page of HTML. */
const maxDetailLength = 300

const unknown = { reason: 'other', status: 0, code: '' } as const

/** Counts and logs the fetches that exchanges have not answered. */
export function failedFetches(log: Log, metrics: Metrics) {
  const failures = metrics.counter(
    'candela_fetch_failures_total',
    'Requests to exchanges for candles that were not answered, by reason, such as timed-out or rate-limited',
    'exchange',
    'reason',
  )
  const warning = new RareWarning(log, undefined, maxLines)
  return ({ market: { exchange, symbol, timeframe }, failure, seconds }: FailedFetch): void => {
    const { reason, status, code } = failure.fault ?? unknown
    failures.add({ exchange, reason })
    const { message = '' } = (failure.cause ?? {}) as Partial<Error>
    const context = {
      ...{ exchange, symbol, timeframe, reason },
      ...(status !== 0 && { status }),
      ...(code !== '' && { code }),
      // A query string may have a key of the operator.
      ...(message !== '' && { detail: message.replaceAll(/\?[^\s"]*/g, '').slice(0, maxDetailLength) }),
      seconds: Math.round(seconds * 1000) / 1000,
      request: failure.id,
    }
    warning.warn(context, `candles could not be fetched: ${failure.message}`, exchange)
  }
}
