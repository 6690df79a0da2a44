/** Result of a request. */
export type Outcome =
  | { readonly kind: 'ok'; readonly body: unknown; readonly age: number | undefined }
  | { readonly kind: 'pending' }
  | {
      readonly kind: 'refused'
      readonly status: number
      readonly error: string
      readonly retrySeconds: number | undefined
    }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'aborted' }

/** A reply as the request drawer shows it. */
export interface RawReply {
  readonly request: string
  readonly status: number
  readonly text: string
  readonly ms: number
}

interface Options {
  /** The address of the service, with a slash at the end. */
  readonly base: string
  readonly key: () => string | undefined
  readonly onReply?: (reply: RawReply) => void
  readonly fetch?: typeof fetch
}

interface RequestOptions {
  readonly signal?: AbortSignal
  /** Seconds for which the service may hold the request until the first candles arrive. */
  readonly waitSeconds?: number
}

const seconds = (text: string | null) => (text !== null && /^\d+$/.test(text) ? Number(text) : undefined)

function errorOf(text: string, status: number): string {
  try {
    const { error } = JSON.parse(text)
    if (typeof error === 'string') return error
  } catch {
    // A proxy may reply with a page of its own.
  }
  return `The service answered with status ${status}.`
}

/** The requests of the page. None of them throws: a failure is an outcome. */
export class ServiceClient {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  get(path: string, options: RequestOptions = {}): Promise<Outcome> {
    return this.#send(path, { method: 'GET' }, options)
  }

  post(path: string, body: unknown, options: RequestOptions = {}): Promise<Outcome> {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }
    return this.#send(path, init, options)
  }

  delete(path: string): Promise<Outcome> {
    return this.#send(path, { method: 'DELETE' }, {})
  }

  async #send(path: string, init: RequestInit, options: RequestOptions): Promise<Outcome> {
    const { base, key, onReply } = this.#options
    const headers = new Headers(init.headers)
    const token = key()
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
    if (options.waitSeconds) headers.set('prefer', `wait=${options.waitSeconds}`)
    const begin = performance.now()
    try {
      const { signal = null } = options
      // Relative to the page, so that it works below any path of a proxy.
      const response = await (this.#options.fetch ?? fetch)(new URL(path, base), { ...init, headers, signal })
      const text = await response.text()
      const ms = performance.now() - begin
      onReply?.({ request: `${init.method} /${path}`, status: response.status, text, ms })
      return outcomeOf(response, text)
    } catch {
      return options.signal?.aborted ? { kind: 'aborted' } : { kind: 'unreachable' }
    }
  }
}

function outcomeOf({ status, headers }: Response, text: string): Outcome {
  if (status === 202) return { kind: 'pending' }
  if (status !== 200 && status !== 201) {
    const retrySeconds = seconds(headers.get('retry-after'))
    // Statuses of a proxy while the service behind it is down.
    if (status === 502 || status === 504) return { kind: 'unreachable' }
    return { kind: 'refused', status, error: errorOf(text, status), retrySeconds }
  }
  // A cache in between reports the age of its reply in `Age`.
  const isOld = /(^|,)\s*110\b/.test(headers.get('warning') ?? '')
  return { kind: 'ok', body: JSON.parse(text), age: isOld ? seconds(headers.get('age')) : undefined }
}
