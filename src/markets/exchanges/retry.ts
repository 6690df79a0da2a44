import { backoffMs } from '../../runtime/backoff.js'
import { pause } from '../../runtime/pause.js'
import { type RequestQueue, rateLimitFailure } from './request-queue.js'
import { type FailureReason, type FetchFault, failureTexts, SourceFailure } from './source.js'

/** Patterns in messages and codes of errors of Node and undici. ccxt repeats messages and drops causes. */
const connectionSigns: readonly (readonly [RegExp, FailureReason])[] = [
  [/ENOTFOUND|EAI_[A-Z]+/, 'name-not-resolved'],
  [/ECONNREFUSED/, 'connection-refused'],
  [
    /ECONNRESET|EPIPE|UND_ERR_SOCKET|other side closed|socket hang up|the reply broke off/,
    'connection-broken',
  ],
  [/ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT/, 'timed-out'],
]

/** Reason of a failed connection, read from its error and the causes. */
export function connectionReason(error: unknown): FailureReason {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth++) {
    const text = `${(each as NodeJS.ErrnoException).code ?? ''} ${each.message}`
    const found = connectionSigns.find(([sign]) => sign.test(text))
    if (found) return found[1]
  }
  return 'unreachable'
}

/** Error texts with which exchanges and CDNs refuse a country. */
const placeSigns =
  /restricted (location|country|region|jurisdiction)|block access from your country|(not available|unavailable|prohibited|forbidden) (in|from) your (country|region|location)/i

/** Whether a response refuses the country or network of the request, judged by its status and text. */
export const isPlaceRefused = (status: number, text: string): boolean =>
  status === 451 || placeSigns.test(text)

const codeFields = ['code', 'retCode', 'ret_code', 'err_code', 'errno', 'error', 'err-code'] as const
const maxCodeLength = 60

/**
 * The exchange's own error code in a text with a JSON body, such as `-1003` or `EGeneral:Invalid arguments`. Empty
 * if there is none.
 */
export function exchangeCodeOf(text: string): string {
  const at = text.indexOf('{')
  if (at < 0) return ''
  try {
    const body: unknown = JSON.parse(text.slice(at, text.lastIndexOf('}') + 1))
    return codeIn(body).slice(0, maxCodeLength)
  } catch {
    return ''
  }
}

function codeIn(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'string') return String(value)
  if (Array.isArray(value)) return codeIn(value[0])
  if (typeof value !== 'object' || value === null) return ''
  for (const field of codeFields) {
    const code = codeIn((value as Record<string, unknown>)[field])
    if (code !== '') return code
  }
  return ''
}

export interface RetrySettings {
  /** Maximum retries of a request that failed for a transient reason. Default 2. */
  readonly retries?: number
  /**
   * Milliseconds before the first retry. They double with each retry, and are shortened at random by up to half.
   * Default 500.
   */
  readonly backoffMs?: number
  /**
   * Maximum milliseconds of a `Retry-After` for which a call waits. During a longer one, calls fail immediately.
   * Default 10 000.
   */
  readonly maxPauseMs?: number
}

export const retryDefaults: Required<RetrySettings> = { retries: 2, backoffMs: 500, maxPauseMs: 10_000 }

interface Options extends Required<RetrySettings> {
  readonly exchange: string
  readonly queue: RequestQueue
  /** Timeout that failures of unanswered requests name. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Reads the fault of an error. Called with every error except a SourceFailure, which is final. */
  readonly faultOf: (error: unknown) => Fault
}

/** Runs `work`, and retries it while it fails for a transient reason. Rejects with a SourceFailure. */
export async function retry<Result>(work: () => Promise<Result>, options: Options): Promise<Result> {
  const { exchange, queue, retries, maxPauseMs, timeoutMs, signal, faultOf } = options
  const closed = (cause?: unknown) => new SourceFailure('unavailable', `${exchange} was closed`, { cause })
  for (let attempt = 0; ; attempt++) {
    if (signal.aborted) throw closed()
    let waitMs: number
    try {
      return await work()
    } catch (error) {
      if (signal.aborted) throw closed(error)
      if (error instanceof SourceFailure) throw error
      const fault = faultOf(error)
      const { reason, pauseMs, isTransient } = fault
      waitMs = backoffMs(attempt, options.backoffMs)
      // A rate limit holds for all requests to the exchange.
      if (pauseMs > 0 || reason === 'rate-limited') queue.pauseFor(pauseMs || waitMs)
      if (!isTransient || pauseMs > maxPauseMs || attempt >= retries)
        throw requestFailure(exchange, fault, timeoutMs, error)
    }
    await pause(waitMs, signal)
  }
}

/** Fault of a request, with its effect on retries. */
export interface Fault extends FetchFault {
  /** Milliseconds for which the exchange accepts no requests, or 0 if it sets no time. */
  readonly pauseMs: number
  /** Whether the same request may succeed soon. */
  readonly isTransient: boolean
  /** Text of the failure, instead of the text of its reason. */
  readonly words?: string
}

/**
 * Failure for the caller. Its message omits the exchange's response, which may contain addresses and HTML pages.
 * The response stays in the cause.
 */
function requestFailure(
  exchange: string,
  { reason, status, code, pauseMs, words }: Fault,
  timeoutMs: number,
  cause: unknown,
): SourceFailure {
  const suffix = status < 300 ? '' : ` (HTTP ${status})`
  const fault = { reason, status, code }
  if (reason === 'rate-limited' && pauseMs > 0)
    return rateLimitFailure(exchange, pauseMs, { suffix, cause, fault })
  const text = words
    ? `${exchange}: ${words}`
    : `${exchange}${failureTexts[reason]}${reason === 'timed-out' ? ` ${timeoutMs} ms` : suffix}`
  return new SourceFailure('unavailable', text, {
    cause,
    fault,
    retryAfter: pauseMs > 0 ? Math.ceil(pauseMs / 1000) : undefined,
  })
}
