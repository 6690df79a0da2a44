import { withDeadline } from '../../../runtime/deadline.js'
import { ExchangeClock } from '../exchange-clock.js'
import { RequestQueue, retryAfterMs } from '../request-queue.js'
import { readBody } from '../response-body.js'
import { type RetrySettings, retry, retryDefaults } from '../retry.js'
import { BarStreams } from './bar-streams.js'
import { faultOf, HttpFailure } from './failure.js'
import type { Fetch, Provider } from './provider.js'
import type { StocksSettings } from './stocks.js'

const defaultTimeoutMs = 10_000
/** Upper bound for a Retry-After header, so that a wrong one does not block all requests for good. */
const maxRetryAfterMs = 86_400_000

/** A provider with what limits an account of it: the queue of its requests, and its connection for bars. */
export class StocksConnection {
  readonly clock: ExchangeClock
  /** Unix seconds, by this machine's clock. */
  readonly now: () => number
  readonly streams: BarStreams | undefined
  readonly closing = new AbortController()
  readonly #settings: StocksSettings & Required<RetrySettings>
  readonly #timeoutMs: number
  readonly #queue: RequestQueue

  /** `id` is what failures name. */
  constructor(
    readonly id: string,
    readonly provider: Provider,
    settings: StocksSettings,
    requestsPerSecond = provider.requestsPerSecond,
  ) {
    this.#settings = { ...retryDefaults, ...settings }
    this.#timeoutMs = settings.timeoutMs ?? defaultTimeoutMs
    this.now = settings.clock ?? (() => Date.now() / 1000)
    this.clock = new ExchangeClock(this.now)
    this.#queue = new RequestQueue({
      exchange: id,
      spacingMs: 1000 / requestsPerSecond,
      concurrency: 4,
      maxWaitMs: 60_000,
      maxPauseMs: this.#settings.maxPauseMs,
      signal: this.closing.signal,
    })
    const { stream } = provider
    this.streams = stream && new BarStreams(id, stream, this.#settings.backoffMs)
  }

  /** Runs `work` in its turn, and repeats it while its failure is transient. */
  ask<Answer>(isBackground: boolean, work: (fetch: Fetch) => Promise<Answer>): Promise<Answer> {
    const { retries, backoffMs, maxPauseMs } = this.#settings
    const run = () => work(this.#fetch)
    return retry(() => this.#queue.run(run, 1, isBackground ? 'background' : 'client'), {
      exchange: this.id,
      retries,
      backoffMs,
      maxPauseMs,
      queue: this.#queue,
      timeoutMs: this.#timeoutMs,
      signal: this.closing.signal,
      faultOf: error => ({
        ...faultOf(error),
        ...(error instanceof HttpFailure ? this.provider.explain?.(error) : undefined),
      }),
    })
  }

  close(): void {
    this.closing.abort()
    this.streams?.close()
  }

  /** A response that has arrived in full, in time; any status but 2xx is an HttpFailure. */
  readonly #fetch: Fetch = (url, headers = {}) =>
    withDeadline(this.#timeoutMs, this.closing.signal, async signal => {
      const response = await fetch(url, { headers, signal })
      this.clock.observe(response.headers.get('date'))
      const text = new TextDecoder().decode(response.body ? await readBody(response.body) : undefined)
      if (response.ok) return new Response(text, { headers: response.headers })
      const pauseMs = retryAfterMs(response.headers.get('retry-after'), maxRetryAfterMs)
      throw new HttpFailure(response.status, pauseMs, text)
    })
}
