/** Seconds after the start for which nothing is dropped by its age: a clock that is wrong then is mostly corrected by the network. */
const quietSeconds = 3600
/** Seconds for which a time of day that was set forward must hold until it is believed. */
const heldSeconds = 86_400
/** Smaller differences are corrections of the clock, and rounded times. */
const minJumpSeconds = 2

/**
 * Time of day by which old records are dropped. It never runs ahead of the time of day, nor of the time that has passed by a
 * monotonic clock: a clock that is ahead for a while makes nothing old. A time of day that was set forward counts after a day.
 */
export class AgeClock {
  readonly #clock: () => number
  readonly #monotonicMs: () => number
  readonly #startedAt: number
  /** Time of day minus monotonic time, in seconds: the believed difference, and the one that was seen last. */
  #believed: number
  #seen: number
  /** Monotonic seconds at which that was seen first. */
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
