/** Seconds after the start for which nothing expires: a wrong clock is mostly corrected by the network until then. */
const quietSeconds = 3600
/** Seconds for which a clock that was set forward must hold until it is accepted. */
const heldSeconds = 86_400
/** Smaller differences are corrections of the clock, and rounded times. */
const minJumpSeconds = 2

/**
 * Time of day by which old records are dropped. It never runs ahead of the time of day, nor of the time that has passed by a
 * monotonic clock: a clock that is ahead for a while makes nothing old. A clock that was set forward is accepted after a
 * day.
 */
export class AgeClock {
  readonly #clock: () => number
  readonly #monotonicMs: () => number
  readonly #startedAt: number
  /** Time of day minus monotonic time, in seconds: the accepted difference, and the newest one. */
  #believed: number
  #seen: number
  /** Monotonic time in seconds at which the newest difference was first seen. */
  #seenSince: number

  /** `clock` counts Unix seconds, `monotonicMs` milliseconds that never go back. */
  constructor(clock: () => number, monotonicMs: () => number) {
    this.#clock = clock
    this.#monotonicMs = monotonicMs
    this.#startedAt = monotonicMs() / 1000
    this.#seenSince = this.#startedAt
    this.#seen = clock() - this.#startedAt
    this.#believed = this.#seen
  }

  /** Unix seconds. */
  readonly now = (): number => {
    const passed = this.#monotonicMs() / 1000
    const difference = this.#clock() - passed
    if (Math.abs(difference - this.#seen) >= minJumpSeconds) this.#seenSince = passed
    this.#seen = difference
    if (difference < this.#believed || passed - this.#seenSince >= heldSeconds) this.#believed = difference
    return passed + this.#believed
  }

  /** The time before which records are older than `seconds`, in Unix seconds; `-Infinity` in the first hour of the process. */
  readonly before = (seconds: number): number => {
    const now = this.now()
    const isQuiet = this.#monotonicMs() / 1000 - this.#startedAt < quietSeconds
    return isQuiet ? Number.NEGATIVE_INFINITY : now - seconds
  }
}
