import { AsyncLocalStorage } from 'node:async_hooks'
import { ExchangeClock } from '../exchange-clock.js'
import { type Priority, RequestQueue, retryAfterMs } from '../request-queue.js'
import { BodyTooLong, Decompressor, readBody } from '../response-body.js'
import { type Client, type ErrorClasses, loadClientClass } from './client.js'

/** Upper bound for a Retry-After header: Binance bans addresses for at most three days. */
const maxRetryAfterMs = 3 * 86_400_000
/** Maximum time of a whole body, as a multiple of the timeout. A market list is slow to load on a slow network. */
const maxBodyTimeouts = 2

/** The status line and headers of a response that ccxt turned into an error. */
export interface ResponseStatus {
  readonly status: number
  /** 0 if the response does not state when the next request is allowed. */
  readonly retryAfterMs: number
}

/** A client with its queue and the facts of its responses. */
export interface OpenClient {
  readonly client: Client
  readonly errors: ErrorClasses
  /** Response status by the error that ccxt made from the response. */
  readonly statuses: WeakMap<object, ResponseStatus>
  readonly queue: RequestQueue
  readonly clock: ExchangeClock
}

interface Options {
  /** ccxt's own constructor settings. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly concurrency: number
  readonly maxWaitMs: number
  readonly maxPauseMs: number
  readonly signal: AbortSignal
}

/** Priority of requests. ccxt cannot pass it on, because it sends the requests itself, several for some methods. */
const requestContext = new AsyncLocalStorage<{ priority: Priority }>()

/**
 * Runs `work`; ccxt's requests in it have this priority. After a client's first request, the further ones are
 * `begun`.
 */
export const withPriority = <Answer>(priority: Priority, work: () => Promise<Answer>): Promise<Answer> =>
  requestContext.run({ priority }, work)

/** Opens ccxt's client of the exchange `id`. It sends requests by priority and fails when a response stalls. */
export async function openClient(id: string, options: Options): Promise<OpenClient> {
  const { settings, ...limits } = options
  const { Class, errors } = await loadClientClass(id)
  const client = new Class({ ...settings, enableRateLimit: true })
  const queue = new RequestQueue({ exchange: id, spacingMs: Math.max(0, client.rateLimit ?? 0), ...limits })
  const opened = {
    client,
    errors,
    statuses: new WeakMap<object, ResponseStatus>(),
    queue,
    clock: new ExchangeClock(),
  }
  sendThroughQueue(opened)
  limitBodies(client)
  nameFailures(client)
  checkResponses(id, opened)
  return opened
}

/**
 * Replaces ccxt's throttle, which has no priorities, delays the first request after a pause, and polls the clock
 * every millisecond.
 */
function sendThroughQueue({ client, queue }: OpenClient): void {
  client.throttle = async () => {}
  const send = client.fetch2.bind(client)
  client.fetch2 = (path, api, method, params, headers, body, config) => {
    const context = requestContext.getStore() ?? { priority: 'client' }
    const cost = client.calculateRateLimiterCost(api, method, path, params, config)
    const answer = queue.run(
      () => send(path, api, method, params, headers, body, config),
      cost,
      context.priority,
    )
    if (context.priority === 'client') context.priority = 'begun'
    return answer
  }
}

/** Members of an undici response that ccxt reads. */
interface UndiciResponse {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: AsyncIterable<Uint8Array> & { destroy(error: Error): unknown }
}

/** Thrown if a body did not arrive in time. Has the code of undici's error for a stalled body. */
class BodyTimeout extends Error {
  readonly code = 'UND_ERR_BODY_TIMEOUT'
}

/**
 * Limits the time and the size of bodies. ccxt's timeout ends with the headers. undici waits five minutes for the
 * next chunk of a body. Neither counts bytes.
 */
function limitBodies(client: Client): void {
  const dispatcherOptions = client.getDispatcherOptions.bind(client)
  client.getDispatcherOptions = isPlainAgent => ({
    ...dispatcherOptions(isPlainAgent),
    headersTimeout: client.timeout,
    bodyTimeout: client.timeout,
  })
  const decompressor = new Decompressor()
  client.undiciBody = async ({ statusCode, headers, body }: UndiciResponse, isBinary) => {
    const timer = setTimeout(() => body.destroy(new BodyTimeout()), maxBodyTimeouts * client.timeout)
    try {
      const encoding = statusCode === 204 || statusCode === 304 ? undefined : headers['content-encoding']
      const bytes = await decompressor.decompress(await readBody(body), encoding)
      return isBinary ? bytes : new TextDecoder().decode(bytes)
    } finally {
      clearTimeout(timer)
    }
  }
}

/**
 * Adds the error code of a failed connection to its message, because ccxt passes on the message only. For a host
 * with several addresses Node's message is empty.
 */
function nameFailures(client: Client): void {
  const send = client.undiciRequest.bind(client)
  client.undiciRequest = async (url, params) => {
    try {
      return await send(url, params)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (error instanceof Error && typeof code === 'string' && !error.message.includes(code))
        error.message = `${error.message} ${code}`.trim()
      throw error
    }
  }
}

const isEmptyObject = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0

/** Stores the status of every failed response. Turns truncated and empty bodies into ccxt's errors. */
function checkResponses(id: string, { client, errors, statuses, clock }: OpenClient): void {
  const read = client.handleRestResponse.bind(client)
  client.handleRestResponse = async (response, url, ...request) => {
    const { status } = response
    clock.observe(client.getResponseHeaders(response).Date)
    const withStatus = (error: Error) => {
      const header = client.getResponseHeaders(response)['Retry-After']
      statuses.set(error, { status, retryAfterMs: retryAfterMs(header, maxRetryAfterMs) })
      return error
    }
    let body: unknown
    try {
      body = await read(response, url, ...request)
    } catch (error) {
      if (error instanceof errors.BaseError) throw withStatus(error)
      if (error instanceof BodyTooLong) throw error
      const isStalled = error instanceof Error && 'code' in error && error.code === 'UND_ERR_BODY_TIMEOUT'
      const bodyError = isStalled
        ? new errors.RequestTimeout(`${id} ${url} the reply stalled`)
        : new errors.NetworkError(`${id} ${url} the reply broke off`)
      bodyError.cause = error
      throw bodyError
    }
    // ccxt returns an empty body as text, and would read it as "no markets" or "no candles".
    if (typeof body === 'string' || isEmptyObject(body)) {
      const text = typeof body === 'string' ? body.slice(0, 200) : '{}'
      throw withStatus(new errors.BadResponse(`${id} ${url} ${status} ${text}`))
    }
    return body
  }
}

export async function closeClient({ client }: OpenClient): Promise<void> {
  await client.close()
  // ccxt closes its WebSockets only. HTTP connections would stay open for another minute.
  const dispatchers = [client.fetchDispatcher, ...Object.values(client.proxyDictionaries ?? {})]
  await Promise.all(dispatchers.map(dispatcher => dispatcher?.destroy?.()))
}
