import { AsyncLocalStorage } from 'node:async_hooks'
import { ExchangeClock } from '../exchange-clock.js'
import { type Priority, RequestQueue, retryAfterMs } from '../request-queue.js'
import { BodyTooLong, Decompressor, readBody } from '../response-body.js'
import { type Client, type ErrorClasses, loadClientClass } from './client.js'

/** Upper bound for a Retry-After header: Binance bans addresses for three days at most. */
const maxRetryAfterMs = 3 * 86_400_000
/** The time of a whole body, in timeouts: a slow network may take long for a list of markets. */
const maxBodyTimeouts = 2

/** The status line and headers of a response that ccxt turned into an error. */
export interface ResponseStatus {
  readonly status: number
  /** 0 where the response does not say when the next request is allowed. */
  readonly retryAfterMs: number
}

/** A client, with its queue and what is known of its responses. */
export interface OpenClient {
  readonly client: Client
  readonly errors: ErrorClasses
  /** The status of the response by the error that ccxt made of it. */
  readonly statuses: WeakMap<object, ResponseStatus>
  /** The queue that every request of the client waits in. */
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

/** The priority of requests, which ccxt cannot pass on: it sends them itself, several for some of its methods. */
const requestContext = new AsyncLocalStorage<{ priority: Priority }>()

/** Runs `work`: the requests that ccxt sends in it have this priority, and those after a client's first one `begun`. */
export const withPriority = <Answer>(priority: Priority, work: () => Promise<Answer>): Promise<Answer> =>
  requestContext.run({ priority }, work)

/** ccxt's client of the exchange `id`. It sends requests by their priority and fails when a response stalls. */
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
 * Replaces ccxt's throttle. It has no priorities, delays the first request after a pause, and polls the clock every
 * millisecond.
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

/** What ccxt reads of a response of undici. */
interface UndiciResponse {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: AsyncIterable<Uint8Array> & { destroy(error: Error): unknown }
}

/** A body did not arrive in time; it has the code of undici's error for a body that stalls. */
class BodyTimeout extends Error {
  readonly code = 'UND_ERR_BODY_TIMEOUT'
}

/**
 * Limits the time and the size of bodies. ccxt's timeout ends with the headers, undici waits five minutes for the next
 * piece of a body, and neither of them counts bytes.
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

/** Writes the code of a failed connection into its message, which is all that ccxt passes on. With several addresses it has none. */
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

/** Stores the status of every failed response, and turns bodies that end early or hold nothing into ccxt's errors. */
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
    // ccxt returns a body without a value as text, and would read "no markets" or "no candles" in it.
    if (typeof body === 'string' || isEmptyObject(body)) {
      const text = typeof body === 'string' ? body.slice(0, 200) : '{}'
      throw withStatus(new errors.BadResponse(`${id} ${url} ${status} ${text}`))
    }
    return body
  }
}

/** Closes the connections of a client. */
export async function closeClient({ client }: OpenClient): Promise<void> {
  await client.close()
  // ccxt closes its WebSockets only; HTTP connections would stay open for another minute.
  const dispatchers = [client.fetchDispatcher, ...Object.values(client.proxyDictionaries ?? {})]
  await Promise.all(dispatchers.map(dispatcher => dispatcher?.destroy?.()))
}
