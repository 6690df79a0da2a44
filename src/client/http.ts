import { pause } from '../runtime/pause.js'
import { allowedConstructs, CandelaError } from './errors.js'

export interface HttpOptions {
  /** Address of the service, such as `http://localhost:8080`. */
  readonly url: string
  readonly key: string
  /** Maximum wait for candles, for the rate limit or for a busy service, in seconds. Default: 60. */
  readonly waitSeconds?: number
  readonly fetch?: typeof fetch
}

/** Options of a call. `signal` cancels the request. */
export interface CallOptions {
  readonly signal?: AbortSignal
}

/** Options of a request that may need several replies. */
export interface RangeOptions extends CallOptions {
  /** Called after each reply but the last one, with the numbers of received and of all candles, or of constructs. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
}

/** A request to the service. */
export interface HttpRequest {
  readonly path: string
  readonly body?: unknown
  /** HTTP method. Default: POST with a body, GET without one. */
  readonly method?: 'DELETE'
  /**
   * Whether the request must not be sent twice. If a proxy has lost the reply, the service may have executed the
   * request.
   */
  readonly isChange?: boolean
  readonly signal?: AbortSignal | undefined
  /** Wait options of a POST whose reply may be pending. */
  readonly pending?: PendingOptions
}

/** Wait options for a reply that may need minutes. */
export interface PendingOptions {
  /** Maximum wait in seconds, instead of `waitSeconds` of the client. */
  readonly waitSeconds?: number
  /** Time in seconds after which the service replies with its progress. */
  readonly stepSeconds?: number
  readonly onPending?: (body: unknown) => void
}

/** Longest wait for pending candles that the service accepts, in seconds. */
const maxPreferredSeconds = 10
const successful = [200, 201]
/** Statuses after which the same request may succeed later. */
const temporary = [202, 429, 503]
/** Statuses of proxies that cannot reach the service or have lost its reply. The service itself sends only 503. */
const ofProxies = [502, 503, 504]
/** Seconds until a retry after a proxy error without `Retry-After`. */
const proxyRetrySeconds = 1
/** Longest wait for the rate limit that is not printed, in milliseconds. */
const silentMs = 2000

/** Sends requests and retries temporary failures. */
export class HttpClient {
  readonly url: string
  readonly #key: string
  readonly #waitMs: number
  readonly #fetch: typeof fetch

  constructor({ url, key, waitSeconds = 60, fetch: fetchOption = fetch }: HttpOptions) {
    if (!URL.canParse(url) || !/^https?:/i.test(url))
      throw new CandelaError(`Invalid url: ${url}. Expected an address such as http://localhost:8080`, 0)
    // Other characters cannot be sent in a header field.
    if (!/^[\x21-\x7e]*$/.test(key))
      throw new CandelaError('Invalid key: it has characters that no key has', 0)
    this.url = url.replace(/(?<!\/)\/+$/, '')
    this.#key = key
    this.#waitMs = waitSeconds * 1000
    // A browser refuses to call its fetch as a method of another object.
    this.#fetch = (input, init) => fetchOption(input, init)
  }

  /** Sends a request, with retries, and returns the parsed body of the reply. Throws CandelaError. */
  async send<Body>({ path, body, method, isChange, signal, pending }: HttpRequest): Promise<Body> {
    const begin = performance.now()
    const deadline = begin + (pending?.waitSeconds === undefined ? this.#waitMs : pending.waitSeconds * 1000)
    for (;;) {
      const init = requestOf(body, signal, deadline - performance.now(), pending)
      const response = await this.fetch(path, method ? { ...init, method } : init)
      const parsed = await this.#readJson(response, signal)
      if (successful.includes(response.status)) return parsed as Body
      if (response.status === 202) pending?.onPending?.(parsed)
      const isOfProxy = parsed === undefined || [502, 504].includes(response.status)
      const error = isOfProxy ? this.#errorOfProxy(response) : errorOf(response, parsed)
      const seconds = isOfProxy
        ? repeatsAfterProxy(error, isChange === true)
        : temporary.includes(error.status) && allowedConstructs(error) === undefined
          ? error.retryAfter
          : undefined
      if (seconds === undefined || performance.now() + seconds * 1000 > deadline) throw error
      if (error.status === 429 && performance.now() - begin + seconds * 1000 > silentMs)
        console.warn(`Candela: ${error.message} The client waits ${seconds} seconds.`)
      await pause(seconds * 1000, signal)
      signal?.throwIfAborted()
    }
  }

  /**
   * Sends a GET. If its time range has more candles than a reply may have, sends requests of consecutive parts instead.
   * All parts are cut from one computation, so their values are those of one reply.
   */
  async sendRange<Body>(
    path: string,
    fields: object,
    { signal, onProgress }: RangeOptions = {},
  ): Promise<Body> {
    const parts: Body[] = []
    const ask = (query: object) => this.send<Body>({ path: path + queryString(query), signal })
    let rest = fields
    let total = 0
    for (let done = 0; ; ) {
      try {
        parts.push(await ask(rest))
        return joinParts(parts)
      } catch (error) {
        const part = firstPart(error)
        if (!part) throw error
        total ||= part.candles
        parts.push(await ask({ ...rest, to: part.end }))
        done += part.most
        onProgress?.({ done, total })
        rest = { ...rest, from: part.end + 1 }
      }
    }
  }

  /** Sends one request and resolves with a reply of any status. Throws CandelaError if there is no reply. */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    if (this.#key !== '' && !headers.has('Authorization')) headers.set('Authorization', `Bearer ${this.#key}`)
    try {
      return await this.#fetch(this.url + path, { ...init, headers })
    } catch (cause) {
      throw this.#failure(cause, init.signal)
    }
  }

  #errorOfProxy({ status, headers }: Response): CandelaError {
    const message = `Candela cannot be reached at ${this.url}: a proxy answers with status ${status}`
    return new CandelaError(message, status, retryAfterOf(headers))
  }

  /** Returns the parsed body of a reply; undefined if a proxy has sent it. */
  async #readJson(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
    let text: string
    try {
      text = await response.text()
    } catch (cause) {
      throw this.#failure(cause, signal)
    }
    try {
      return JSON.parse(text)
    } catch (cause) {
      if (ofProxies.includes(response.status)) return undefined
      const message = `The reply of ${this.url} is not JSON: is this the address of Candela?`
      throw new CandelaError(message, response.status, undefined, { cause })
    }
  }

  /** Error of a request without a reply. If the signal was aborted, this is the reason of the signal. */
  #failure(cause: unknown, signal: AbortSignal | null | undefined): unknown {
    return signal?.aborted
      ? signal.reason
      : new CandelaError(`Candela does not answer at ${this.url}`, 0, undefined, { cause })
  }
}

/** Options of a request. If the data may be pending, the service waits for it, for at most `leftMs`. */
function requestOf(
  body: unknown,
  signal: AbortSignal | undefined,
  leftMs: number,
  pending: PendingOptions | undefined,
): RequestInit {
  const longest = Math.min(maxPreferredSeconds, pending?.stepSeconds ?? maxPreferredSeconds)
  const seconds = body === undefined || pending ? Math.min(longest, Math.floor(leftMs / 1000)) : 0
  const hasBody = body !== undefined
  return {
    signal: signal ?? null,
    headers: {
      ...(seconds > 0 && { Prefer: `wait=${seconds}` }),
      ...(hasBody && { 'Content-Type': 'application/json' }),
    },
    ...(hasBody && { method: 'POST', body: JSON.stringify(body) }),
  }
}

function errorOf({ status, headers }: Response, body: unknown): CandelaError {
  const { error, key } = Object(body) as { readonly error?: string; readonly key?: string }
  const message =
    error ?? (status === 202 ? `The candles of ${key} are still being fetched` : `Status ${status}`)
  return new CandelaError(message, status, retryAfterOf(headers))
}

function retryAfterOf(headers: Headers): number | undefined {
  const after = Number(headers.get('Retry-After') ?? Number.NaN)
  return Number.isFinite(after) ? after : undefined
}

/** Seconds until a retry after a proxy error; undefined for no retry. With 503, the service has not seen the request. */
const repeatsAfterProxy = ({ status, retryAfter }: CandelaError, isChange: boolean): number | undefined =>
  isChange && status !== 503 ? undefined : (retryAfter ?? proxyRetrySeconds)

export function queryString(fields: object): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

/** First part of a time range that was refused because it has too many candles. `end` is in Unix seconds, inclusive. */
function firstPart(error: unknown) {
  const text = error instanceof CandelaError && error.status === 400 ? error.message : ''
  const [, candles, most, end] =
    /^The range has (\d+) candles, and an answer at most (\d+)\. .* to (\d{4}-\d\d-\d\d) (?=\d\d:\d\d:\d\d$)/.exec(
      text,
    ) ?? []
  if (end === undefined) return undefined
  return {
    candles: Number(candles),
    most: Number(most),
    end: Date.parse(`${end}T${text.slice(-8)}Z`) / 1000,
  }
}

/** Bodies of consecutive parts as one body: arrays of candles, or arrays of values by their names. */
function joinParts<Body>(parts: readonly Body[]): Body {
  const [first] = parts as readonly [Body]
  if (parts.length === 1) return first
  if (Array.isArray(first)) return parts.flat() as Body
  const names = Object.keys(first as object) as (keyof Body)[]
  return Object.fromEntries(names.map(name => [name, parts.flatMap(part => part[name])])) as Body
}
