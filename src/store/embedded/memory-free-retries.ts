import type { FreeRetries } from '../../contract/storage/stores.js'

/** For how long, in milliseconds, the repetition of a pending request is expected. */
export const repetitionMs = 60_000

/** The requests that may be repeated in this process. */
export class MemoryFreeRetries implements FreeRetries {
  readonly #clock: () => number
  /** Until when the repetition of a request is free; the oldest come first. */
  readonly #ends = new Map<string, number>()
  #lastEnd = 0

  /** `clock` counts milliseconds from any time and never goes back. */
  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** Requests in memory: those that may be repeated, and older ones until the next request is pending. */
  get size(): number {
    return this.#ends.size
  }

  isEmpty(): boolean {
    if (this.#ends.size === 0) return true
    if (this.#lastEnd > this.#clock()) return false
    this.#ends.clear()
    return true
  }

  take(request: string): boolean {
    const ends = this.#ends.get(request)
    this.#ends.delete(request)
    return ends !== undefined && ends > this.#clock()
  }

  add(request: string): undefined {
    const now = this.#clock()
    for (const [other, ends] of this.#ends) {
      if (ends > now) break
      this.#ends.delete(other)
    }
    this.#ends.delete(request)
    this.#lastEnd = now + repetitionMs
    this.#ends.set(request, this.#lastEnd)
  }
}
