import { withTimeout } from '../../runtime/deadline.js'
import type { Histogram, Labels } from '../../runtime/metric.js'
import { version } from '../../runtime/version.js'
import type { Kind, OpenTracing, Reply, RequestHead } from './tracing-sdk.js'

/** Time to export spans when the service stops, in seconds. */
const closeSeconds = 2

/** Traces of requests and of the work for them. `open` loads the exporter; until then nothing is recorded. */
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

  /** A histogram that also records each duration as a span. */
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

  /** Exports the recorded spans, unless the receiver exceeds the timeout. */
  async close(): Promise<void> {
    if (this.#sdk) await withTimeout(this.#sdk.close(), closeSeconds)
  }
}
