import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'

/** How often the loop is looked at, in milliseconds. A hold is measured up to this much too long. */
const resolutionMs = 2

/** How long the event loop was held, measured by a timer of libuv that runs no JavaScript. */
export class EventLoopDelay {
  readonly #histogram: IntervalHistogram

  constructor() {
    this.#histogram = monitorEventLoopDelay({ resolution: resolutionMs })
    this.#histogram.enable()
  }

  /** The longest hold since the last call, in seconds. */
  takeLongest(): number {
    const seconds = this.#histogram.max / 1e9
    this.#histogram.reset()
    return seconds
  }

  close(): void {
    this.#histogram.disable()
  }
}
