import { CandelaError } from './errors.js'

export interface HttpOptions {
  /** Where the service is, such as `http://localhost:8080`. */
  readonly url: string
  readonly key: string
  /** How long a request may wait for candles, for its rate limit or for a busy service, in seconds: 60 by default. */
  readonly waitSeconds?: number
  readonly fetch?: typeof fetch
}

/** One request. */
export interface HttpRequest {
  readonly path: string
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

/** The longest wait that the service accepts for pending candles, in seconds. */
const preferredSeconds = 10
/** Statuses that mean: the same request may succeed later. */
const temporary = [202, 429, 503]

/** Sends requests, and repeats those that the service asks to repeat. */
export class HttpClient {
  readonly url: string
  readonly #key: string
  readonly #waitMs: number
  readonly #fetch: typeof fetch

  constructor({ url, key, waitSeconds = 60, fetch: fetchOption = fetch }: HttpOptions) {
    this.url = url.replace(/\/+$/, '')
    this.#key = key
    this.#waitMs = waitSeconds * 1000
    // A browser refuses to call its fetch as a method of another object.
    this.#fetch = (input, init) => fetchOption(input, init)
  }

  /** The parsed body of the reply. Throws CandelaError. */
  async send<Body>({ path, body, signal }: HttpRequest): Promise<Body> {
    const deadline = Date.now() + this.#waitMs
    for (;;) {
      const response = await this.#request(path, body, signal)
      const parsed = await readJson(response)
      if (response.status === 200) return parsed as Body
      const error = errorOf(response, parsed)
      const { retryAfter } = error
      const waitMs = (retryAfter ?? 0) * 1000
      const isRepeatable = temporary.includes(response.status) && retryAfter !== undefined
      if (!isRepeatable || Date.now() + waitMs > deadline) throw error
      await sleep(waitMs, signal)
    }
  }

  async #request(path: string, body: unknown, signal: AbortSignal | undefined): Promise<Response> {
    const headers: Record<string, string> = { Authorization: `Bearer ${this.#key}` }
    if (body === undefined) headers.Prefer = `wait=${preferredSeconds}`
    else headers['Content-Type'] = 'application/json'
    try {
      return await this.#fetch(this.url + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal ? { signal } : {}),
      })
    } catch (cause) {
      if (signal?.aborted) throw cause
      throw new CandelaError(`Candela does not answer at ${this.url}`, 0, undefined, { cause })
    }
  }
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch (cause) {
    throw new CandelaError(
      'The reply is not JSON: is this the address of Candela?',
      response.status,
      undefined,
      {
        cause,
      },
    )
  }
}

function errorOf({ status, headers }: Response, body: unknown): CandelaError {
  const { error, key } = body as { readonly error?: string; readonly key?: string }
  const after = Number(headers.get('Retry-After') ?? Number.NaN)
  const message =
    error ?? (status === 202 ? `The candles of ${key} are still being fetched` : `Status ${status}`)
  return new CandelaError(message, status, Number.isFinite(after) ? after : undefined)
}

/** Resolves after so many milliseconds; rejects with the reason of the signal when that is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason)
      return
    }
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
