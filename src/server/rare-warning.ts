import type { Log } from '../config/log.js'

/** How often one thing is warned of at most, in milliseconds: clients can bring it about as often as they like. */
const gapMs = 60_000

/** Logs what may happen very often, at most once a minute. */
export class RareWarning {
  readonly #log: Log
  readonly #clock: () => number
  #lastAt: number | undefined

  /** `clock` are milliseconds that never go back. */
  constructor(log: Log, clock: () => number = () => performance.now()) {
    this.#log = log
    this.#clock = clock
  }

  warn(context: object, message: string): void {
    const now = this.#clock()
    if (this.#lastAt !== undefined && now - this.#lastAt < gapMs) return
    this.#lastAt = now
    this.#log.warn(context, message)
  }
}
