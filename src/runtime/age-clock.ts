/**
 * Time after the start during which nothing expires, in seconds. The network usually corrects a wrong clock within this
 * time.
 */
const quietSeconds = 3600
/** Time after which a clock that was set forward is accepted, in seconds. */
const heldSeconds = 86_400
/** Smallest difference that counts as a jump, in seconds. Smaller ones are clock corrections or rounding. */
const minJumpSeconds = 2

/**
 * Clock that decides when old records are dropped. It never runs ahead of the wall clock or of the elapsed monotonic
 * time. So a clock that is temporarily ahead expires nothing. A clock that was set forward is accepted after a day.
 */
export class AgeClock {
  readonly #startedAt: number
  /** Wall clock minus monotonic time, in seconds: the accepted difference, and the newest one. */
  #believed: number
  #seen: number
  /** Monotonic time in seconds at which the newest difference was first seen. */
  #seenSince: number

  /** `clock` is the wall clock in Unix seconds, `monotonicMs` a monotonic clock in milliseconds. */
  constructor(
    private readonly clock: () => number,
    private readonly monotonicMs: () => number,
  ) {
    this.#startedAt = monotonicMs() / 1000
    this.#seenSince = this.#startedAt
    this.#seen = clock() - this.#startedAt
    this.#believed = this.#seen
  }

  /** Unix seconds. */
  readonly now = (): number => {
    const passed = this.monotonicMs() / 1000
    const difference = this.clock() - passed
    if (Math.abs(difference - this.#seen) >= minJumpSeconds) this.#seenSince = passed
    this.#seen = difference
    if (difference < this.#believed || passed - this.#seenSince >= heldSeconds) this.#believed = difference
    return passed + this.#believed
  }

  /** The time before which records are older than `seconds`, in Unix seconds; `-Infinity` in the first hour of the process. */
  readonly before = (seconds: number): number => {
    const now = this.now()
    const isQuiet = this.monotonicMs() / 1000 - this.#startedAt < quietSeconds
    return isQuiet ? Number.NEGATIVE_INFINITY : now - seconds
  }
}
