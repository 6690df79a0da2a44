import { AsyncLocalStorage } from 'node:async_hooks'
import type { Exchange, Market as MarketOrNothing, OHLCV } from 'ccxt'
import { type Priority, RequestQueue, retryAfterMs } from '../request-queue.js'
import { type StreamingClient, streamingOptions } from './candle-streams.js'
import { maxPauseMs, type ResponseInfo } from './failure.js'

/** One exchange as ccxt speaks to it. */
export type Client = Exchange
/** One market as ccxt lists it. */
export type ListedMarket = NonNullable<MarketOrNothing>
/** A candle as ccxt reads it: milliseconds of its open, then open, high, low, close and volume. */
export type Row = OHLCV

/** ccxt's classes of errors that are told apart. */
export type Errors = Pick<
  typeof import('ccxt'),
  | 'ArgumentsRequired'
  | 'AuthenticationError'
  | 'BadRequest'
  | 'BadResponse'
  | 'BadSymbol'
  | 'BaseError'
  | 'DDoSProtection'
  | 'ExchangeNotAvailable'
  | 'NetworkError'
  | 'OperationFailed'
  | 'PermissionDenied'
  | 'RateLimitExceeded'
  | 'RequestTimeout'
>

/** A client with what is needed to read its errors. */
export interface OpenClient {
  readonly client: Client
  readonly errors: Errors
  /** What the exchange's answer said beside the error that ccxt made of it. */
  readonly replies: WeakMap<object, ResponseInfo>
  /** What every request waits in. */
  readonly queue: RequestQueue
}

interface Options {
  /** ccxt's own constructor settings. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly concurrency: number
  readonly maxWaitMs: number
  readonly maxPauseMs: number
  readonly signal: AbortSignal
}

/** What requests are made for. ccxt makes them itself, several for some of its methods, so it cannot be handed to them. */
const requestContext = new AsyncLocalStorage<{ urgency: Priority }>()

/** Does `work`; the requests that ccxt makes in it are so urgent, and those of a client more so once the first has begun. */
export const withPriority = <Answer>(urgency: Priority, work: () => Promise<Answer>): Promise<Answer> =>
  requestContext.run({ urgency }, work)

/** The client class of one exchange. The package exports only the whole, which costs three times the time and memory. */
async function load(id: string): Promise<{ Class: new (settings: object) => Client; errors: Errors }> {
  const folder = new URL('./src/', import.meta.resolve('ccxt'))
  try {
    const [exchange, errors] = await Promise.all([
      import(new URL(`${id}.js`, folder).href),
      import(new URL('base/errors.js', folder).href),
    ])
    return { Class: exchange.default, errors }
  } catch (error) {
    // The inner layout of the package is no promise of its authors; what it exports is.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    const whole = await import('ccxt')
    const classes = whole.default as unknown as Record<string, new (settings: object) => Client>
    return { Class: classes[id] as new (settings: object) => Client, errors: whole }
  }
}

/** ccxt's client of the exchange `id`, made to give up on replies that stall and to send requests by their urgency. */
export async function openClient(id: string, options: Options): Promise<OpenClient> {
  const { settings, ...bounds } = options
  const { Class, errors } = await load(id)
  const client = new Class({ ...settings, enableRateLimit: true })
  const replies = new WeakMap<object, ResponseInfo>()

  // ccxt's own throttle knows no urgency, makes the first request after a pause wait, and looks at the clock every ms.
  const queue = new RequestQueue({ exchange: id, spacingMs: Math.max(0, client.rateLimit ?? 0), ...bounds })
  client.throttle = async () => {}
  const send = client.fetch2.bind(client)
  client.fetch2 = (path, api, method, params, headers, body, config) => {
    const errand = requestContext.getStore() ?? { urgency: 'client' }
    const cost = client.calculateRateLimiterCost(api, method, path, params, config)
    const answer = queue.run(
      () => send(path, api, method, params, headers, body, config),
      cost,
      errand.urgency,
    )
    if (errand.urgency === 'client') errand.urgency = 'begun'
    return answer
  }

  // ccxt stops its clock at the headers; a body that never comes would be waited for by undici's five minutes.
  const dispatcherOptions = client.getDispatcherOptions.bind(client)
  client.getDispatcherOptions = isPlainAgent => ({
    ...dispatcherOptions(isPlainAgent),
    headersTimeout: client.timeout,
    bodyTimeout: client.timeout,
  })

  const read = client.handleRestResponse.bind(client)
  client.handleRestResponse = async (response, url, ...request) => {
    const { status } = response
    const reply = {
      status,
      retryAfterMs: retryAfterMs(client.getResponseHeaders(response)['Retry-After'], maxPauseMs),
    }
    const remember = (error: Error) => {
      replies.set(error, reply)
      return error
    }
    let body: unknown
    try {
      body = await read(response, url, ...request)
    } catch (error) {
      if (error instanceof errors.BaseError) throw remember(error)
      const isLate = error instanceof Error && 'code' in error && error.code === 'UND_ERR_BODY_TIMEOUT'
      const broken = isLate
        ? new errors.RequestTimeout(`${id} ${url} the reply stalled`)
        : new errors.NetworkError(`${id} ${url} the reply broke off`)
      broken.cause = error
      throw broken
    }
    // ccxt hands over as text what it cannot parse, and reads "no markets" or "no candles" in it.
    if (typeof body === 'string' && /^\s*[[{<]/.test(body)) {
      throw remember(new errors.BadResponse(`${id} ${url} ${status} ${body.slice(0, 200)}`))
    }
    return body
  }
  return { client, errors, replies, queue }
}

/** Gives back the connections of a client. */
export async function closeClient({ client }: OpenClient): Promise<void> {
  await client.close()
  // ccxt closes its WebSockets only: the HTTP connections would stay open for another minute.
  const dispatchers = [client.fetchDispatcher, ...Object.values(client.proxyDictionaries ?? {})]
  await Promise.all(dispatchers.map(dispatcher => dispatcher?.destroy?.()))
}

/** ccxt's two clients of one exchange; nothing is asked of the exchange yet. */
export interface ClientPair {
  readonly id: string
  readonly rest: Client
  /** The one with WebSockets, where there is one. */
  readonly socket: Client | undefined
}

/** New clients of the exchanges `ids`, and the classes of their errors. All of ccxt is loaded. */
export async function loadClientPairs(
  ids: readonly string[],
): Promise<{ readonly pairs: readonly ClientPair[]; readonly errors: Errors }> {
  const whole = await import('ccxt')
  type Classes = Readonly<Record<string, new () => Client>>
  const rest = whole.default as unknown as Classes
  const sockets = whole.default.pro as unknown as Classes
  const create = (classes: Classes, id: string) => classes[id] && new classes[id]()
  const pairs = ids.map(id => ({ id, rest: create(rest, id) as Client, socket: create(sockets, id) }))
  return { pairs, errors: whole }
}

/** The class of an exchange that streams; undefined where ccxt has none. */
async function loadStreaming(id: string): Promise<(new (settings: object) => Client) | undefined> {
  const folder = new URL('./src/pro/', import.meta.resolve('ccxt'))
  try {
    return (await import(new URL(`${id}.js`, folder).href)).default
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    return undefined
  }
}

/**
 * A new client of the exchange that streams candles, with the markets of the one that is open and ccxt's own
 * constructor settings; undefined where there is none.
 */
export async function openStreaming(
  id: string,
  settings: Readonly<Record<string, unknown>>,
  { client: rest }: OpenClient,
): Promise<StreamingClient | undefined> {
  const Class = await loadStreaming(id)
  if (Class === undefined) return undefined
  const { ws, ...rememberedOptions } = (settings.options ?? {}) as { readonly ws?: object }
  const client = new Class({
    ...settings,
    enableRateLimit: true,
    // Dials are spaced for all clients of the exchange together; ccxt's delay would outlive a closed client.
    options: { ...rememberedOptions, ...streamingOptions, ws: { ...ws, backoff: { base: 0 } } },
  })
  if (client.has.watchOHLCV !== true) return undefined
  client.setMarketsFromExchange(rest)
  // ccxt wants an agent for addresses without TLS, and the modules of proxies where there are any.
  await Promise.all([client.loadHttpProxyAgent(), client.loadProxyModules()])
  return client as unknown as StreamingClient
}
