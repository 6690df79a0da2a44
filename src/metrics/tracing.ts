import { withTimeout } from '../runtime/deadline.js'
import { version } from '../runtime/version.js'
import type { Labels } from './counter.js'
import type { Histogram } from './durations.js'

/** What a span of a request needs of its head. */
export interface RequestHead {
  readonly method: string
  readonly path: string
  /** Empty where it was not sent. */
  header(name: string): string
}

/** What a span of a request says of its reply. */
export interface Reply {
  readonly route: string
  readonly account: string
  readonly status: number
}

type Kind = 'client' | 'internal'

/** How long the end of the service waits for spans to be sent. */
const closeSeconds = 2

/** Traces that are sent. */
export interface OpenTracing {
  /** Answers a request by `work`, in whose course everything happens that is recorded until `answered`. */
  answer<Result>(request: RequestHead, work: () => Result): Result
  answered(request: RequestHead, reply: Reply): void
  /** What has taken so many seconds until now. */
  record(name: string, kind: Kind, seconds: number, labels: Labels): void
  /** Sends what was recorded. */
  close(): Promise<void>
}

/** Traces of requests and of what is done for them. What sends them is loaded by `open`; before that nothing is recorded. */
export class Tracing {
  #sdk: OpenTracing | undefined

  async open(onFault: (message: string) => void): Promise<void> {
    const { openTracing } = await import('./tracing-sdk.js')
    this.#sdk = openTracing(version, onFault)
  }

  answer<Result>(request: RequestHead, work: () => Result): Result {
    return this.#sdk ? this.#sdk.answer(request, work) : work()
  }

  answered(request: RequestHead, reply: Reply): void {
    this.#sdk?.answered(request, reply)
  }

  /** A histogram whose durations are spans as well. */
  watch(histogram: Histogram, name: string, kind: Kind): Histogram {
    return {
      add: (seconds, labels = {}) => {
        histogram.add(seconds, labels)
        this.record(name, kind, seconds, labels)
      },
    }
  }

  record(name: string, kind: Kind, seconds: number, labels: Labels = {}): void {
    this.#sdk?.record(name, kind, seconds, labels)
  }

  /** Sends what was recorded, as far as the receiver answers in time. */
  async close(): Promise<void> {
    if (this.#sdk) await withTimeout(this.#sdk.close(), closeSeconds)
  }
}
